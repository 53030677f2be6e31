"""Late, repeated and unknown events of a batch: counted where it is cheap or asked for."""

import pytest

from ..plans import CASES, FLAT, STRICT, UPSERT, WHERE, Model
from ..runs import Runs

FULL = {"counters": "full"}
BY_LSN = {"read": {"column": "lsn"}}
LATE, CODES = "count late changes", "count unknown codes"


def second(model):
    runs = Runs(model)
    runs.run(10)
    return runs.plan(20)


@pytest.mark.parametrize(
    ("config", "arrived"),
    [
        ({**FULL, **BY_LSN}, "`lsn` > cast('10' as bigint) as _dbtc_arrived"),
        ({**FULL, "read": STRICT}, "true as _dbtc_arrived"),
    ],
)
def test_what_arrived_is_counted(config, arrived):
    step = second(Model(config, FLAT)).step(LATE)
    assert f"{arrived}\n" in step["sql"] and step["counts"]
    assert "sum(if(_dbtc_arrived and place = 'late', 1, 0))" in step["sql"]


@pytest.mark.parametrize(
    "model",
    [
        # a pass is not made unasked; nothing tells what arrived; each event counts
        Model(BY_LSN, FLAT),
        Model(FULL, FLAT),
        CASES["keyless"],
        CASES["keyless_changelog"],
    ],
)
def test_where_nothing_is_asked(model):
    assert LATE not in second(model).steps


def test_nothing_is_late_without_a_state():
    assert LATE not in Runs(Model({**FULL, **BY_LSN}, FLAT)).plan(10).steps


def test_what_is_staged_knows_itself():
    model = Model({**CASES["changelog"].config, **BY_LSN}, CASES["changelog"].columns)
    run = second(model)
    assert "`lsn` > cast('10' as bigint) as _dbtc_arrived" in run.step("stage changes")["sql"]
    assert "select * from analytics.customers__changes" in run.step(LATE)["sql"]


def test_a_batch_that_the_state_has_is_not_counted_again():
    runs = Runs(CASES["changelog"])
    runs.run()
    runs.crash("write state")
    text = runs.plan().macros.written[-1]
    assert "coalesce(max(_batch_id) >= 2, false),\n    null," in text


@pytest.mark.parametrize(
    ("config", "counts", "warns"),
    [
        ({"invalid_op_handling": "LOG"}, True, True),
        ({"invalid_op_handling": "SKIP", **FULL, **BY_LSN}, True, False),
        # nothing tells which of them arrived
        ({"invalid_op_handling": "SKIP", **FULL}, False, False),
        ({"invalid_op_handling": "SKIP"}, False, False),
        (FULL, False, False),
    ],
)
def test_unknown_codes(config, counts, warns):
    run = second(Model({"op_mapping": UPSERT, **config}, FLAT))
    assert (CODES in run.steps) is counts
    assert not counts or bool(run.step(CODES)["warns"]) is warns


def test_unknown_codes_are_named_in_a_warning():
    runs = Runs(Model({"op_mapping": UPSERT, "invalid_op_handling": "LOG"}, FLAT))
    runs.lake.counts |= {"events_invalid": 4, "codes": "'x' (3 events), 'y' (1 events)"}
    run = runs.run()
    assert run.outcome["counters"]["events_invalid"] == 4
    (warning,) = run.macros.warnings
    assert f"of {WHERE} with unknown op codes in column op: 'x' (3 events), 'y' (1 ev" in warning


def test_a_number_of_unknown_codes_is_of_what_arrived_or_none():
    log = Model({"op_mapping": UPSERT, "invalid_op_handling": "LOG"}, FLAT)
    assert "cast(null as bigint) as events_invalid" in second(log).step(CODES)["sql"]
    assert "coalesce(sum(events), 0) as" in Runs(log).plan(10).step(CODES)["sql"]


def test_only_unknown_codes_that_arrived_are_counted():
    sql = second(CASES["counted"]).step(CODES)["sql"]
    assert "and coalesce(`lsn` > cast('10' as bigint), true)\n" in sql
