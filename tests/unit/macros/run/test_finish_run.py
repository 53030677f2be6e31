"""What dbt is told of a run."""

import pytest

from ..logs import LOGS
from ..plans import BATCHES, CASES
from ..runs import Runs

CHANGED = {"rows_inserted": 1, "rows_updated": 0, "rows_deleted": 0}
IDLE = {"rows_inserted": 0, "rows_updated": 0, "rows_deleted": 0}


def finished(model, counters=None, ended=False, without_batches=False, **given):
    """The result of a second run, what it says, and its warnings."""
    runs, said = Runs((CASES | LOGS)[model]), []
    runs.run(10)
    if without_batches:
        del runs.lake.tables[BATCHES]
    run = runs.plan(
        given.pop("end", 20),
        **{"pre_hooks": [], "post_hooks": [], "run_hooks": lambda hooks: ""},
        should_revoke=lambda found, refresh: False,
        apply_grants=lambda relation, grants, revoke: "",
        persist_docs=lambda relation, node, for_columns: "",
        store_raw_result=lambda name, **result: said.append((name, result)),
        **given,
    )
    outcome = {"counters": counters or {}, "ended": ended}
    result = run.macros.finish_run(run.plan, run.batch, outcome)
    return [str(relation) for relation in result["relations"]], said, run.macros.warnings


@pytest.mark.parametrize(
    ("counters", "ended", "message", "rows"),
    [
        ({"rows_inserted": 2, "rows_updated": 3}, False,
         "batch 2, 2 rows inserted, 3 rows updated", 5),
        ({}, False, "batch 2", 0),
        (IDLE, True, "nothing new, 0 rows inserted, 0 rows updated, 0 rows deleted", 0),
        ({**CHANGED, "events_invalid": 4, "rows_deleted": 2}, False,
         "batch 2, 1 rows inserted, 0 rows updated, 2 rows deleted, 4 events invalid", 3),
    ],
)  # fmt: skip
def test_what_dbt_prints(counters, ended, message, rows):
    _, said, _ = finished("default_op_mapping", counters, ended)
    assert said == [("main", {"message": message, "code": "OK", "rows_affected": rows})]


def test_a_run_with_nothing_new_says_so():
    _, said, warnings = finished("keyless", end=10, without_batches=True)
    assert (said[0][1]["message"], warnings) == ("nothing new", [])


@pytest.mark.parametrize(
    ("model", "relations"),
    [
        ("default_op_mapping", ["customers", "customers__state"]),
        ("changelog", ["customers", "customers__state", "customers__changes",
                       "customers__changelog"]),
        ("keyless", ["customers", "customers__state", "customers__changes"]),
        ("table_input", ["customers_log", "customers_log__state", "customers_log__changes"]),
        ("changes_input", ["customers_log"]),
    ],
)  # fmt: skip
def test_the_relations_that_dbt_knows_of(model, relations):
    found, _, _ = finished(model)
    assert found == [f"analytics.{name}" for name in relations]


def test_a_missing_table_of_batches_warns():
    _, _, (warning,) = finished("default_op_mapping", without_batches=True)
    assert warning.startswith("The table analytics.dbt_changelog_batches is missing, so batch 2 of")
