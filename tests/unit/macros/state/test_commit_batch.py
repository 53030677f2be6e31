import pytest

from ..plans import batch
from ..render import CompilerError
from .log import MODEL, macros_with_log


def commit(batch_, log_batch=None):
    macros = macros_with_log(log_batch)
    plan = MODEL.plan()
    before = len(macros.warehouse.statements)
    done = macros.commit_batch(plan, batch_)
    new = macros.warehouse.statements[before:]
    return done, [sql for sql in new if not sql.startswith(("show", "describe", "refresh"))]


def test_commit():
    last = {"id": 1, "position": {}}
    done, statements = commit(batch(), {**batch(), **last})
    assert done is True
    assert [sql.split(" (")[0] for sql in statements] == [
        "alter table analytics.customers__state set tblproperties"
    ]


@pytest.mark.parametrize(
    ("changes", "committed"),
    [
        ({"creates": True}, True),
        ({"creates": True, "empty": True}, False),
        ({"empty": True}, False),
        ({"position": {}, "wrote": False}, False),
    ],
)
def test_nothing_to_commit(changes, committed):
    assert commit(batch(**changes)) == (committed, [])


@pytest.mark.parametrize("changes", [{"wrote": False}, {"position": {}}])
def test_a_new_position_or_row_is_a_batch(changes):
    done, statements = commit(batch(**changes), batch(id=1, position={}))
    assert done is True and len(statements) == 1


@pytest.mark.parametrize("found", [batch(id=2), None])
def test_another_run_was_faster(found):
    with pytest.raises(CompilerError, match="Another run of .* To fix: run the model again|\n"):
        commit(batch(), found)
