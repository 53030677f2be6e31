import pytest

from ..plans import CASES, Model, batch, macros_of
from ..render import table
from .log import MODEL

FULL = Model({"counters": "full"}, MODEL.columns)


def counted(model, **changes):
    macros = macros_of(model)
    names = ["new_changes", "duplicates", "late", "ties"]
    macros.warehouse.answer("as late,", lambda: table([("9", "2", "1", "0")], names))
    return macros.count_changes(model.plan(), batch(**changes))


@pytest.mark.parametrize("model", [FULL, CASES["changelog"]])
def test_late_and_repeated_events(model):
    assert counted(model) == {"events_duplicate": 2, "events_late": 1}


@pytest.mark.parametrize("changes", [{"empty": True}, {"creates": True}])
def test_nothing_is_late_without_a_state(changes):
    assert counted(FULL, **changes) == {}


def test_a_pass_is_not_made_unasked():
    assert counted(MODEL) == {}
