import pytest

from ..plans import CASES, FLAT, STRICT, Model, batch, macros_of
from ..render import table
from .log import MODEL

FULL = {"counters": "full"}
POSITION = {"column": "lsn", "type": "bigint", "value": "20"}
BY_LSN = Model({**FULL, "read": {"column": "LSN"}}, FLAT)


def counted(model, starts=(), late="1", **changes):
    """What is counted, and the query that counted it; `starts`: where the ranges of it begin."""
    macros = macros_of(model)
    for number, start in enumerate(starts):
        model = Model(model.config, model.columns, model.query + macros.range_sql(
            f"bronze.t{number}", "lsn", None, start, POSITION))  # fmt: skip
    names = ["events_late", "events_duplicate"]
    macros.warehouse.answer("as events_late,", lambda: table([(late, "2")], names))
    return macros.count_changes(model.plan(), batch(**changes)), macros.warehouse.statements


@pytest.mark.parametrize(
    ("model", "starts", "condition"),
    [
        (Model({**FULL, "read": STRICT}, FLAT), [None], "true"),
        (BY_LSN, [POSITION], "`lsn` > cast('20' as bigint)"),
        (BY_LSN, [POSITION, POSITION], "`lsn` > cast('20' as bigint)"),
    ],
)
def test_what_arrived_is_counted(model, starts, condition):
    found, (sql,) = counted(model, starts)
    assert found == {"events_late": 1, "events_duplicate": 2}
    assert f"{condition} as _arrived\n" in sql


@pytest.mark.parametrize("changes", [{"last": {"id": 0, "position": {}}}])
def test_of_the_first_batch_all_arrived(changes):
    _, (sql,) = counted(Model(FULL, FLAT), **changes)
    assert "true as _arrived\n" in sql


@pytest.mark.parametrize(
    ("model", "starts"),
    [
        # all is read each time; by another column before; of two sources; as another type
        (Model(FULL, FLAT), []),
        (BY_LSN, [None]),
        (BY_LSN, [POSITION, {**POSITION, "value": "7"}]),
        (Model(BY_LSN.config, {**FLAT, "lsn": "int"}), [POSITION]),
        # the column is not in the query
        (Model({**FULL, "read": {"column": "at"}}, FLAT), [{**POSITION, "column": "at"}]),
    ],
)
def test_where_nothing_tells_what_arrived_nothing_is_asked(model, starts):
    assert counted(model, starts) == ({}, [])


def test_what_is_staged_knows_itself():
    found, (sql,) = counted(CASES["changelog"], staged=True)
    assert found == {"events_late": 1, "events_duplicate": 2}
    assert "select * from analytics.customers__changes" in sql
    found, _ = counted(CASES["changelog"], staged=True, late=None)
    assert found == {"events_duplicate": 2}


@pytest.mark.parametrize("changes", [{"empty": True}, {"creates": True}])
def test_nothing_is_late_without_a_state(changes):
    assert counted(BY_LSN, [POSITION], **changes) == ({}, [])


def test_a_pass_is_not_made_unasked():
    assert counted(MODEL, [POSITION]) == ({}, [])


def test_invalid_codes_are_counted_under_log():
    model = Model({**CASES["invalid_op_skip"].config, "invalid_op_handling": "LOG"}, MODEL.columns)
    macros = macros_of(model)
    rows = [("x", 3), ("y", 1)]
    macros.warehouse.answer(
        "as op_code, count", lambda: table([(c, str(n)) for c, n in rows], ["op_code", "events"])
    )
    assert macros.count_invalid(model.plan(), batch()) == {"events_invalid": 4}
    (warning,) = macros.warnings
    assert f"of {WHERE} with unknown op codes in column op: 'x' (3 events), 'y' (1 ev" in warning
    assert macros.count_invalid(model.plan(), batch(empty=True)) == {}
    assert macros.count_invalid(CASES["invalid_op_skip"].plan(), batch()) == {}


def test_all_counters_need_no_warning():
    model = Model({**CASES["invalid_op_skip"].config, "counters": "full"}, MODEL.columns)
    macros = macros_of(model)
    macros.warehouse.answer("as op_code, count", lambda: table([("x", "3")], ["op_code", "events"]))
    assert macros.count_invalid(model.plan(), batch()) == {"events_invalid": 3}
    assert macros.warnings == []
