"""Configs of a to_changelog model, and what its query is taken for."""

import pytest

from ..logs import CHANGES, DEBEZIUM, TABLE, WHERE, Log
from ..plans import ROW
from ..render import CompilerError


def test_a_query_without_row_kinds_is_a_table():
    plan = Log({}, TABLE).plan()
    assert (plan["input"], plan["stages"], plan["kernel"]) == ("table", True, "snapshot")
    assert plan["payload"] == ["id", "name", "tags"]
    assert [column["name"] for column in plan["compared"]] == ["name", "tags"]


def test_a_query_with_row_kinds_is_read_on():
    plan = Log(DEBEZIUM, CHANGES).plan()
    assert (plan["input"], plan["stages"]) == ("changes", False)
    assert plan["payload"] == ["id", "name"]
    assert plan["read"]["strict"]


def test_names_are_as_the_query_spells_them():
    plan = Log({**DEBEZIUM, "unique_key": "ID", "passthrough": "NAME"}, {**ROW, "x": "int"}).plan()
    assert (plan["unique_key"], plan["passthrough"]) == (["id"], ["name"])
    assert plan["payload"] == ["id", "x"]


def test_the_batch_log_lies_on_the_table_itself():
    relations = Log({}, TABLE).plan()["relations"]
    names = {name: str(relation) for name, relation in relations.items()}
    assert names["batch_log"] == names["changelog"] == "analytics.customers_log"
    assert names["state"] == "analytics.customers_log__state"


def test_layout_is_that_of_the_event_table():
    plan = Log({"partition_by": "OP", "location_root": "/data/"}, TABLE).plan()
    assert plan["storage"]["partition_by"] == ["`op`"]
    assert plan["storage"]["location_root"] == "/data"


@pytest.mark.parametrize(
    ("argument", "words", "config", "columns"),
    [
        ("file_format", "has no append that happens as a whole", {"file_format": "parquet"}, TABLE),
        ("state_ttl", "is kept for ever here", {"state_ttl": "1 hour"}, TABLE),
        ("on_schema_change", "keeps the columns", {"on_schema_change": "sync_all_columns"}, TABLE),
        ("sequence_by", "there is no such argument", {"sequence_by": "lsn"}, TABLE),
        ("op_maping", "there is no such argument", {"op_maping": {}}, TABLE),
        ("unique_key", "column 'nobody' is not in the input", {"unique_key": "nobody"}, TABLE),
        ("unique_key", "which has no order", {"unique_key": "tags"}, TABLE),
        ("passthrough", "'x' is not in the input", {**DEBEZIUM, "passthrough": "x"}, TABLE),
        ("op", "two columns 'NAME'", {"op": "NAME"}, TABLE),
        ("input", "'_batch_id' is not in the input", {}, {**ROW, "_row_kind": "string",
                                                         "_sequence": "int", "_ordinal": "int"}),
        ("input", "the name of a column that is generated", {}, {**ROW, "_position": "int"}),
    ],
)  # fmt: skip
def test_refused(argument, words, config, columns):
    with pytest.raises(CompilerError) as caught:
        Log(config, columns).plan()
    message = str(caught.value)
    assert message.startswith(f"Invalid '{argument}' in {WHERE}: ") and words in message
    assert "\nTo fix: " in message


def reader(config):
    return Log(config, CHANGES).plan()["reader"]


@pytest.mark.parametrize(
    ("config", "mapping"),
    [
        (DEBEZIUM, {"c": "UPDATE_AFTER", "u": "UPDATE_AFTER", "d": "DELETE"}),
        (
            {**DEBEZIUM, "unique_key": None},
            {"c": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"},
        ),
        ({"encoding": "retract"}, {"INSERT": "UPDATE_AFTER", "DELETE": "DELETE"}),
        (
            {"encoding": "retract", "unique_key": None},
            {"INSERT": "INSERT", "DELETE": "DELETE"},
        ),
        ({"encoding": "upsert"}, {"UPDATE_AFTER": "UPDATE_AFTER", "DELETE": "DELETE"}),
        ({"encoding": "append"}, {"INSERT": "UPDATE_AFTER"}),
        # codes are written as they are
        (
            {"op_mapping": {"INSERT": " c", "UPDATE_AFTER": "c", "DELETE": "c, d,"}},
            {" c": "UPDATE_AFTER", "c": "UPDATE_AFTER", "c, d,": "DELETE"},
        ),
    ],
)
def test_events_that_say_all_can_be_read(config, mapping):
    found = reader(config)["op_mapping"]
    assert {entry["code"]: ", ".join(entry["kinds"]) for entry in found} == mapping


@pytest.mark.parametrize(
    "config",
    [
        {"op_mapping": {"INSERT": "c"}},
        {"op_mapping": {"INSERT": "c", "UPDATE_AFTER": "u"}},
        {"unique_key": None, "op_mapping": {"INSERT": "c", "UPDATE_AFTER": "u", "DELETE": "d"}},
        {"op_mapping": {"INSERT": "x", "DELETE": "x", "UPDATE_AFTER": "u"}},
        {**DEBEZIUM, "passthrough": "id"},
        {"unique_key": None, "op_mapping": {"UPDATE_BEFORE, UPDATE_AFTER": "u",
                                            "INSERT": "c", "DELETE": "d"}},
    ],
)  # fmt: skip
def test_events_that_do_not_say_all_can_not(config):
    assert reader(config) is None
