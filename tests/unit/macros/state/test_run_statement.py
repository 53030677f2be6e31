import pytest

from ..plans import batch, macros_of
from ..render import CompilerError
from .log import MODEL


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
