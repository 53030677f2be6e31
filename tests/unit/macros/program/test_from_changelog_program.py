"""Which steps a program has: scenario by scenario, kernel by kernel."""

from types import SimpleNamespace

import pytest

from ..logs import LOGS
from ..plans import CASES, Model
from ..runs import REFRESH, Runs

MODELS = CASES | LOGS
EMPTY = {"flags": SimpleNamespace(WHICH="run", EMPTY=True)}
# a view that is there as it should be stays
END = ["commit batch", "batches row"]
WRITE = ["write state", "count rows"]
# with a new position the count does not decide whether there is a batch
READ_ON = ["write state", "commit batch", "count rows"]
CHANGES = ["stage changes", "append changelog"]

STEPS = {
    "default_op_mapping": {
        "first": [*WRITE, "contents view", "batches row"],
        "next": [*WRITE, *END],
        "refresh": [*WRITE, "contents view", "batches row"],
        "empty": ["write state", "contents view"],
    },
    "parquet": {
        "first": [*WRITE, "contents view", "batches row"],
        "next": [*WRITE, "contents view", "batches row"],
        "refresh": [*WRITE, "contents view", "batches row"],
        "empty": ["write state", "contents view"],
    },
    "changelog": {
        "first": [*CHANGES, *WRITE, "contents view", "batches row"],
        "next": [*CHANGES, *WRITE, *END],
        "refresh": [*CHANGES, *WRITE, "contents view", "batches row"],
        "empty": ["write state", "create changelog", "contents view"],
    },
    "keyless": {
        "first": [*WRITE, "contents view", "batches row"],
        "next": ["stage changes", *READ_ON, "batches row"],
        "refresh": [*WRITE, "contents view", "batches row"],
        "empty": ["write state", "contents view"],
        "nothing_new": [],
    },
    "keyless_changelog": {
        "first": [*CHANGES, *WRITE, "contents view", "batches row"],
        "next": [*CHANGES, *READ_ON, "batches row"],
        "refresh": [*CHANGES, *WRITE, "contents view", "batches row"],
        "nothing_new": [],
    },
    "appended": {
        "first": [*WRITE, "contents view", "batches row"],
        "next": ["write state", *END],
        "refresh": [*WRITE, "contents view", "batches row"],
        "empty": ["write state", "contents view"],
    },
    "watermark": {
        "first": [
            *("buffer events", "count waiting events", *CHANGES),
            *(*WRITE, "contents view", "batches row"),
        ],
        "next": [
            *("buffer events", "keep late events", "count waiting events", *CHANGES),
            *("count late changes", *READ_ON, "drop old buffer", "batches row"),
        ],
        "refresh": [
            *("buffer events", "count waiting events", *CHANGES),
            *(*WRITE, "contents view", "drop old buffer", "batches row"),
        ],
        "nothing_new": [],
    },
    "counted": {
        "first": ["count unknown codes", *WRITE, "contents view", "batches row"],
        "next": ["count unknown codes", "count late changes", *READ_ON, "batches row"],
    },
}


def program(model, scenario):
    runs = Runs(model)
    if scenario not in ("first", "empty"):
        runs.run(10)
    end = 10 if scenario == "nothing_new" else 20
    context = {"refresh": REFRESH, "empty": EMPTY}.get(scenario, {})
    run = runs.plan(end, **context)
    assert run.batch["scenario"] == scenario
    return run


@pytest.mark.parametrize(
    ("model", "scenario"), [(model, scenario) for model in STEPS for scenario in STEPS[model]]
)
def test_steps(model, scenario):
    assert program(CASES[model], scenario).steps == STEPS[model][scenario]


def test_an_empty_run_beside_tables_leaves_them_alone():
    runs = Runs(CASES["changelog"])
    runs.run()
    assert runs.plan(**EMPTY).steps == []


def test_each_name_of_a_step_is_its_own():
    for model, scenarios in STEPS.items():
        for scenario in scenarios:
            steps = program(CASES[model], scenario).steps
            assert len(steps) == len(set(steps))


