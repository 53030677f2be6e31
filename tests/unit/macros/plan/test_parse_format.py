import pytest

from ..plans import WHERE
from ..render import Macros
from ..wires import QUERY, TEXT, Schemas, parsed

ROW = "id int, name string"


def text(format, columns=TEXT, **config):
    return parsed(columns, **{"format": format, "payload_schema": ROW, **config})


def test_without_a_format_there_is_nothing(invalid):
    assert parsed(TEXT) == {"wire": None, "defaults": {}}
    with invalid("payload_schema", "no format was set"):
        parsed(TEXT, payload_schema=ROW)


def test_what_a_format_fills_in():
    assert text("maxwell")["defaults"] == {
        "op": "_op",
        "op_mapping": {
            "insert, bootstrap-insert": "INSERT",
            "update": "UPDATE_AFTER",
            "delete": "DELETE",
        },
        "sequence_by": ["_order_1", "_order_2", "_order_3"],
        "before": "before",
        "after": "after",
    }


def test_columns_of_the_contents_that_no_message_has_are_not_looked_for_in_it():
    yml = [{"name": "id", "data_type": "int"}, {"name": "seen", "data_type": "int"}]
    yml += [{"name": name} for name in ("read_at", "is_gone", "VALID_FROM", "until", "is_current")]
    versions = {"stored_as_scd_type": 2, "valid_to": "until"}
    given = {"passthrough": ["READ_AT", "seen"], "soft_delete": "is_gone", **versions}
    found = parsed({**TEXT, "read_at": "timestamp"}, yml, format="debezium", **given)
    assert "struct<`id` int, `seen` int>" in found["wire"]["schema"]


def test_a_flag_that_is_a_column_of_the_row(invalid):
    yml = [{"name": "id", "data_type": "int"}, {"name": "Price", "data_type": "decimal(9,2)"}]
    with invalid("soft_delete", "'Price' is listed in the columns as decimal(9,2), and the flag"):
        parsed(TEXT, yml, format="debezium", soft_delete="price")
    yml[1]["data_type"] = "BOOLEAN"
    assert (
        "`Price`" not in parsed(TEXT, yml, format="debezium", soft_delete="price")["wire"]["schema"]
    )


def test_without_a_key_an_update_has_both_rows_and_maxwell_needs_no_order():
    found = text("maxwell", unique_key=None)["defaults"]
    assert found["op_mapping"]["update"] == "UPDATE_BEFORE, UPDATE_AFTER"
    assert "sequence_by" not in found


def test_an_order_of_the_config_stands_alone():
    found = text("debezium", sequence_by="offset")
    assert found["wire"]["order"] == []
    assert "sequence_by" not in found["defaults"]


def test_one_image_for_both():
    found = text("datastream")
    assert found["defaults"]["before"] == found["defaults"]["after"] == "after"
    assert list(found["wire"]["images"]) == ["after"]


@pytest.mark.parametrize(
    ("format", "names", "value"),
    [
        ("wal2json", "_unsent", None),
        ("canal", None, None),
        ("debezium", None, "__debezium_unavailable_value"),
    ],
)
def test_columns_that_were_not_sent(format, names, value):
    found = text(format)
    assert found["defaults"].get("columns_not_sent") == names
    assert found["defaults"].get("unavailable_value") == value
    assert bool(found["wire"]["unsent"]) == bool(names)
    assert "not sent" not in str(found["wire"])


@pytest.mark.parametrize("format", ["wal2json", "debezium"])
def test_without_a_key_what_lacks_a_column_can_not_be_read(format):
    found = text(format, unique_key=None)
    assert not {"columns_not_sent", "unavailable_value"} & {*found["defaults"]}
    assert "TRUNCATE" not in found["defaults"]["op_mapping"].values()
    assert "not sent" in str(found["wire"])


def test_flat_columns_keep_those_of_the_row():
    columns = {"id": "int", "before": "string", "hvr_op": "int", "HVR_INTEG_SEQ": "string"}
    wire = parsed(columns, format="hvr")["wire"]
    assert wire["leaves_out"] == ["hvr_op", "HVR_INTEG_SEQ"]
    assert wire["images"] == {}


def test_the_order_of_columns_is_that_of_the_fields_there():
    columns = {"op": "string", "before": "struct<id:int>", "after": "struct<id:int>"}
    source = {"source": "struct<lsn:bigint,sequence:string>"}
    wire = parsed({**columns, **source}, format="debezium")["wire"]
    assert wire["order"] == ["cast(source.lsn as decimal(38, 0))", "if(op = 'r', 0, 1)"]


def test_values_of_types():
    row = "a int, b decimal(5, 2), c date, d string, e array<int>, f binary"
    wire = text("debezium", payload_schema=row, unique_key="a")["wire"]
    assert (
        "after struct<`a` int, `b` variant, `c` string, `d` string, `e` array<int>"
        in (wire["schema"])
    )
    row = "a int, b decimal(5, 2), c date, d string, f binary"
    wire = text("canal", payload_schema=row, unique_key="a")["wire"]
    assert "array<struct<`a` string, `b` variant, `c` string, `d` string" in wire["schema"]


def test_a_nested_column_is_no_text(invalid):
    with invalid("columns", "'tags' is array<int>, and the values of canal are text"):
        text("canal", payload_schema="id int, tags array<int>")


def test_the_key_of_a_message():
    with_key = {**TEXT, "key": "string"}
    assert list(text("debezium", with_key)["wire"]["key_columns"]) == ["id"]
    assert text("debezium")["wire"]["key_columns"] == {}
    # the changefeed may have it in the value, too
    assert list(text("cockroachdb")["wire"]["key_columns"]) == ["id"]
    assert "key" in text("cockroachdb")["wire"]["fields"]
    assert "key" not in text("cockroachdb", with_key)["wire"]["fields"]


def test_the_place_of_a_key_column_in_an_array():
    found = text("cockroachdb", {**TEXT, "key": "string"}, unique_key=["name", "id"])["wire"]
    assert "'$[0]'" in found["key_columns"]["name"]
    assert "'$[1]'" in found["key_columns"]["id"]


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"a": "int"}, "'qlik' reads value as text, or the columns header__change_oper"),
        ({"op": "string"}, "'qlik' reads value as text, or"),
    ],
)
def test_columns_of_another_format(invalid, columns, words):
    with invalid("format", words):
        parsed(columns, format="qlik")


def test_a_field_that_stands_beside_the_text(invalid):
    with invalid("format", "column 'OP' of the query is also a field of the value"):
        text("debezium", {**TEXT, "OP": "string"})


def test_a_unit_that_a_format_does_not_have(invalid):
    column = {"name": "price", "data_type": "decimal(9, 2)", "meta": {"unit": "cents"}}
    node = {"config": {"format": "debezium", "unique_key": "id"}, "columns": {"price": column}}
    with invalid("columns", "'cents', and debezium writes a decimal in one of these: digits"):
        Macros(Schemas(TEXT)).parse_format(WHERE, node, QUERY)
    column["data_type"] = "bigint"
    assert Macros(Schemas(TEXT)).parse_format(WHERE, node, QUERY)["wire"]
    node["config"]["format"], column["data_type"] = "maxwell", "timestamp"
    with invalid("columns", "and maxwell writes a timestamp in one of these: text"):
        Macros(Schemas(TEXT)).parse_format(WHERE, node, QUERY)
