import pytest

from ..plans import CASES, FLAT, Model


def test_stored_and_compared_columns():
    plan = CASES["passthrough"].plan()
    assert plan["compared"] == [{"name": "name", "type": "string", "parts": None}]
    assert [column["name"] for column in plan["state_columns"]] == ["_sequence", "id", "name", "ts"]


@pytest.mark.parametrize(
    "type_", ["map<int,int>", "variant", "interval day", "struct<a:map<int,int>>"]
)
def test_no_order(invalid, type_):
    with invalid("sequence_by", f"its type is {type_}, which has no order"):
        Model({}, {**FLAT, "lsn": type_}).plan()
    with invalid("unique_key", f"its type is {type_}, which has no order"):
        Model({}, {**FLAT, "id": type_}).plan()


@pytest.mark.parametrize("type_", ["string", "varchar(3)", "char(1)", "boolean"])
def test_op_types(type_):
    assert Model({}, {**FLAT, "op": type_}).plan()["op_type"] in ("string", "boolean")


@pytest.mark.parametrize("type_", ["int", "binary", "struct<a:int>"])
def test_no_op_type(invalid, type_):
    with invalid("op", f"column 'op' is {type_}"):
        Model({}, {**FLAT, "op": type_}).plan()
