import pytest

from ..plans import FLAT, Model


def constraint(type_, columns=(), expression=None):
    return {"type": type_, "columns": list(columns), "expression": expression}


def plan_of(constraints=(), **columns):
    return Model({}, FLAT, constraints=list(constraints), column_constraints=columns).plan()[
        "constraints"
    ]


def test_of_a_column():
    (found,) = plan_of(name=[constraint("not_null")])
    assert found == {"sql": "`name` is not null", "text": "not_null (name)"}


def test_of_the_model():
    found = plan_of([constraint("check", [], "id > 0"), constraint("not_null", ["id", "name"])])
    assert [one["sql"] for one in found] == ["id > 0", "`id` is not null and `name` is not null"]


@pytest.mark.parametrize("type_", ["primary_key", "unique"])
def test_the_unique_key_holds_by_nature(type_):
    assert plan_of([constraint(type_, ["ID"])]) == []
    assert plan_of(id=[constraint(type_)]) == []


@pytest.mark.parametrize(
    "wrong",
    [
        constraint("primary_key", ["name"]),
        constraint("unique", ["id", "name"]),
        constraint("foreign_key", ["id"]),
        constraint("custom", ["id"], "x"),
    ],
)
def test_refused(invalid, wrong):
    with invalid("constraints", "can not be checked here"):
        plan_of([wrong])
    with invalid("constraints", "can not be checked here"):
        plan_of(name=[{**wrong, "columns": []}])


def test_without_a_contract():
    model = Model({"contract": {"enforced": False}}, FLAT, constraints=[constraint("foreign_key")])
    assert model.plan()["constraints"] == []
