"""The watermark of a batch, and the tables beside it."""

from dataclasses import replace

import pytest

from ..lake import Table
from ..plans import CASES
from ..runs import REFRESH, Runs

MODEL = CASES["watermark"]
LATE = "analytics.customers__late"


def two_batches():
    runs = Runs(MODEL)
    runs.run()
    runs.run()
    return runs


def buffers(runs):
    return [name for name in runs.lake.tables if "__buffer_" in name]


def test_each_batch_is_judged_by_the_watermark_of_the_one_before():
    runs = Runs(MODEL)
    first, second = runs.run(), runs.run()
    assert first.batch["arrivals"]["mark"] is None
    assert second.batch["arrivals"]["mark"] == first.batch["watermark"]["mark"]
    assert second.batch["watermark"]["mark"]["value"] == "2024-01-01 00:02:00.000000Z"


def test_the_buffer_that_the_batch_log_names_is_the_only_one():
    runs = two_batches()
    assert buffers(runs) == [f"analytics.{runs.plan().batch['last']['watermark']['buffer']}"]


@pytest.mark.parametrize("step", ["buffer events", "count waiting events", "stage changes"])
@pytest.mark.parametrize("context", [{}, REFRESH])
def test_a_run_that_fails_leaves_what_waits(step, context):
    runs = two_batches()
    kept = buffers(runs)
    runs.crash(step, **context)
    assert set(kept) < set(buffers(runs))
    assert str(runs.plan().batch["arrivals"]["waiting"]["table"]) in kept
    # a buffer of this batch may be that of another run at this time
    runs.run()
    assert len(buffers(runs)) == 2
    runs.run()
    assert len(buffers(runs)) == 1


def test_what_waits_must_be_there():
    runs = two_batches()
    for name in buffers(runs):
        del runs.lake.tables[name]
    with pytest.raises(Exception, match="in which events wait that were not applied yet, is gone"):
        runs.plan()
    assert runs.plan(**REFRESH).batch["arrivals"]["waiting"] is None


def test_what_waits_must_fit_the_query():
    runs = two_batches()
    runs.lake.tables[buffers(runs)[0]].columns["name"] = "array<string>"
    with pytest.raises(Exception, match="column 'name' is string in the query and array<string>"):
        runs.plan()


def test_a_flush_leaves_no_buffer():
    runs = two_batches()
    runs.run(var=lambda name, default=None: name == "dbt_changelog_flush" or default)
    assert buffers(runs) == []
    assert runs.plan().batch["arrivals"]["waiting"] is None


def test_late_events_go_into_no_other_table():
    runs = Runs(MODEL)
    runs.run()
    runs.lake.tables[LATE] = Table({"id": "int"})
    with pytest.raises(Exception, match="exists and was not made by this model"):
        runs.plan()


def test_no_time_may_be_ahead_of_the_clock():
    runs = Runs(replace(MODEL, config={**MODEL.config, "max_future": 0}))
    plan = runs.plan()
    assert plan.macros.latest_time_sql(plan.plan) == "current_timestamp()"
