from ..plans import CASES, WHERE, Model, batch, macros_of
from ..render import table
from .log import MODEL


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
