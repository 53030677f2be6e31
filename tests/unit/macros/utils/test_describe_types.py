import pytest

from ..render import Macros, Warehouse, table

NESTED = {
    "select * from t": {
        "id": "decimal(10,2)",
        "plain": "struct<a:int,_b:array<map<string,struct<C1:timestamp_ntz>>>>",
        "odd": "struct<a b:int,in:struct<x:y:smallint>>",
        "items": "array<struct<1x:char(3)>>",
        "pairs": "map<string,struct<x,y:int>>",
        "long": "struct<f0:int,... 25 more fields>",
        "span": "struct<a:interval day to second>",
    },
    "`odd`.*": {"a b": "int", "in": "struct<x:y:smallint>"},
    "`in`.*": {"x:y": "smallint"},
    "explode(`items`) as item": {"item": "struct<1x:char(3)>"},
    "`item`.*": {"1x": "char(3)"},
    "explode(`pairs`) as (key, value)": {"key": "string", "value": "struct<x,y:int>"},
    "`value`.*": {"x,y": "int"},
    "`long`.*": {"f0": "int", "f`1": "int"},
    "`span`.*": {"a": "interval day to second"},
}
WHOLE = {
    "id": "decimal(10,2)",
    "plain": "struct<a:int,_b:array<map<string,struct<C1:timestamp_ntz>>>>",
    "odd": "struct<`a b`:int,`in`:struct<`x:y`:smallint>>",
    "items": "array<struct<`1x`:char(3)>>",
    "pairs": "map<string,struct<`x,y`:int>>",
    "long": "struct<`f0`:int,`f``1`:int>",
    "span": "struct<`a`:interval day to second>",
}


@pytest.fixture(scope="module")
def found():
    warehouse = Warehouse()
    names = ["col_name", "data_type", "comment"]

    def answer(sql):
        warehouse.statements.append(sql)
        start = sql.removeprefix("describe query ").split(" from (")[0].removeprefix("select ")
        columns = NESTED.get(start) or NESTED[sql.removeprefix("describe query ")]
        return table([(name, type_, None) for name, type_ in columns.items()], names)

    macros = Macros(warehouse, run_query=answer)
    return macros.describe_types("select * from t"), warehouse.statements


def test_types_that_spark_reads_again(found):
    columns, _ = found
    assert {column["name"]: column["type"] for column in columns} == WHOLE


def test_only_what_may_be_wrong_is_looked_into(found):
    _, statements = found
    assert not [sql for sql in statements if "`plain`" in sql]
