"""config format: named formats of change events, as text and as columns."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pyspark.sql import SparkSession

from .conftest import ProjectFactory, chosen, usual
from .format_cases import CASES, Case, rows
from .project import Project, Result
from .rendered import macros_in

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""


def model(
    format: str, *configs: str, query: str = "select * from {{ source('bronze', 'events') }}"
):
    more = "".join(f", {config}" for config in configs)
    return f"{{{{ config(materialized='from_changelog', format='{format}'{more}) }}}}\n{query}\n"


def made(new_project: ProjectFactory, text: str, rows: list[Any], columns: str) -> Project:
    project = new_project({"models/found.sql": text, "models/sources.yml": SOURCES})
    project.table("events", rows, columns)
    return project


def contents(project: Project, columns: str = "*") -> list[tuple[Any, ...]]:
    project.run("run")
    return sorted(tuple(row) for row in project.sql(f"select {columns} from found"))


def envelope(op: str, before: Any, after: Any, lsn: int, **more: Any) -> str:
    source = {"connector": "postgresql", "lsn": lsn}
    return json.dumps({"op": op, "before": before, "after": after, "source": source, **more})


ROW = "payload_schema='id int, price decimal(10,2), day date, at timestamp, photo binary'"
TEXT = "value string"


def row(**values: Any) -> dict[str, Any]:
    return {"id": 1, "price": None, "day": None, "at": None, "photo": None, **values}


def test_values_that_come_as_text(new_project):
    values = {
        1: row(price="12.50", day=19723, at=1704067200123456, photo="/w=="),
        2: row(price="ANPdcw==", day="2024-01-01", at="2024-01-01T00:00:00.123456Z"),
        3: row(price="/w==", at=1704067200123456000),
        4: row(price=7.5),
    }
    rows = [(envelope("c", None, {**v, "id": key}, key),) for key, v in values.items()]
    # Postgres sends microseconds only
    rows[2] = (rows[2][0].replace('"lsn": 3', '"file": "binlog.1", "pos": 3, "row": 0'),)
    project = made(new_project, model("debezium", "unique_key='id'", ROW), rows, TEXT)
    columns = "id, string(price), string(day), unix_micros(at), hex(photo)"
    assert contents(project, columns) == [
        (1, "12.50", "2024-01-01", 1704067200123456, "FF"),
        (2, "138847.87", "2024-01-01", 1704067200123456, None),
        (3, "-0.01", None, 1704067200123456, None),
        (4, "7.50", None, None, None),
    ]


@pytest.mark.thorough
def test_a_format_of_whole_rows_only_takes_the_last_of_two_events(new_project):
    schema = "payload_schema='id int, name string'"
    rows = [(envelope("c", None, {"id": 1, "name": name}, 7),) for name in ("ada", "eve")]
    last = ("unique_key='id'", schema, "tie_handling='LAST'")
    project = made(new_project, model("debezium", *last), rows, TEXT)
    result = project.run("run", expect_failure=True)
    way_out = "set unavailable_value='' and an op_mapping without TRUNCATE"
    assert way_out in result.log
    mapping = "op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}"
    project.write("models/found.sql", model("debezium", *last, "unavailable_value=''", mapping))
    assert contents(project) == [(1, "eve")]


WRONG = {
    "no JSON": '{"op": "c"',
    "a number that does not fit": envelope("c", None, row(id=2**40), 1),
    "a text for a number": envelope("c", None, row(id="one"), 1),
    "a decimal of more digits": envelope("c", None, row(price="1.234"), 1),
    "no decimal": envelope("c", None, row(price="a lot"), 1),
    "no date": envelope("c", None, row(day="someday"), 1),
    "a time of an unknown unit": json.dumps(
        {"op": "c", "after": row(at=1704067200000), "source": {"file": "a.1", "pos": 1, "row": 0}}
    ),
    "no base64": envelope("c", None, row(photo="%"), 1),
}


def test_what_can_not_be_read_is_an_error(new_project):
    files = {
        f"models/wrong_{n}.sql": model(
            "debezium", "unique_key='id'", ROW, query=f"select '{text}' as value"
        )
        for n, text in enumerate(WRONG.values())
    }
    project = new_project(files)
    result = project.run("run", expect_failure=True)
    assert result.count("error") == len(WRONG), result.log
    assert result.log.count("Unknown op code 'unreadable") == len(WRONG), result.log
    assert result.log.count("correct the data_type of the column") == len(WRONG) - 1
    assert "say what this column is written in, with meta: {unit: ..}" in result.log


def test_what_can_not_be_read_may_be_skipped_and_is_counted(new_project):
    rows = [(envelope("c", None, row(), 1),), *((text,) for text in WRONG.values())]
    text = model("debezium", "unique_key='id'", "invalid_op_handling='LOG'", ROW)
    project = made(new_project, text, rows, TEXT)
    assert contents(project, "id") == [(1,)]
    (found,) = project.sql("select events_invalid from dbt_changelog_batches")
    assert found.events_invalid == len(WRONG)


def test_a_message_of_another_format_is_named_by_the_column_that_the_model_reads_by(new_project):
    query = "select value, offset from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}"
    text = model("debezium", "unique_key='id'", "read={'column': 'offset'}", ROW, query=query)
    rows = [(envelope("c", None, row(), 1), 6), ('{"type": "insert", "data": {"id": 2}}', 7)]
    project = made(new_project, text, rows, f"{TEXT}, offset int")
    result = project.run("run", expect_failure=True)
    assert 'the op code is NULL in the event {"offset":7}' in result.log


def test_messages_that_are_no_change_events_are_left_out(new_project):
    rows = [
        (envelope("c", None, row(), 1),),
        (None,),
        ('{"ts_ms": 1704067200}',),
        ('{"status": "BEGIN", "id": "571", "ts_ms": 1704067200}',),
        ('{"source": {"connector": "mysql"}, "ddl": "create table t (id int)"}',),
        # SQL Server's connector has no statement
        ('{"source": {"connector": "sqlserver"}, "ddl": null, "tableChanges": [{"id": "t"}]}',),
        ('{"op": "m", "source": {"connector": "postgresql", "lsn": 2}, "message": {}}',),
    ]
    project = made(new_project, model("debezium", "unique_key='id'", ROW), rows, TEXT)
    assert contents(project, "id") == [(1,)]


def test_an_envelope_with_its_schema(new_project):
    text = json.dumps(
        {"schema": {"type": "struct"}, "payload": json.loads(envelope("c", None, row(), 1))}
    )
    project = made(new_project, model("debezium", "unique_key='id'", ROW), [(text,)], TEXT)
    assert contents(project, "id") == [(1,)]


def changed_row(form: str) -> list[tuple[str]]:
    """An insert, and an update of all columns that says what they were."""
    # a text may be of any JSON, and a decimal has more digits than a double
    old = '{"doc": {"b": 1, "a": [2.0]}, "text": 1.0, "price": 12345678901234567.25}'
    new = '{"id": 1, "doc": {"b": 2}, "text": 2.5, "price": 12345678901234567.50}'
    first = old.replace("{", '{"id": 1, ', 1)
    if form == "maxwell":
        return [
            (f'{{"type": "insert", "data": {first}}}',),
            (f'{{"type": "update", "data": {new}, "old": {old}}}',),
        ]
    return [
        (f'{{"type": "INSERT", "data": [{first}]}}',),
        (f'{{"type": "UPDATE", "data": [{new}], "old": [{old}]}}',),
    ]


@pytest.mark.parametrize("form", usual(["maxwell", "canal", "ticdc"], ["maxwell"]))
def test_without_a_key_the_row_that_goes_is_the_one_that_came(new_project, form):
    files = {
        f"models/found_{n}.sql": model(form, f"payload_schema='id int, {columns}'")
        for n, columns in enumerate(["doc string, text string", "doc string, price decimal(38,2)"])
    }
    project = new_project({**files, "models/sources.yml": SOURCES})
    project.table("events", changed_row(form), TEXT)
    project.run("run")
    assert [tuple(row) for row in project.sql("select * from found_0")] == [(1, '{"b":2}', "2.5")]
    rows = project.sql("select id, doc, string(price) from found_1")
    assert [tuple(row) for row in rows] == [(1, '{"b":2}', "12345678901234567.50")]


def test_a_variant_stays_one(new_project):
    row = {"id": 1, "doc": {"b": 1.0, "a": 2}, "price": 1.25}
    rows = [(envelope("c", None, row, 1),)]
    schema = "payload_schema='id int, doc variant, price decimal(10,2)'"
    project = made(new_project, model("debezium", "unique_key='id'", schema), rows, TEXT)
    assert contents(project, "typeof(doc), variant_get(doc, '$.a', 'int')") == [("variant", 2)]


DOC = "payload_schema='id int, doc string'"
UNAVAILABLE = "__debezium_unavailable_value"


def test_a_value_that_was_not_sent_stays(new_project):
    rows = [
        (envelope("u", None, {"id": 1, "doc": UNAVAILABLE}, 2),),
        (envelope("c", None, {"id": 1, "doc": "a text"}, 1),),
        (envelope("c", None, {"id": 2, "doc": UNAVAILABLE}, 3),),
    ]
    project = made(new_project, model("debezium", "unique_key='id'", DOC), rows, TEXT)
    result = project.run("run")
    assert [tuple(row) for row in project.sql("select * from found order by id")] == [
        (1, "a text"),
        (2, None),
    ]
    assert "1 values of from_changelog model 'found' were never sent" in result.log


@pytest.mark.thorough
def test_a_truncate_deletes_what_is_below_it(new_project):
    rows = [
        (envelope("t", None, None, 5),),
        (envelope("c", None, {"id": 1, "doc": "a"}, 1),),
        (envelope("c", None, {"id": 2, "doc": "b"}, 6),),
    ]
    project = made(new_project, model("debezium", "unique_key='id'", DOC), rows, TEXT)
    assert contents(project) == [(2, "b")]
    project.table("events", [(envelope("c", None, {"id": 3, "doc": "late"}, 4),)])
    assert contents(project) == [(2, "b")]


@pytest.mark.thorough
def test_messages_are_parsed_once(new_project):
    """Rows, deletes and truncates are three readers of the events, which go to their keys."""
    project = made(
        new_project,
        model("debezium", "unique_key='id'", DOC),
        [(envelope("c", None, {"id": 1, "doc": "a"}, 1),)],
        TEXT,
    )
    project.run("run")
    create = project.ran("found").split(";\n\n-- count rows")[0]
    query = create[create.index("with source_events as") :]
    (plan,) = project.spark.sql(f"explain {query}").first()
    assert plan.count("from_json(") == 1, plan
    assert "RoundRobinPartitioning" not in plan


@pytest.mark.thorough
@pytest.mark.usefixtures("compiled_queries")
@pytest.mark.parametrize("storage", usual(["delta", "iceberg"], ["delta"]))
def test_later_batches_of_columns_that_are_always_sent(new_project, storage):
    """Planned and compiled as at a user's, where Spark lost a part of the sequence."""
    schema = "payload_schema='id bigint, line int, qty int'"
    text = model("debezium", "unique_key=['id', 'line']", schema)
    project = new_project({f"models/{storage}/found.sql": text, "models/sources.yml": SOURCES})
    first, second = ({"id": 1, "line": line, "qty": 5} for line in (1, 2))
    steps = [
        [envelope("r", None, first, 1), envelope("c", None, second, 2)],
        [envelope("u", None, {**first, "qty": 7}, 3), envelope("d", second, None, 4)],
        [envelope("t", None, None, 5), envelope("c", None, second, 6)],
    ]
    found = []
    for place, events in enumerate(steps):
        project.table("events", [(event,) for event in events], None if place else TEXT)
        project.run("run")
        rows = project.sql(f"select * from {project.contents(storage, 'found')}")
        found.append(sorted(tuple(row) for row in rows))
    assert found == [[(1, 1, 5), (1, 2, 5)], [(1, 1, 7)], [(1, 2, 5)]]


