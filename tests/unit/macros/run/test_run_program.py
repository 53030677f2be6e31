import pytest

from ..plans import CASES, Model, batch
from ..render import CompilerError, table
from .log import MODEL, macros_with_log

COUNTS = ["rows_inserted", "rows_updated", "rows_deleted", "written"]
FOUND = {"rows_inserted": 2, "rows_updated": 3, "rows_deleted": 1}


def run(model, running, log_batch=None, written="7"):
    macros, plan = macros_with_log(log_batch), model.plan()
    answer = macros.warehouse.answer
    answer("where _batch_id = ", lambda: table([("2", "3", "1", written)], COUNTS))
    answer("as op_code, count", lambda: table([("x", "4")], ["op_code", "events"]))
    counters = macros.run_program(plan, running, macros.from_changelog_program(plan, running))
    return counters, [statement["name"] for statement in running["statements"]]


def test_merge():
    counters, names = run(MODEL, batch())
    assert counters == FOUND
    assert names == ["write state"]


@pytest.mark.parametrize(("written", "wrote"), [("0", False), ("7", True)])
def test_a_batch_without_a_row_wrote_nothing(written, wrote):
    running = batch()
    run(MODEL, running, written=written)
    assert running["wrote"] is wrote


def test_a_batch_that_another_run_has_merged_is_counted():
    counters, names = run(CASES["keyless"], batch(staged=True, merged=True))
    assert (counters, names) == (FOUND, [])


def test_first_run():
    first = batch(id=1, last={"id": 0, "position": {}}, creates=True, replaces=False)
    assert run(MODEL, first) == (FOUND, ["write state"])


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
    assert counters == {**FOUND, "events_invalid": 4}


def test_what_ran_so_far_is_in_target_run():
    macros, running = macros_of(MODEL), batch()
    macros.run_statement(running, "write state", "one")
    macros.run_statement(running, "commit batch", "two")
    assert macros.warehouse.statements == ["one", "two"]
    assert macros.written == [
        "-- write state\none;\n",
        "-- write state\none;\n\n-- commit batch\ntwo;\n",
    ]


def test_a_statement_can_fail_on_purpose():
    macros = macros_of(MODEL, var=lambda name, default=None: "write state")
    macros.run_statement(batch(), "commit batch", "one")
    with pytest.raises(CompilerError, match="Failed on purpose after 'write state'"):
        macros.run_statement(batch(), "write state", "two")
    assert macros.warehouse.statements == ["one", "two"]
