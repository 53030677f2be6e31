"""Events of named formats as the macros read them, without dbt: orders, and what can't be read."""

from __future__ import annotations

import base64
import json
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, Row, SparkSession

from tests.unit.macros.render import CompilerError, Macros

from .format_cases import CASES, Case, lines_of
from .rendered import macros_in

TEXTS = [case for case in CASES if case.row]
WHERE = "from_changelog model 'm'"


@pytest.fixture(scope="module")
def macros(spark: SparkSession) -> Macros:
    return macros_in(spark)


def read(
    macros: Macros, config: dict[str, Any], events: DataFrame, columns: dict[str, Any] | None = None
) -> list[Row]:
    """The events that a format makes of these."""
    events.createOrReplaceTempView("wire_events")
    node, query = {"config": config, "columns": columns or {}}, "select * from wire_events"
    wire = macros.parse_format(WHERE, node, query)["wire"]
    sql = f"with {macros.events_ctes({'wire': wire}, query)}\nselect * from events"
    return events.sparkSession.sql(sql).collect()


def value_of(row: Row, column: str) -> Any:
    """A column of the image after, else before."""
    images = [getattr(row, side) for side in ("after", "before") if side in row.asDict()]
    return next((image[column] for image in images if image and image[column] is not None), None)


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case.name)
def test_a_value_of_another_type_is_unreadable(macros, spark, case: Case):
    column = next(name for name, type_ in case.row.items() if type_ == "string")
    right = read(macros, case.settings(), case.frame(spark))
    wrong = read(macros, case.settings(**{column: "date"}), case.frame(spark))
    assert len(right) == len(wrong)
    for one, other in zip(right, wrong, strict=True):
        has_value = value_of(one, column) is not None
        assert other._op.startswith(f"unreadable {column}: ") == has_value, other
        assert has_value or other._op == one._op
    assert any(value_of(row, column) for row in right)


@pytest.mark.parametrize("case", TEXTS, ids=lambda case: case.name)
def test_a_text_that_is_cut_is_unreadable(macros, spark, case: Case):
    frame = (
        case.frame(spark)
        .where("value <> ''")
        .selectExpr(
            *(["key"] if case.keys else []), "place", "left(value, length(value) - 1) as value"
        )
    )
    found = read(macros, case.settings(), frame)
    assert len(found) == frame.count()
    assert all(row._op.startswith("unreadable: {") for row in found), found


@pytest.mark.parametrize(
    "path",
    sorted((Path(__file__).parent / "debezium_orders").glob("*.jsonl")),
    ids=lambda p: p.stem,
)
def test_positions_of_debezium(macros, spark, path: Path):
    events = lines_of(path)
    frame = spark.createDataFrame(
        [(n, e) for n, e in enumerate(events)][::-1], "n int, value string"
    )
    for key in ({"unique_key": "id"}, {}):
        config = {"format": "debezium", "payload_schema": "id int", **key}
        found = read(macros, config, frame)
        order = sorted(
            found, key=lambda row: (row._order_1, row._order_2, row._order_3, row._order_4)
        )
        assert [row.n for row in order] == list(range(len(events)))
        assert len({tuple(row)[-5:-1] for row in found}) == len(events)


def message(**fields: Any) -> str:
    return json.dumps(fields)


def columns(**values: Any) -> list[dict[str, Any]]:
    return [{"name": name, "value": value} for name, value in values.items()]


def base64_of(number: int) -> str:
    """As Debezium writes the digits of a decimal, by default."""
    size = (8 + (number if number >= 0 else ~number).bit_length()) // 8
    return base64.b64encode(number.to_bytes(size, "big", signed=True)).decode()


def debezium_values(macros: Macros, spark: SparkSession, type: str, values: list[Any], **meta: str):
    """What becomes of values in a column of this type, and the op code if it has none."""
    events = [(message(op="c", after={"n": v}, source={"lsn": 1}),) for v in values]
    column = {"name": "n", "data_type": type, "meta": meta}
    config = {"format": "debezium", "unique_key": "n"}
    rows = read(macros, config, spark.createDataFrame(events, "value string"), {"n": column})
    return [row.after.n if row._op == "c" else row._op for row in rows]


NEGATIVE = {"0220": -2921036, "1E80": -2863308, "+123": -303689, "12345678": -44607649370372}


def test_a_decimal_in_base64_is_no_other_number(macros, spark):
    numbers = [0, 1, -1, 127, 128, -128, -129, 9999, 32768, 8388607, -8388608, 10**36, -(10**36)]
    for scale in (0, 2):
        given = [base64_of(n) for n in numbers]
        wanted = [Decimal(n).scaleb(-scale) for n in numbers]
        assert debezium_values(macros, spark, f"decimal(38, {scale})", given) == wanted