def test_what_a_format_fills_in_is_shown_and_can_be_overridden(new_project):
    """One by one: the mapping without truncates, no placeholder, an order of the query."""
    mapping = "op_mapping={'c, r': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}"
    rows = [
        (envelope("u", None, {"id": 1, "doc": UNAVAILABLE}, 2), 8),
        (envelope("c", None, {"id": 1, "doc": "a text"}, 1), 9),
    ]
    text = model("debezium", "unique_key='id'", DOC, mapping, "unavailable_value=''",
                 "sequence_by='place'")  # fmt: skip
    usual = model("debezium", "unique_key='id'", DOC)
    project = made(new_project, usual, rows, "value string, place int")
    plan = shown(project)
    assert plan["kernel"] == "partial_rows"
    assert plan["filled_in"]["arguments"]["unavailable_value"] == UNAVAILABLE
    assert plan["filled_in"]["arguments"]["op_mapping"]["t"] == "TRUNCATE"
    project.write("models/found.sql", text)
    assert contents(project) == [(1, "a text")]
    plan = shown(project)
    assert plan["kernel"] == "last_write_wins"
    assert plan["filled_in"] == {
        "format": "debezium",
        "arguments": {"op": "_op", "before": "before", "after": "after"},
    }


def shown(project: Project) -> dict[str, Any]:
    """What show_plan prints."""
    result = project.run("run-operation", "show_plan", "--args", "{model: found}")
    (line,) = (line for line in result.log.splitlines() if line.startswith("{"))
    plan: dict[str, Any] = json.loads(line)
    return plan


