from ..render import Macros, Warehouse, table

# what Spark says of a query, and then of what is nested in it, level by level
BEGIN = ("_dbtc_parts", "void")
LEVELS = [
    [
        ("id", "decimal(10,2)"),
        ("odd", "struct<a b:int,in:struct<x:y:smallint>>"),
        ("items", "array<struct<1x:char(3)>>"),
        ("pairs", "map<string,struct<x,y:int>>"),
        ("long", "struct<f0:int,... 25 more fields>"),
        ("span", "struct<a:interval day to second>"),
    ],
    [
        *[BEGIN, ("a b", "int"), ("in", "struct<x:y:smallint>")],
        *[BEGIN, ("item", "struct<1x:char(3)>")],
        *[BEGIN, ("key", "string"), ("value", "struct<x,y:int>")],
        *[BEGIN, ("f0", "int"), ("f`1", "int")],
        *[BEGIN, ("a", "interval day to second")],
    ],
    [
        *[BEGIN, ("x:y", "smallint")],
        *[BEGIN, ("1x", "char(3)")],
        *[BEGIN, ("x,y", "int")],
    ],
]
WHOLE = {
    "id": "decimal(10,2)",
    "odd": "struct<`a b`:int,in:struct<`x:y`:smallint>>",
    "items": "array<struct<`1x`:char(3)>>",
    "pairs": "map<string,struct<`x,y`:int>>",
    "long": "struct<f0:int,`f``1`:int>",
    "span": "struct<a:interval day to second>",
}


def test_types_are_made_of_what_is_inside():
    """What Spark says of a nested type it may not read again: it cuts it, and quotes no name."""
    answers = iter(LEVELS)
    macros = Macros(run_query=lambda sql: table(next(answers), ["col_name", "data_type"]))
    columns = macros.describe_columns("q")
    assert {column["name"]: column["type"] for column in columns} == WHOLE
    assert next(answers, None) is None


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