def test_weights_of_zero_are_purged_now_and_then():
    runs = Runs(CASES["keyless"])
    purged = [
        run.batch["id"] for run in (runs.run() for _ in range(33)) if "purge state" in run.steps
    ]
    assert purged == [16, 32]


def test_tombstones_are_purged_now_and_then_and_counted():
    case = CASES["default_op_mapping"]
    runs = Runs(Model({**case.config, "tombstone_retention": "7 days"}, case.columns))
    found = [runs.run() for _ in range(17)]
    steps = ["write state", "count rows", "count forgotten", "purge state", *END]
    assert [run.batch["id"] for run in found if run.steps == steps] == [16]
    assert "purge state" not in found[14].steps + found[16].steps


@pytest.mark.parametrize("end", [10, 20])
def test_a_batch_without_a_new_position_that_wrote_nothing_ends(end):
    """Nothing is committed, and what was staged is no batch."""
    runs = Runs(Model({**CASES["changelog"].config, "read": {"column": "lsn"}},
                      CASES["changelog"].columns))  # fmt: skip
    runs.run(10)
    runs.lake.counts["newer_rows"], runs.lake.counts["written"] = 1, 0
    run = runs.run(end)
    assert run.outcome["ended"] is (end == 10)
    assert ("-- commit batch" in run.text) is (end == 20)
    log = run.macros.read_batch_log(run.plan["relations"]["staged"])
    assert log["batch"]["id"] == (1 if end == 10 else 2)


def test_a_batch_that_is_written_is_written_to_the_end():
    run = Runs(CASES["default_op_mapping"]).run()
    assert run.outcome == {
        "counters": {"rows_inserted": 0, "rows_updated": 0, "rows_deleted": 0},
        "ended": False,
    }


def test_what_is_altered_is_altered_after_the_changes_are_staged():
    runs = Runs(CASES["changelog"])
    runs.run()
    row = {**CASES["images"].columns["after"], "city": "string"}
    config = {**CASES["changelog"].config, "on_schema_change": "append_new_columns"}
    runs.model = Model(config, {**CASES["images"].columns, "before": row, "after": row})
    steps = runs.plan().steps
    assert steps[:4] == ["stage changes", "note columns", "add columns", "add columns"]
    assert steps[4:6] == ["append changelog", "write state"]


@pytest.mark.parametrize("key", ["int", "string"])
def test_a_merge_has_the_last_truncate_that_it_asks_for(key):
    """Also where its columns are listed, since a text may be a char(n)."""
    codes = {"c": "UPDATE_AFTER", "t": "TRUNCATE"}
    columns = {"op": "string", "id": key, "name": "string", "lsn": "bigint"}
    runs = Runs(Model({"op_mapping": codes}, columns))
    runs.run()
    source = runs.run().step("write state")["sql"].split(") as change\n")[0]
    selected = source.rsplit("select", 1)[1]
    assert "_dbtc_truncated" in selected or selected.split() == ["*", "from", "state_rows"]


def test_files_are_compacted_every_so_many_batches():
    case = CASES["changelog"]
    runs = Runs(Model({**case.config, "compact_every": 2}, case.columns))
    upkeep = ["keep up state", "keep up state 2", "keep up changelog", "keep up changelog 2"]
    steps = [runs.run().steps for _ in range(4)]
    assert [upkeep == found[-4:] for found in steps] == [False, True, False, True]


@pytest.mark.parametrize(("appended", "compacts"), [(20, False), (21, True)])
def test_a_state_is_compacted_above_a_share_of_its_keys(appended, compacts):
    runs = Runs(MODELS["appended"])
    runs.run()
    runs.lake.counts |= {"appended": appended, "state_rows": 100 + appended}
    steps = ["write state", "commit batch"]
    assert runs.plan().steps[:3] == (["compact state", *steps] if compacts else [*steps, END[-1]])


def test_a_refresh_with_a_changelog_compacts_what_it_is_compared_with():
    runs = Runs(MODELS["appended_ties"])
    runs.run()
    assert runs.plan(**REFRESH).steps[0] == "compact state"
    assert "raise_error" not in runs.plan(**REFRESH).step("compact state")["sql"]
