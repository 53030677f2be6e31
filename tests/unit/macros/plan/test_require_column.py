"""A column that is not there: the advice fits whatever the argument looks like."""

import pytest

from ..plans import WHERE
from ..render import CompilerError


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        (
            "ingested",
            "write 'ingested_at' instead of 'ingested', or select 'ingested' in the query",
        ),
        ("xyz", "name one of them, or select 'xyz' in the query"),
    ],
)
def test_the_way_out(macros, name, fix):
    with pytest.raises(CompilerError) as caught:
        macros.require_column(WHERE, "read", name, ["id", "ingested_at"])
    problem, _, found = str(caught.value).partition("\nTo fix: ")
    assert problem.endswith(
        f"column '{name}' is not in the input. Its columns are: id, ingested_at."
    )
    assert found == f"{fix}."


def test_found_in_other_case(macros):
    assert macros.require_column(WHERE, "op", "OP", ["op"]) == "op"