@pytest.mark.thorough
def test_a_column_that_is_added_to_the_yml(new_project):
    """With the sequence of its values, since they may be left out."""
    modes = ("unique_key='id'", "on_schema_change='append_new_columns'")
    rows = [(envelope("c", None, {"id": 1, "doc": "a", "note": "b"}, 1),)]
    project = made(new_project, model("debezium", *modes, "payload_schema='id int'"), rows, TEXT)
    assert contents(project) == [(1,)]
    both = "payload_schema='id int, doc string'"
    project.write("models/found.sql", model("debezium", *modes, both))
    assert contents(project) == [(1, "a")]
    project.table("events", [(envelope("u", None, {"id": 1, "doc": UNAVAILABLE}, 3),)])
    project.table("events", [(envelope("u", None, {"id": 1, "doc": "c"}, 2),)])
    assert contents(project) == [(1, "c")]


@pytest.mark.thorough
def test_a_snapshot_is_before_the_events_of_its_position(new_project):
    rows = [
        (envelope("u", None, row(price="2"), 7),),
        (envelope("r", None, row(price="1"), 7),),
    ]
    project = made(new_project, model("debezium", "unique_key='id'", ROW), rows, TEXT)
    assert contents(project, "string(price)") == [("2.00",)]


# --- each format with its own events: formats/README.md ------------------------------------------


