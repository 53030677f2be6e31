"""A wrong config is an error that names the argument and says what to do; nothing is written."""

from __future__ import annotations

import json

import pytest

from .project import DBT_PROJECT

FLAT = "select 'c' as op, 1 as id, 'ada' as name, 1 as lsn"
IMAGES = """select 'c' as op, cast(null as struct<id int, name string>) as before,
            named_struct('id', 1, 'name', 'ada') as after, 1 as lsn, 2 as ts"""
GOOD = {"unique_key": "id", "sequence_by": "lsn", "op_mapping": {"c": "INSERT"}}
KEYLESS = {"op_mapping": {"c": "INSERT"}}
SIDES = {"before": "before", "after": "after"}
BOTH = {**GOOD, **SIDES}
CODES = {"u": "UPDATE_BEFORE, UPDATE_AFTER"}

# name: (config, query, the argument named, words of the message)
CASES = {
    "keyless_upsert": ({"op_mapping": {"c": "UPDATE_AFTER"}}, FLAT, "unique_key", "needs a key"),
    "keyless_read": (
        {**KEYLESS, "read": {"column": "lsn"}},
        FLAT,
        "read",
        "each event counts, and lsn is read again",
    ),
    "keyless_changelog": ({**KEYLESS, "changelog": True}, FLAT, "changelog", "needs a position"),
    "keyless_passthrough": (
        {"op_mapping": {"c": "INSERT", "d": "DELETE"}, **SIDES, "passthrough": "ts"},
        IMAGES,
        "passthrough",
        "never cancels its insert",
    ),
    "keyless_state": ({**KEYLESS, "state_ttl": "0"}, FLAT, "unique_key", "no key was set"),
    "no_range": (
        {**KEYLESS, "read": {"column": "lsn", "strict": True}},
        FLAT,
        "read",
        "the query has no range of lsn",
    ),
    "strict_text": ({**GOOD, "read": {"column": "lsn", "strict": 1}}, FLAT, "read.strict", "true"),
    "strict_lookback": (
        {**GOOD, "read": {"column": "lsn", "strict": True, "lookback": 1}},
        FLAT,
        "read.lookback",
        "reads each row once",
    ),
    "no_sequence": ({"unique_key": "id"}, FLAT, "sequence_by", "because tables have no order"),
    "typing_error": ({**GOOD, "op_maping": {}}, FLAT, "op_maping", "To fix: use 'op_mapping'"),
    "own_config": ({**GOOD, "zzz": 1}, FLAT, "zzz", "put it into meta if"),
    "planned": ({**GOOD, "contents": "table"}, FLAT, "contents", "does not have it yet"),
    "format": ({**GOOD, "file_format": "csv"}, FLAT, "file_format", "'csv' is not one of"),
    "key_absent": ({**GOOD, "unique_key": "idd"}, FLAT, "unique_key", "write 'id' instead of"),
    "key_twice": ({**GOOD, "unique_key": ["id", "ID"]}, FLAT, "unique_key", "a column twice"),
    "key_map": (GOOD, "select 'c' as op, map(1, 2) as id, 1 as lsn", "unique_key", "no order"),
    "sequence_absent": ({**GOOD, "sequence_by": "lns"}, FLAT, "sequence_by", "write 'lsn' instead"),
    "sequence_map": (
        {**GOOD, "sequence_by": "m"},
        f"select *, map(1, 2) as m from ({FLAT})",
        "sequence_by",
        "has no order",
    ),
    "sequence_torn": (
        {**GOOD, "sequence_by": "lsn +"},
        FLAT,
        "sequence_by",
        "Spark can not use 'lsn +': [PARSE_SYNTAX_ERROR] Syntax error at or near",
    ),
    "sequence_aggregate": (
        {**GOOD, "sequence_by": ["lsn", "max(lsn)"]},
        FLAT,
        "sequence_by",
        "Spark can not use 'max(lsn)': [MISSING_GROUP_BY]",
    ),
    "not_sent_text": (
        {**GOOD, "columns_not_sent": "name"},
        FLAT,
        "columns_not_sent",
        "is string, and it must be an array of names",
    ),
    "two_of_a_name": (GOOD, f"select *, 2 as ID from ({FLAT})", "input", "two columns named 'ID'"),
    "key_op": ({**GOOD, "unique_key": "op"}, FLAT, "unique_key", "'op' is in the query, but not"),
    "op_absent": ({**GOOD, "op": "operation"}, FLAT, "op", "Its columns are: op, id, name, lsn"),
    "op_two": ({**GOOD, "op": ["op", "id"]}, FLAT, "op", "several columns"),
    "op_of_a_format": (
        {"format": "debezium", "unique_key": "id", "payload_schema": "id int", "op": "upper(opp)"},
        "select '{}' as value",
        "op",
        "Spark can not use 'upper(opp)': [UNRESOLVED_COLUMN",
    ),
    "op_number": ({**GOOD, "op": "lsn"}, FLAT, "op", "a string or a boolean"),
    "mapping_text": ({**GOOD, "op_mapping": "c"}, FLAT, "op_mapping", "not a mapping"),
    "mapping_empty": ({**GOOD, "op_mapping": {}}, FLAT, "op_mapping", "not a mapping"),
    "kind_unknown": ({**GOOD, "op_mapping": {"c": "insert"}}, FLAT, "op_mapping", "in capitals"),
    "kind_number": ({**GOOD, "op_mapping": {"c": 1}}, FLAT, "op_mapping", "is not a string"),
    "kind_group": (
        {**GOOD, "op_mapping": {"c": "INSERT, DELETE"}},
        FLAT,
        "op_mapping",
        "is not a group",
    ),
    "code_twice": (
        {**GOOD, "op_mapping": {"c, r": "INSERT", "r": "DELETE"}},
        FLAT,
        "op_mapping",
        "code 'r' is mapped twice",
    ),
    "code_empty": ({**GOOD, "op_mapping": {"c,,r": "INSERT"}}, FLAT, "op_mapping", "empty item"),
    "handling": ({**GOOD, "invalid_op_handling": "IGNORE"}, FLAT, "invalid_op_handling", "SKIP"),
    "ties": ({**GOOD, "tie_handling": "FIRST"}, FLAT, "tie_handling", "FAIL, LAST"),
    "full_deletes": (
        {**GOOD, "consume_full_deletes": "yes"},
        FLAT,
        "consume_full_deletes",
        "neither true nor false",
    ),
    "ttl": ({**GOOD, "state_ttl": "soon"}, FLAT, "state_ttl", "write it like '10 minutes'"),
    "read_text": ({**GOOD, "read": "new"}, FLAT, "read", "write read='full'"),
    "read_name": ({**GOOD, "read": {"column": "lsn", "lokback": 1}}, FLAT, "lokback", "'lookback'"),
    "read_lookback": (
        {**GOOD, "read": {"column": "lsn", "lookback": "1 fortnight"}},
        FLAT,
        "read.lookback",
        "is not a duration",
    ),
    "after_absent": ({**BOTH, "after": "aft"}, IMAGES, "after", "write 'after' instead of"),
    "after_flat": ({**BOTH, "after": "ts"}, IMAGES, "after", "an image is a struct"),
    "after_missing": ({**GOOD, "before": "before"}, IMAGES, "after", "row is the after image"),
    "before_missing": (
        {**GOOD, "after": "after", "op_mapping": {"d": "DELETE"}, "consume_full_deletes": True},
        IMAGES,
        "before",
        "full row is the before image",
    ),
    "passthrough_absent": ({**BOTH, "passthrough": "tz"}, IMAGES, "passthrough", "'tz' is not in"),
    "passthrough_payload": (
        {**BOTH, "passthrough": "name"},
        IMAGES.replace("2 as ts", "2 as name"),
        "passthrough",
        "also a field of the images",
    ),
    "generated_name": (GOOD, f"select *, 1 as _batch_id from ({FLAT})", "input", "is generated"),
    "no_payload": (
        {**GOOD, "sequence_by": "_lsn"},
        "select 'c' as op, 1 as _lsn",
        "input",
        "no column besides",
    ),
    "partition_absent": ({**GOOD, "partition_by": "day"}, FLAT, "partition_by", "'day' is not in"),
    "both_layouts": (
        {**GOOD, "partition_by": "id", "liquid_clustered_by": "id"},
        FLAT,
        "liquid_clustered_by",
        "not both",
    ),
    "buckets": ({**GOOD, "clustered_by": "id", "buckets": 4}, FLAT, "buckets", "no buckets"),
}


