import pytest

from ..plans import FLAT, Model


def constraint(type_, columns=(), expression=None):
    return {"type": type_, "columns": list(columns), "expression": expression}


def plan_of(constraints=(), config=None, **columns):
    return Model(
        config or {}, FLAT, constraints=list(constraints), column_constraints=columns
    ).plan()["constraints"]


def test_of_a_column():
    (found,) = plan_of(name=[constraint("not_null")])
    assert found == {"sql": "`name` is not null", "text": "not_null (name)"}


def test_of_the_model():
    found = plan_of([constraint("check", [], "id > 0"), constraint("not_null", ["id", "name"])])
    assert [one["sql"] for one in found] == ["id > 0", "`name` is not null"]


@pytest.mark.parametrize("type_", ["primary_key", "unique", "not_null"])
def test_the_unique_key_holds_by_nature(type_):
    assert plan_of([constraint(type_, ["ID"])]) == []
    assert plan_of(id=[constraint(type_)]) == []


VERSIONS = {"stored_as_scd_type": 2}


def test_the_key_of_versions_holds_by_nature():
    found = [
        constraint("primary_key", ["id", "valid_from"]),
        constraint("unique", ["VALID_FROM", "id"]),
        *(constraint("not_null", [name]) for name in ("id", "valid_from", "is_current")),
    ]
    assert plan_of(found, VERSIONS) == []


@pytest.mark.parametrize(
    "wrong",
    [
        constraint("unique", ["id"]),
        constraint("not_null", ["valid_to"]),
        constraint("check", [], "valid_from < Valid_To"),
        constraint("not_null", ["name"]),
        constraint("check", [], "length(name) < 9"),
    ],
)
def test_refused_of_versions_that_are_found_when_they_are_read(invalid, wrong):
    with invalid("constraints", "can not be checked here"):
        plan_of([wrong], VERSIONS | {"ignore_null_updates": True})


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
