from ..render import Macros, Warehouse, table


def described(*columns):
    warehouse = Warehouse()
    warehouse.answer("^describe query q$", lambda: table(columns, ["col_name", "data_type"]))
    macros = Macros(warehouse)
    return macros.describe_columns("q"), warehouse.statements


def test_plain_columns_take_one_statement():
    found, statements = described(("id", "int"), ("name", "string"))
    assert found == [
        {"name": "id", "type": "int", "parts": None},
        {"name": "name", "type": "string", "parts": None},
    ]
    assert len(statements) == 1


def test_a_level_of_nesting_takes_one_statement_for_all_columns():
    found, statements = described(
        ("tags", "map<string,int>"), ("spot", "struct<x:int,y:array<int>>"), ("v", "variant")
    )
    tags, spot, v = found
    assert [part["name"] for part in tags["parts"]] == ["key", "value"]
    assert [part["type"] for part in spot["parts"]] == ["int", "array<int>"]
    assert [part["type"] for part in spot["parts"][1]["parts"]] == ["int"]
    assert v["parts"] is None
    assert len(statements) == 3
    assert "map_keys(_1)[0] as key, map_values(_1)[0] as value" in statements[1]
    assert "select `spot`.`y` as _1 from" in statements[2]


def test_types_are_whole_and_their_names_are_quoted():
    (column,), _ = described(("c", "struct<odd name:array<struct<a.b:int>>,id:int>"))
    assert column["type"] == "struct<`odd name`:array<struct<`a.b`:int>>,id:int>"
