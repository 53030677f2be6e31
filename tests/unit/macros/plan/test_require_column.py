"""A column that is not there: the advice fits whatever the argument looks like."""

import pytest

from ..logs import Log
from ..plans import FLAT, ROW, WHERE, Model
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


@pytest.mark.parametrize(
    ("name", "fix"),
    [
        ("ingested", "write 'ingested_at' instead of 'ingested'"),
        ("xyz", "name a column of bronze.events"),
    ],
)
def test_the_way_out_for_a_column_of_a_relation(macros, name, fix):
    with pytest.raises(CompilerError) as caught:
        macros.require_column(WHERE, "read", name, ["id", "ingested_at"], "bronze.events")
    problem, _, found = str(caught.value).partition("\nTo fix: ")
    assert problem.endswith(
        f"column '{name}' is not in bronze.events. Its columns are: id, ingested_at."
    )
    assert found == f"{fix}."


def test_found_in_other_case(macros):
    assert macros.require_column(WHERE, "op", "OP", ["op"]) == "op"


@pytest.mark.parametrize(
    "type_", ["interval day", "interval", "array<interval year to month>", "map<int,interval>"]
)
def test_intervals_are_refused_where_no_table_holds_them(invalid, type_):
    words = f"column 'd' is {type_}, which a table of"
    with invalid("input", f"{words} Delta does not hold"):
        Model({}, {**FLAT, "d": type_}).plan()
    with invalid("input", f"{words} Iceberg does not hold"):
        Model({"file_format": "iceberg"}, {**FLAT, "d": type_}).plan()
    with pytest.raises(CompilerError, match="Delta does not hold"):
        Log({}, {**ROW, "d": type_}).plan()


def test_a_field_may_be_called_interval():
    Model({}, {**FLAT, "d": {"interval": "int"}}).plan()
