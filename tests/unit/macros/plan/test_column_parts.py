import pytest

from ..render import Macros, Warehouse, table

INT = ("id", "int")


def described(answers):
    """Macros whose Spark describes queries that begin with a text."""
    warehouse = Warehouse()
    for start, columns in answers.items():
        warehouse.answer(
            f"^describe query select {start} from",
            lambda columns=columns: table(columns, ["col_name", "data_type"]),
        )
    return Macros(warehouse)


def column(type_, name="c"):
    return {"name": name, "type": type_}


@pytest.mark.parametrize(
    "type_", ["int", "map<string,int>", "variant", "struct<a:int>", "array<array<int>>"]
)
def test_none_where_no_map_or_variant_is_inside(type_):
    assert described({}).column_parts("select 1", column(type_)) is None


def test_a_struct():
    macros = described({r"`c`\.\*": [INT, ("tags", "map<int,int>")]})
    assert macros.column_parts("t", column("struct<id:int,tags:map<int,int>>")) == [
        {"name": "id", "type": "int", "parts": None},
        {"name": "tags", "type": "map<int,int>", "parts": None},
    ]


def test_an_array_of_structs():
    macros = described(
        {
            r"explode\(`c`\) as item": [("item", "struct<v:variant>")],
            r"`item`\.\*": [("v", "variant")],
        }
    )
    (item,) = macros.column_parts("t", column("array<struct<v:variant>>"))
    assert item["parts"] == [{"name": "v", "type": "variant", "parts": None}]


def test_a_map_of_maps():
    macros = described(
        {r"explode\(`c`\) as \(key, value\)": [("key", "int"), ("value", "map<int,int>")]}
    )
    parts = macros.column_parts("t", column("map<int,map<int,int>>"))
    assert [part["type"] for part in parts] == ["int", "map<int,int>"]


def test_a_struct_that_is_cut_short():
    """Spark shows 25 fields of a struct: a map may be among the others."""
    macros = described({r"`c`\.\*": [INT]})
    assert macros.column_parts("t", column("struct<id:int,... 30 more fields>")) is not None