def test_a_decimal_that_may_be_digits_or_base64_is_unreadable(macros, spark):
    """Base64 of some negative numbers is of digits only; of JSON's numbers there is no doubt."""
    assert [base64_of(n) for n in NEGATIVE.values()] == list(NEGATIVE)
    plain = [1234, 1234.5, 5, "12.34", "-1234", "123", "0.00", "1E-1"]
    wanted = [Decimal(str(value)) for value in plain]
    doubts = [f'unreadable n: "{text}" (set meta.unit)' for text in NEGATIVE]
    found = debezium_values(macros, spark, "decimal(20, 2)", [*plain, *NEGATIVE])
    assert found == wanted + doubts
    found = debezium_values(macros, spark, "decimal(20, 2)", [1234, *NEGATIVE], unit="base64")
    assert found == [1234, *(Decimal(n).scaleb(-2) for n in NEGATIVE.values())]
    found = debezium_values(macros, spark, "decimal(20, 2)", [1234, "1234"], unit="digits")
    assert found == [1234, 1234]
    # an end of line is in no base64
    assert debezium_values(macros, spark, "decimal(20, 2)", ["1234\n"]) == [1234]
    assert debezium_values(macros, spark, "decimal(20, 2)", [""]) == ["unreadable n: "]
    # without decimals digits are digits, unless it is said
    assert debezium_values(macros, spark, "decimal(20, 0)", ["1234", 1234]) == [1234, 1234]
    found = debezium_values(macros, spark, "decimal(20, 0)", ["0220"], unit="base64")
    assert found == [NEGATIVE["0220"]]


def test_a_decimal_with_more_digits_than_its_type_is_unreadable(macros, spark):
    wide = ["0.1234567890123456789", "1E-19", "0.12345678901234567800000", " 1.5 ", "1.5E-17"]
    found = debezium_values(macros, spark, "decimal(38, 18)", wide, unit="digits")
    assert found == [
        "unreadable n: 0.1234567890123456789",
        "unreadable n: 1E-19",
        *map(Decimal, ["0.123456789012345678", "1.5", "1.5E-17"]),
    ]


def test_a_text_of_a_length_is_a_string(macros, spark):
    for type in ("varchar(255)", "char(3)", "CHAR ( 3 )"):
        assert debezium_values(macros, spark, type, ["ab"]) == ["ab"]


def test_a_time_has_all_its_microseconds(macros, spark):
    micros = [
        253402300799999999,
        10413792000123457,
        -11676096000123457,
        1767225600123457,
        0,
        -14182939500001,
    ]
    for type in ("timestamp_ntz", "timestamp"):
        found = debezium_values(macros, spark, type, micros)
        assert found == [datetime(1970, 1, 1) + timedelta(microseconds=value) for value in micros]
    found = debezium_values(
        macros, spark, "timestamp_ntz", [-1, 1767225600123], unit="microseconds"
    )
    assert found == [datetime(1970, 1, 1) + timedelta(microseconds=n) for n in (-1, 1767225600123)]


def test_a_time_that_may_be_milliseconds_is_unreadable(macros, spark):
    """As Postgres' timestamp(3) comes."""
    for type in ("timestamp_ntz", "timestamp"):
        for milliseconds in (1767225600123, 253402300799999):
            found = debezium_values(macros, spark, type, [milliseconds])
            assert found == [f"unreadable n: {milliseconds} (set meta.unit)"]
        found = debezium_values(macros, spark, type, [1767225600123], unit="milliseconds")
        assert found == [datetime(2026, 1, 1, microsecond=123000)]


UPDATE = {"operationType": "update", "_id": {"_data": "82"}, "documentKey": {"id": 1}}
UNAVAILABLE = message(
    op="u", after={"id": 1, "doc": "__debezium_unavailable_value"}, source={"lsn": 1}
)
# what lacks the column doc: (format, keyed, message, the op code)
LACKING = [
    ("wal2json", True, message(action="U", lsn="0/1", columns=columns(id=1)), "U"),
    ("wal2json", False, message(action="U", columns=columns(id=1)), "not sent: doc"),
    ("wal2json", True, message(action="I", lsn="0/1", columns=columns(id=1)), "I"),
    ("wal2json", True, message(action="D", lsn="0/1", identity=columns(id=1)), "D"),
    ("wal2json", False, message(action="D", identity=columns(id=1)), "not sent: doc"),
    ("wal2json", True,
     message(action="U", lsn="0/1", columns=columns(id=1), identity=columns(id=1, doc="x")), "U"),
    ("ogg", True, message(op_type="U", pos="1", after={"id": 1}), "U"),
    ("ogg", True, message(op_type="U", pos="1", before={"doc": "x"}, after={"id": 1}), "U"),
    ("ogg", True, message(op_type="U", pos="1", after={"id": 1, "doc": None}), "U"),
    ("ogg", False, message(op_type="D", pos="1", before={"id": 1}), "not sent: doc"),
    ("mongodb", True, message(**UPDATE, updateDescription={"updatedFields": {}}), "update"),
    ("mongodb", True,
     message(**UPDATE, updateDescription={"updatedFields": {}, "removedFields": ["doc"]}),
     "update"),
    ("mongodb", True,
     message(**UPDATE, updateDescription={"updatedFields": {"doc.a": 1}}),
     'unreadable: only a part of a field was sent: {"doc.a":1}'),
    ("dynamodb", False,
     message(eventName="REMOVE", dynamodb={"Keys": {"id": {"N": "1"}}}), "not sent: id, doc"),
    ("debezium", True, UNAVAILABLE, "u"),
    ("debezium", False, UNAVAILABLE, "not sent: doc"),
    ("wal2json", True,
     message(change=[{"kind": "message", "table": "a"}, {"kind": "delete", "table": "b"}]),
     "unreadable: one message has changes of several tables"),
]  # fmt: skip


