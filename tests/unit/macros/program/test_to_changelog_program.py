"""Which steps a program of an event table has, scenario by scenario."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from ..logs import LOGS, TABLE
from ..runs import REFRESH, Runs

EMPTY = {"flags": SimpleNamespace(WHICH="run", EMPTY=True)}
END = ["commit batch", "batches row"]
STAGE = ["stage changes", "look for changes", "append changelog", "count events"]

STEPS = {
    "table_input": {
        "first": ["stage changes", "append changelog", "count events", "write state", *END],
        "next": [*STAGE, "write state", *END],
        "refresh": [*STAGE, "write state", *END],
        "empty": ["create event table"],
    },
    "table_without_key": {"next": [*STAGE, "write state", *END]},
    # Iceberg
    "small_numbers": {"next": [*STAGE, "write state", "snapshot of batch", *END]},
    "changes_input": {
        "first": ["append changelog", "count events", *END],
        "next": ["plan batch", "append changelog", "count events", *END],
        "refresh": ["plan batch", "append changelog", "count events", *END],
        "empty": ["create event table"],
        "nothing_new": [],
    },
}


@pytest.mark.parametrize(
    ("model", "scenario"), [(model, scenario) for model in STEPS for scenario in STEPS[model]]
)
def test_steps(model, scenario):
    runs = Runs(LOGS[model])
    if scenario not in ("first", "empty"):
        runs.run(10)
    context = {"refresh": REFRESH, "empty": EMPTY}.get(scenario, {})
    run = runs.plan(10 if scenario == "nothing_new" else 20, **context)
    assert (run.batch["scenario"], run.steps) == (scenario, STEPS[model][scenario])


@pytest.mark.parametrize("written", [0, 1])
def test_a_table_that_is_as_it_was_is_no_batch(written):
    runs = Runs(LOGS["table_input"])
    runs.run()
    runs.lake.counts["written"] = written
    run = runs.run()
    assert run.outcome["ended"] is (written == 0)
    assert ("-- append changelog" in run.text) is (written == 1)
    assert runs.plan().batch["id"] == written + 2


def test_a_new_column_is_added_to_the_event_table_and_its_state():
    runs = Runs(LOGS["table_input"])
    runs.run()
    runs.model = replace(runs.model, columns={**TABLE, "city": "string"})
    run = runs.plan()
    added = [step["sql"] for step in run.program if step["name"] == "add columns"]
    assert added == [
        "alter table analytics.customers_log add columns (`city` string)",
        "alter table analytics.customers_log__state add columns (`city` string)",
    ]
    # of the rows before it is NULL, and the table of today has it already
    assert "cast(null as string) as `city`" in run.step("stage changes")["sql"]
    assert run.steps.index("stage changes") < run.steps.index("add columns")
