"""dbt run-operation suggest_model: a model for a table of change events, with its counts."""

from __future__ import annotations

import json

import pytest

from tests.spark import REPO

SHOP = REPO / "integration_tests/fixtures/shop"
SOURCES = """
sources:
  - name: SCHEMA
    tables: [{name: events}]
"""


def suggested(project, **options):
    """What is printed: the model, and the lines below it."""
    args = json.dumps({"relation": f"{project.schema}.events"})
    return project.run("run-operation", "suggest_model", "--args", args, **options).log


def model_of(log):
    return log[log.index("{{ config(") : log.index("\nOf ")]


def run(project, log):
    """The printed model, run as it is."""
    project.write("models/sources.yml", SOURCES.replace("SCHEMA", project.schema))
    project.write("models/suggested.sql", model_of(log))
    project.run("run", "--select", "suggested")


def land(project, table, batches=6):
    rows = []
    for batch in range(1, batches + 1):
        for line in (SHOP / f"batch_{batch}.jsonl").read_text(encoding="utf-8").split("\n"):
            event = json.loads(line) if line else {"topic": ""}
            if event["topic"].endswith(f".{table}"):
                texts = [event[name] and json.dumps(event[name]) for name in ("key", "value")]
                rows.append((event["topic"], *texts, batch))
    project.table("events", rows, "topic string, key string, value string, ingested_at bigint")


def dumped(table, batch=6):
    lines = (SHOP / f"{table}_{batch}.jsonl").read_text(encoding="utf-8").split("\n")
    return [json.loads(line) for line in lines if line]


def test_text_of_debezium(new_project):
    project = new_project({}, "suggest")
    land(project, "orders")
    log = suggested(project)
    assert "format='debezium'" in log and "unique_key=['order_id', 'line_no']" in log
    assert "read={'column': 'ingested_at'}" in log and "select key, value, ingested_at\n" in log
    assert "qty` bigint" in log and "- format debezium: " in log
    # as the page shows it; the columns of Kafka's key come first
    page = (REPO / "docs/reference/operations.md").read_text(encoding="utf-8")
    shown = [line for line in page.splitlines() if line.startswith("- ")]
    assert len(shown) == 7 and [line for line in shown if line not in log] == []
    first, *_ = [line for line in log.splitlines() if line.startswith("- unique_key ")]
    assert first.startswith("- unique_key order_id, line_no, sequence_by of the format: ")
    run(project, log)
    found = project.sql("select order_id, line_no, product from suggested")
    expected = {(row["order_id"], row["line_no"], row["product"]) for row in dumped("orders")}
    assert {(str(row[0]), str(row[1]), row[2]) for row in found} == expected


def test_columns_of_a_change_feed(new_project):
    project = new_project({}, "suggest")
    columns = "_change_type string, _commit_version bigint, id int, name string"
    rows = [("insert", 1, 1, "ada"), ("insert", 1, 2, "bob"), ("update_preimage", 2, 1, "ada")]
    rows += [("update_postimage", 2, 1, "Ada"), ("delete", 3, 2, "bob")]
    project.table("events", rows, columns)
    log = suggested(project)
    assert "format='delta_change_feed'" in log and "unique_key='id'" in log
    assert "unique_key id, sequence_by of the format: 2 keys, 0 events without one" in log
    run(project, log)
    assert project.sql("select id, name from suggested") == [(1, "Ada")]


@pytest.mark.thorough
def test_columns_that_no_format_reads(new_project):
    """Of two columns that may order, that with fewer ties."""
    project = new_project({}, "suggest")
    columns = "operation string, order_id int, line_no int, name string, ts int, lsn bigint"
    rows = [("I", 1, 1, "a", 1, 10), ("I", 1, 2, "b", 1, 11), ("I", 2, 1, "c", 1, 12)]
    rows += [("U", 1, 1, "A", 1, 13), ("D", 1, 2, None, 2, 14), ("X", 1, 2, None, 2, 15)]
    project.table("events", rows, columns)
    log = suggested(project)
    assert "op_mapping={'D': 'DELETE', 'I': 'INSERT', 'U': 'UPDATE_AFTER'}" in log
    assert "unique_key=['order_id', 'line_no']" in log and "sequence_by='lsn'" in log
    assert "- op code 'X': nothing says what it means" in log
    assert "sequence_by ts: 3 keys, 0 events without one, 3 inserts of 3 keys, 1 ties" in log
    project.sql("delete from events where operation = 'X'")
    run(project, suggested(project))
    found = project.sql("select order_id, line_no, name from suggested order by 1, 2")
    assert found == [(1, 1, "A"), (2, 1, "c")]


def test_text_of_kafka(new_project):
    """An offset is of its partition, and a text of digits is no number."""
    project = new_project({}, "suggest")
    rows = []
    for place, sku in enumerate(["100234", "100235"]):
        row = {"id": place, "sku": sku, "price": 10.5 + place, "note": ""}
        value = {"op": "c", "before": None, "after": row, "source": {"lsn": place}}
        rows.append((json.dumps({"id": place}), json.dumps(value), "t", 0, place, place))
    columns = "key string, value string, topic string, `partition` int, offset bigint"
    project.table("events", rows, f"{columns}, timestamp bigint")
    log = suggested(project)
    assert "read={'column': 'timestamp'}" in log
    assert "`id` bigint, `sku` string, `price` decimal(38, 1), `note` string'" in log
    assert "column note: it has no value" not in log and "unreadable" not in log
    run(project, log)
    found = project.sql("select id, sku, note from suggested order by 1")
    assert found == [(0, "100234", ""), (1, "100235", "")]


def test_text_of_a_format_whose_numbers_are_text(new_project):
    project = new_project({}, "suggest")
    rows = [
        (json.dumps({"type": "INSERT", "data": [{"id": str(n), "sku": f"{n}{n}"}]}), n)
        for n in (1, 2)
    ]
    project.table("events", rows, "value string, offset bigint")
    log = suggested(project)
    assert "payload_schema='`id` bigint, `sku` bigint'" in log
    assert "- column sku: its numbers come as text" in log and "read={'column': 'offset'}" in log


def test_columns_in_capitals(new_project):
    project = new_project({}, "suggest")
    columns = "OPERATION string, ID int, NAME string, DOWNLOAD_COUNT bigint, LSN bigint"
    project.table("events", [("I", 1, "ada", 7, 10)], columns)
    log = suggested(project)
    assert "op='OPERATION'" in log and "unique_key='ID'" in log and "sequence_by='LSN'" in log
    assert "read=" not in log
    run(project, log)
    assert project.sql("select name from suggested") == [("ada",)]


def test_columns_of_dms_in_small_letters(new_project):
    project = new_project({}, "suggest")
    columns = "op string, id int, name string, ar_h_change_seq string"
    project.table("events", [("I", 1, "ada", "2"), ("U", 1, "Ada", "10")], columns)
    log = suggested(project)
    assert "format='dms'" in log and "sequence_by=" not in log
    run(project, log)
    assert project.sql("select id, name from suggested") == [(1, "Ada")]


def test_what_is_no_table_of_events(new_project):
    project = new_project({}, "suggest")
    log = suggested(project, expect_failure=True)
    assert f"'{project.schema}.events' is no table or view" in log and "To fix: " in log
    arguments = ("suggest_model", "--args", "{relation: nowhere.events}")
    log = project.run("run-operation", *arguments, expect_failure=True).log
    assert "'nowhere.events' is no table or view" in log and "To fix: " in log
    project.table("events", [(1, "ada")], "id int, name string")
    log = suggested(project, expect_failure=True)
    assert "no format reads" in log and "looks like an op code: id, name" in log
