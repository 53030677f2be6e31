"""on_schema_change, as dbt defines its four values."""

import pytest

from ..plans import FLAT, Model, batch
from .log import MODEL, macros_with_log

ADDED = {**FLAT, "city": "string"}
ABSENT = {name: type_ for name, type_ in FLAT.items() if name != "name"}
INT = Model({}, {**FLAT, "age": "int"})
BIGINT = Model({}, {**FLAT, "age": "bigint"})


def follow(mode, columns, stored=MODEL):
    """The statements, the plan that is left, and the warnings."""
    macros = macros_with_log(batch(), stored)
    plan = Model({"on_schema_change": mode}, columns).plan()
    log = macros.read_batch_log(plan["relations"]["state"])
    statements = macros.follow_schema(plan, log, 3)
    return [statement["name"] for statement in statements], statements, plan, macros.warnings


def names(plan):
    return [column["name"] for column in plan["state_columns"]]


@pytest.mark.parametrize("mode", ["ignore", "fail", "append_new_columns", "sync_all_columns"])
def test_nothing_to_follow(mode):
    found, _, plan, warnings = follow(mode, FLAT)
    assert (found, plan["since"], warnings) == ([], 0, [])


@pytest.mark.parametrize(("now", "before"), [("name", None), (None, "name")])
def test_what_is_compared_from_now_on(now, before):
    """The hashes of older rows are of other columns, though the table has the same ones."""
    stored = Model({"passthrough": before}, FLAT)
    macros = macros_with_log(batch(), stored)
    plan = Model({"passthrough": now}, FLAT).plan()
    log = macros.read_batch_log(plan["relations"]["state"])
    (statement,) = macros.follow_schema(plan, log, 3)
    assert (statement["name"], plan["since"]) == ("note columns", 3)
    unchanged = stored.plan()
    assert macros.follow_schema(unchanged, log, 3) == [] and unchanged["since"] == 0


@pytest.mark.parametrize("mode", ["append_new_columns", "sync_all_columns"])
def test_new_column_is_added(mode):
    found, statements, plan, _ = follow(mode, ADDED)
    assert found == ["note columns", "add columns"]
    added = "alter table analytics.customers__state add columns (`city` string)"
    assert statements[1]["sql"] == added
    assert plan["since"] == 3


def test_new_column_is_left_out_with_a_warning():
    found, _, plan, warnings = follow("ignore", ADDED)
    assert found == []
    assert plan["payload"] == ["id", "name", "lsn"]
    assert names(plan) == ["_sequence", "id", "name", "lsn"]
    assert [column["name"] for column in plan["compared"]] == ["lsn", "name"]
    assert "has no column city, so the contents leave it out" in warnings[0]


def test_absent_column_stays_and_is_null():
    found, _, plan, _ = follow("append_new_columns", ABSENT)
    assert (found, plan["since"]) == (["note columns"], 3)
    assert plan["absent"] == [{"name": "name", "type": "string", "parts": None}]
    assert plan["payload"] == ["id", "lsn", "name"]
    # in the order in which the stored hashes were made
    assert [column["name"] for column in plan["compared"]] == ["lsn", "name"]


def test_absent_column_is_dropped():
    found, statements, plan, _ = follow("sync_all_columns", ABSENT)
    assert found == ["note columns", "prepare columns", "drop columns"]
    assert statements[2]["sql"] == "alter table analytics.customers__state drop columns (`name`)"
    assert plan["payload"] == ["id", "lsn"]


@pytest.mark.parametrize("mode", ["append_new_columns", "sync_all_columns"])
def test_wider_type_is_taken(mode):
    found, statements, _, _ = follow(mode, BIGINT.columns, INT)
    assert found == ["note columns", "prepare columns", "widen column"]
    assert statements[2]["sql"].endswith("__state alter column `age` type bigint")


@pytest.mark.parametrize("mode", ["ignore", "append_new_columns", "sync_all_columns"])
def test_narrower_type_is_cast(mode):
    found, _, plan, _ = follow(mode, INT.columns, BIGINT)
    assert (found, plan["lifted"]) == ([], [{"name": "age", "type": "bigint"}])
    types = {column["name"]: column["type"] for column in plan["state_columns"]}
    assert types["age"] == "bigint"


@pytest.mark.parametrize("columns", [INT.columns, BIGINT.columns])
def test_any_other_type_is_refused_under_fail(invalid, columns):
    with invalid("on_schema_change", "column 'age' is "):
        follow("fail", columns, BIGINT if columns == INT.columns else INT)


@pytest.mark.parametrize(
    ("mode", "columns", "words"),
    [
        ("fail", ADDED, "column 'city' is not in the state"),
        ("fail", ABSENT, "column 'name' of the state is not in the query"),
        ("ignore", ABSENT, "column 'name' of the state is not in the query"),
        ("ignore", {**FLAT, "name": "int"}, "column 'name' is int in the query and string in"),
        ("append_new_columns", {**FLAT, "name": "int"}, "column 'name' is int in the query"),
        ("sync_all_columns", {**FLAT, "name": "int"}, "column 'name' is int in the query"),
    ],
)
def test_refused(invalid, mode, columns, words):
    with invalid("on_schema_change", words):
        follow(mode, columns)


def test_the_type_of_the_sequence_stays(invalid):
    with invalid("sequence_by", "its type is string, and the state has bigint"):
        follow("sync_all_columns", {**FLAT, "lsn": "string"})
