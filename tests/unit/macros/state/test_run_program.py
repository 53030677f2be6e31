import pytest

from ..plans import CASES, Model, batch
from ..render import CompilerError, table
from .log import MODEL, macros_with_log

COUNTS = ["num_affected_rows", "num_updated_rows", "num_deleted_rows", "num_inserted_rows"]


def run(model, running, log_batch=None):
    macros, plan = macros_with_log(log_batch), model.plan()
    answer = macros.warehouse.answer
    answer("^merge into", lambda: table([("5", "3", "0", "2")], COUNTS))
    answer(r"^select count\(\*\)", lambda: table([("7",)], ["count"]))
    answer("as op_code, count", lambda: table([("x", "4")], ["op_code", "events"]))
    counters = macros.run_program(plan, running, macros.from_changelog_program(plan, running))
    return counters, [statement["name"] for statement in running["statements"]]


def test_merge():
    counters, names = run(MODEL, batch())
    assert counters == {"rows_inserted": 2, "rows_updated": 3}
    assert names == ["write state"]


def test_first_run():
    first = batch(id=1, last={"id": 0, "position": {}}, creates=True, replaces=False)
    assert run(MODEL, first) == ({"rows_inserted": 7, "rows_updated": 0}, ["write state"])


def test_first_run_beside_another():
    first = batch(id=1, last={"id": 0, "position": {}}, creates=True, replaces=False)
    with pytest.raises(CompilerError, match="Another run of .* committed batch 2"):
        run(MODEL, first, batch())
    assert first["statements"] == []


def test_empty():
    assert run(MODEL, batch(empty=True)) == ({}, [])


def test_log():
    model = Model({**CASES["invalid_op_skip"].config, "invalid_op_handling": "LOG"}, MODEL.columns)
    counters, _ = run(model, batch())
    assert counters == {"rows_inserted": 2, "rows_updated": 3, "events_invalid": 4}
