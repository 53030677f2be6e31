"""An error of Spark as each connection gives it, and the message that is left of it."""

from __future__ import annotations

import pytest
from dbt_common.exceptions import DbtDatabaseError

from dbt_changelog._errors import explain, first_line

OURS = "Unknown op code 'z' in column op.\nTo fix: add it to op_mapping."
RAISED = f"[USER_RAISED_EXCEPTION] {OURS} SQLSTATE: P0001"
TRACE = "\n\tat org.apache.spark.sql.Dataset.collect(Dataset.scala:1)\nCaused by: .."


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError(RAISED + TRACE),
        DbtDatabaseError(
            "org.apache.hive.service.cli.HiveSQLException: Error running query: "
            f"[USER_RAISED_EXCEPTION] org.apache.spark.SparkRuntimeException: {RAISED}{TRACE}"
        ),
    ],
    ids=["session", "thrift"],
)
def test_our_words_alone_are_left(error):
    assert explain(error, "merge into t__state") == OURS


def test_the_words_of_a_cause_are_found():
    outer = RuntimeError("[DELTA_SOMETHING] it failed")
    outer.__cause__ = RuntimeError(RAISED)
    assert explain(outer, "select 1") == OURS


@pytest.mark.parametrize("table", ["customers__state", "customers__state_2_0a1b2c3d"])
def test_another_run_was_faster(table):
    error = DbtDatabaseError("Error running query: [DELTA_METADATA_CHANGED] the metadata changed")
    message = explain(error, f"merge into analytics.{table} as state")
    assert message is not None
    assert message.startswith(f"Another run wrote analytics.{table} while this one did")


def test_another_location_moves_no_table():
    error = DbtDatabaseError("[DELTA_TABLE_LOCATION_MISMATCH] The location of the existing table")
    message = explain(error, "create or replace table analytics.customers__state\nusing delta")
    assert message is not None
    assert message.startswith("Invalid 'location_root': analytics.customers__state lies elsewhere")


def test_a_version_whose_files_are_gone():
    error = DbtDatabaseError("[FAILED_READ_FILE.FILE_NOT_EXIST] Encountered error while reading")
    sql = 'insert into t select * from /* dbt_changelog range {"relation": "crm.people"} */'
    message = explain(error, f"{sql} table_changes('crm.people', 1, 2)")
    assert message is not None
    assert message.startswith("The table crm.people no longer has all that this run reads")
    assert explain(error, sql) is None


def test_other_errors_stay_as_they_are():
    error = DbtDatabaseError("[TABLE_OR_VIEW_NOT_FOUND] the table cannot be found. SQLSTATE: 42P01")
    assert explain(error, "select * from t__state") is None


def test_the_first_line_is_no_heading():
    assert first_line("Runtime Error\n  [PARSE] at 'x'; line 1 pos 2;\n'Project\n+- Scan") == (
        "[PARSE] at 'x'; line 1 pos 2"
    )
    assert first_line("Database Error in model m (models/m.sql)\n  No.") == "No"
    assert first_line("Runtime Error\n") == "no reason given"
