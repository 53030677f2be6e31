import pytest

from ..render import CompilerError, Macros, Warehouse, table

COLUMNS = [("id", "int"), ("tags", "map<string,string>")]


def equals_seed(seed_columns=COLUMNS, **arguments):
    warehouse = Warehouse()
    for name, columns in (("m", COLUMNS), ("s", seed_columns)):
        warehouse.answer(
            rf"^describe query select \* from {name}$",
            lambda columns=columns: table(columns, ["col_name", "data_type"]),
        )
    return Macros(warehouse).test_equals_seed("m", "s", **arguments)


def test_compares_all_columns():
    sql = equals_seed()
    assert "group by `id`, `tags`" in sql
    assert "array_sort(map_entries(`tags`))" in sql


def test_compares_named_columns():
    assert "tags" not in equals_seed(columns=["ID"])


def test_one_name_is_one_column():
    assert "tags" not in equals_seed(columns="id")


@pytest.mark.parametrize(
    ("seed", "arguments"),
    [
        (COLUMNS[:1], {}),
        ([*COLUMNS, ("more", "int")], {}),
        (COLUMNS, {"columns": ["more"]}),
        (COLUMNS, {"columns": []}),
    ],
)
def test_column_that_is_missing_on_one_side(seed, arguments):
    with pytest.raises(CompilerError, match="Invalid 'columns' in data test equals_seed of m: "):
        equals_seed(seed, **arguments)