def model_of(case: Case) -> str:
    config = {"materialized": "from_changelog", **case.settings()}
    settings = ", ".join(f"{name}={value!r}" for name, value in config.items())
    return f"{{{{ config({settings}) }}}}\nselect * from {{{{ target.schema }}}}.{case.name}_in"


@pytest.fixture(scope="module")
def filled(request: pytest.FixtureRequest, new_project: ProjectFactory) -> tuple[Project, Result]:
    """A project in which a model of each case has run."""
    cases = [case for case in CASES if case.name in chosen(request, "name")]
    project = new_project({f"models/{case.name}.sql": model_of(case) for case in cases})
    for case in cases:
        events = case.frame(project.spark)
        events.write.format("parquet").saveAsTable(f"{project.schema}.{case.name}_in")
    return project, project.run("run", expect_failure=None)


def test_each_format_has_a_case(spark: SparkSession):
    assert {case.format for case in CASES} == set(macros_in(spark).preset_names())


# the first case of each format
USUAL = {case.format: case.name for case in reversed(CASES)}.values()


@pytest.mark.parametrize("name", usual([case.name for case in CASES], USUAL))
def test_events_of_a_format(filled: tuple[Project, Result], name: str):
    project, result = filled
    (case,) = [case for case in CASES if case.name == name]
    assert result.nodes[case.name].status == "success", result.nodes[case.name].message
    text = "to_json(struct(*), map('ignoreNullFields', 'false'))"
    found = project.sql(f"select {text} from {case.name}")
    assert rows(row[0] for row in found) == case.expected


@pytest.mark.parametrize(
    ("configs", "query", "words"),
    [
        (("debezum",), "select 1 as id", "'debezum' is not one of"),
        (("debezium",), "select 1 as id", "reads value as text, or the columns op, before, after"),
        (("maxwell",), "select 'u' as __op, 1 as id", "set format='debezium_unwrapped'"),
        (("debezium",), "select '' as value", "nothing says which columns a row has"),
        (("debezium", "payload_schema='id int'"), "select '' as value, 'c' as op",
         "column 'op' of the query is also a field of the value"),
        (("canal", "payload_schema='tags array<int>'"), "select '' as value",
         "'tags' is array<int>, and the values of canal are text"),
        (("debezium", "payload_schema='id bigint, v text'"), "select '' as value",
         "Spark can not read 'id bigint, v text': [UNSUPPORTED_DATATYPE]"),
    ],
)  # fmt: skip
def test_a_wrong_format_says_what_to_do(new_project, configs, query, words):
    project = new_project({"models/found.sql": model(*configs, query=query)})
    result = project.run("run", expect_failure=True)
    assert words in result.log and "To fix: " in result.log
    assert project.tables() == ["dbt_changelog_batches"]


@pytest.mark.thorough
def test_a_data_type_that_spark_does_not_have_is_named(new_project):
    types = ["text", "timestamp with time zone", "decimal(50,2)"]
    files, yml = {}, "models:\n"
    for n, type in enumerate(types):
        files[f"models/m{n}.sql"] = model("debezium", "unique_key='id'", query="select '' as value")
        yml += f"  - name: m{n}\n    columns:\n"
        yml += (
            f"      - {{name: id, data_type: bigint}}\n      - {{name: v, data_type: '{type}'}}\n"
        )
    project = new_project({**files, "models/models.yml": yml})
    log = " ".join(project.run("run", expect_failure=True).log.split())
    for type in types:
        assert f"the data_type of column 'v' is '{type}', which is no type of Spark: [" in log, log
