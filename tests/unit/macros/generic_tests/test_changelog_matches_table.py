import pytest

from ..render import CompilerError, Macros, Warehouse, table

ROWS = [("id", "int"), ("name", "string")]
CHANGES = [("_row_kind", "string"), ("_sequence", "int"), ("_ordinal", "int"), *ROWS]


def test_a_column_to_exclude_must_be_there():
    warehouse = Warehouse()
    for name, columns in (("m", CHANGES), ("t", ROWS)):
        warehouse.answer(
            rf"^describe query select \* from {name}$",
            lambda columns=columns: table(columns, ["col_name", "data_type"]),
        )
    check = Macros(warehouse).test_changelog_matches_table
    assert "`name`" not in check("m", "t", unique_key="id", exclude="NAME")
    with pytest.raises(CompilerError, match="'exclude' .* column 'nmae' is on neither side"):
        check("m", "t", unique_key="id", exclude=["nmae"])