@pytest.fixture(scope="module")
def outcome(new_project):
    """One dbt run of all wrong models, and what it left in the schema."""
    files = {}
    for name, (config, query, _, _) in CASES.items():
        text = json.dumps({"materialized": "from_changelog", **config})
        text = text.replace("true", "True")
        files[f"models/{name}.sql"] = f"{{{{ config(**{text}) }}}}\n{query}\n"
    project = new_project(files, name="wrong_config")
    result = project.run("run", expect_failure=True)
    return result, project.tables()


@pytest.mark.parametrize("name", CASES)
def test_message_names_the_argument_and_the_way_out(outcome, name):
    _, _, argument, words = CASES[name]
    message = outcome[0].nodes[name].message
    assert f"Invalid '{argument}' in from_changelog model '{name}'" in message
    assert words in message
    assert "To fix: " in message


def test_nothing_is_written(outcome):
    assert outcome[1] == ["dbt_changelog_batches"]


OF_ALL_MODELS = """
  +incremental_strategy: merge
  +lookback: 3
  +sql_header: "-- of all models"
  +of_another_package: {a: 1}
  +on_schema_change: append_new_columns
  +buckets: 4
  +location_root: PLACE
"""
KEYED = "{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn') }}\n"


def test_only_what_a_model_says_itself_can_be_a_typing_error(new_project, tmp_path):
    """dbt_project.yml speaks to all models of a project, those of other materializations too."""
    query = "select 'INSERT' as op, 1 as id, 1 as lsn"
    files = {
        "dbt_project.yml": DBT_PROJECT.format(schema="x", home="delta").replace(
            "models:\n", f"models:{OF_ALL_MODELS.replace('PLACE', str(tmp_path))}", 1
        ),
        "models/silent.sql": KEYED + query,
        "models/unset.sql": KEYED.replace(") }}", ", incremental_strategy=none, typo=none) }}")
        + query,
        "models/parquet/whole.sql": KEYED + query + "{{ ', 2 as more' if var('more', false) }}",
        "models/parquet/own.sql": KEYED.replace(") }}", ", location_root='/x') }}") + query,
        "models/parquet/new_columns.sql": KEYED.replace(
            ") }}", ", on_schema_change='append_new_columns') }}"
        )
        + query,
        "models/log.sql": "{{ config(materialized='to_changelog') }} select 1 as id",
        "models/says.sql": KEYED.replace(") }}", ", incremental_strategy='append') }}") + query,
        "models/in_yml.sql": KEYED + query,
        "models/idle_in_yml.sql": "{{ config(materialized='to_changelog') }} select 1 as id",
        "models/models.yml": """
            models:
              - {name: in_yml, config: {op_maping: {c: INSERT}}}
              - {name: idle_in_yml, config: {state_ttl: 1 hour}}
            """,
    }
    project = new_project(files, name="shared_config")
    nodes = project.run("run", expect_failure=True).nodes
    good = {name: nodes[name].message for name in ("silent", "unset", "log", "whole")}
    assert [nodes[name].status for name in good] == ["success"] * 4, good
    assert "Invalid 'location_root' in from_changelog model 'own'" in nodes["own"].message
    assert "Invalid 'on_schema_change' in" in nodes["new_columns"].message
    # where a table can't be changed, what all models are told to do with columns is not done
    project.run("run", "--select", "whole", vars={"more": True})
    assert len(project.sql("select * from whole")[0]) == 2
    assert "Invalid 'incremental_strategy'" in nodes["says"].message
    assert "Invalid 'op_maping' in from_changelog model 'in_yml'" in nodes["in_yml"].message
    assert "Invalid 'state_ttl'" in nodes["idle_in_yml"].message