@pytest.mark.parametrize(("format", "keyed", "text", "op"), LACKING)
def test_a_column_that_was_not_sent(macros, spark, format: str, keyed: bool, text: str, op: str):
    config = {"format": format, "payload_schema": "id int, doc string"}
    events = spark.createDataFrame([(text,)], "value string")
    (found,) = read(macros, config | ({"unique_key": "id"} if keyed else {}), events)
    assert found._op == op
    if keyed and format in ("wal2json", "ogg", "mongodb") and found.after:
        assert found._unsent == ([] if '"doc"' in text or op == "I" else ["doc"])
    if op == "U":
        assert found.after.doc == (found.before.doc if found.before else None)


def test_without_a_key_a_value_is_read_or_was_not_sent(macros, spark):
    """The images have a column that is read from text beside one that may lack its value."""
    texts = [
        UNAVAILABLE,
        message(op="u", after={"id": 1, "doc": "a", "price": "x"}, source={"lsn": 2}),
        message(op="u", before={"id": 1, "doc": "a", "price": "y"}, after={"id": 1, "doc": "a"}),
        message(op="u", before={"id": 1, "price": 1}, after={"id": 1, "price": 2.5}),
        message(op="d", before={"id": 1, "price": 2.5}),
    ]
    events = spark.createDataFrame([(text,) for text in texts], "value string")
    config = {"format": "debezium", "payload_schema": "id int, doc string, price decimal(5, 2)"}
    found = read(macros, config, events)
    assert [row._op for row in found] == [
        "not sent: doc",
        "unreadable price: x",
        "unreadable price: y",
        "u",
        "d",
    ]
    assert [row.after and row.after.price for row in found[3:]] == [Decimal("2.5"), None]
    assert [row.before.price for row in found[3:]] == [Decimal("1"), Decimal("2.5")]


@pytest.mark.parametrize("case", [case for case in CASES if case.columns], ids=lambda c: c.name)
def test_a_wrong_format_is_found_by_the_columns(macros, spark, case: Case):
    wrong = "stitch" if case.format != "stitch" else "airbyte"
    with pytest.raises(CompilerError, match=f"set format='{case.format}', whose columns these are"):
        read(macros, {"format": wrong}, case.frame(spark))


def test_statements_of_canal_are_no_changes(macros, spark):
    messages = [
        message(type="QUERY", isDdl=False, data=None, sql="grant select on shop.* to ada"),
        message(type="ALTER", isDdl=True, data=None, sql="alter table shop.t add x int"),
        message(type="INSERT", isDdl=False, data=[{"id": "1"}]),
    ]
    frame = spark.createDataFrame([(text,) for text in messages], "value string")
    config = {"format": "canal", "payload_schema": "id int", "unique_key": "id"}
    assert [row._op for row in read(macros, config, frame)] == ["INSERT"]


NAMES = ["id", "key", "KEY", "value", "status", "op", "a.b", "a[0]", "a b", "it's", "select"]


@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("format", ["debezium", "cockroachdb"])
def test_a_key_of_any_name_comes_from_the_key_of_the_message(macros, spark, format, name, wrapped):
    key = message(**({"payload": {name: 7}} if wrapped else {name: 7}))
    key = "[7]" if format == "cockroachdb" and not wrapped else key
    events = [(key, message(op="d", before=None, after=None, source={"lsn": 1}, updated="1.0"))]
    frame = spark.createDataFrame(events, "key string, value string")
    config = {"format": format, "payload_schema": f"`{name}` int", "unique_key": name}
    assert [row[name] for row in read(macros, config, frame)] == [7]
