import pytest

from ..plans import batch
from ..render import CompilerError
from .log import CHANGED, IDLE, MODEL, macros_with_log


def commit(batch_, counters, log_batch=None):
    macros = macros_with_log(log_batch)
    plan = MODEL.plan()
    before = len(macros.warehouse.statements)
    done = macros.commit_batch(plan, batch_, counters)
    new = macros.warehouse.statements[before:]
    return done, [sql for sql in new if not sql.startswith(("show", "describe", "refresh"))]


def test_commit():
    last = {"id": 1, "position": {}}
    done, statements = commit(batch(), CHANGED, {**batch(), **last})
    assert done is True
    assert [sql.split(" (")[0] for sql in statements] == [
        "alter table analytics.customers__state set tblproperties"
    ]


@pytest.mark.parametrize(
    ("changes", "counters", "committed"),
    [
        ({"creates": True}, {}, True),
        ({"creates": True, "empty": True}, {}, False),
        ({"empty": True}, {}, False),
        ({"position": {}}, IDLE, False),
    ],
)
def test_nothing_to_commit(changes, counters, committed):
    assert commit(batch(**changes), counters) == (committed, [])


@pytest.mark.parametrize(
    ("changes", "counters"), [({}, IDLE), ({"position": {}}, CHANGED), ({"position": {}}, {})]
)
def test_a_new_position_or_row_is_a_batch(changes, counters):
    done, statements = commit(batch(**changes), counters, batch(id=1, position={}))
    assert done is True and len(statements) == 1


@pytest.mark.parametrize("found", [batch(id=2), None])
def test_another_run_was_faster(found):
    with pytest.raises(CompilerError, match="Another run of .* To fix: run the model again|\n"):
        commit(batch(), CHANGED, found)
