"""Kafka's text of all tables in one bronze table, and a model of three lines for each of them."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from .conftest import ProjectFactory, usual
from .project import Project
from .test_shop import BATCHES, FIXTURE, SEED, SOME
from .test_shop import TABLES as BIG

pytestmark = pytest.mark.usefixtures("compiled_queries")

TABLES: dict[str, dict[str, tuple[str, Callable[[str], Any]]]] = {
    **BIG,
    "inventory": {
        "sku": ("string", str),
        "on_hand": ("int", int),
        "attributes": ("string", str),
        "big_doc": ("string", str),
    },
    "sessions": {"id": ("int", int), "token": ("string", str)},
}
KEYS = {"customers": "id", "orders": "[order_id, line_no]", "inventory": "sku", "sessions": "id"}
# all but the columns
MODEL = """
  - name: {name}
    config:
      {{materialized: from_changelog, format: debezium, unique_key: {key},
       read: {{column: timestamp}}}}
    columns:
"""
QUERY = """
select key, value, timestamp
from {{{{ dbt_changelog.new_rows(source('kafka', 'events')) }}}}
where topic like '%.{table}'
"""
SOURCES = """
version: 2
sources:
  - name: kafka
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
KAFKA = "topic string, key string, value string, partition int, offset bigint, timestamp timestamp"

STORAGES = ["delta", "iceberg", "parquet"]

Event = dict[str, Any]
Delivery = Callable[[random.Random], list[list[Event]]]


def lines(file: Path) -> list[dict[str, Any]]:
    """The records of a file; not splitlines(), since values hold U+2028."""
    found = file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    return [json.loads(line) for line in found if line]


def in_order(choose: random.Random) -> list[list[Event]]:
    files = ("batch_{}.jsonl", "others_{}.jsonl")
    return [
        [event for file in files for event in lines(FIXTURE / file.format(batch))]
        for batch in BATCHES
    ]


def delivered_again(choose: random.Random) -> list[list[Event]]:
    """Each batch in another order, with events of those before it."""
    earlier: list[Event] = []
    batches = []
    for events in in_order(choose):
        again = choose.sample(earlier, min(len(earlier), len(events) // 5))
        batches.append(choose.sample(events + again, len(events) + len(again)))
        earlier += events
    return batches


def across(choose: random.Random) -> list[list[Event]]:
    """Every event in any batch, and some twice: only the last batch makes the tables right."""
    events = [event for batch in in_order(choose) for event in batch]
    events += choose.sample(events, len(events) // 5)
    choose.shuffle(events)
    return [events[number :: len(BATCHES)] for number in range(len(BATCHES))]


DELIVERIES: dict[str, Delivery] = {
    "in_order": in_order,
    "delivered_again": delivered_again,
    "across": across,
}


def shop_files(storage: str) -> dict[str, str]:
    models = "models:\n"
    for table, columns in TABLES.items():
        models += MODEL.lstrip("\n").format(name=table, key=KEYS[table])
        for column, (type_, _) in columns.items():
            models += f'      - {{name: {column}, data_type: "{type_}"}}\n'
    files = {f"models/{storage}/{table}.sql": QUERY.format(table=table) for table in TABLES}
    return {**files, "models/shop.yml": SOURCES + models}


def land(project: Project, name: str, batch: int, events: list[Event]) -> None:
    start = datetime(2026, 1, 1, batch)
    rows = [
        (
            event["topic"],
            event["key"] and json.dumps(event["key"]),
            event["value"] and json.dumps(event["value"]),
            0,
            1000 * batch + place,
            start + timedelta(milliseconds=place),
        )
        for place, event in enumerate(events)
    ]
    project.table(name, rows, KAFKA if batch == 1 else None)


def dump(table: str, batch: int) -> Counter[tuple[Any, ...]]:
    return Counter(
        tuple(
            None if line[name] is None else read(line[name])
            for name, (_, read) in TABLES[table].items()
        )
        for line in lines(FIXTURE / f"{table}_{batch}.jsonl")
    )


def check(project: Project, storage: str, table: str, batch: int) -> None:
    contents = project.spark.table(project.contents(storage, table))
    assert contents.dtypes == [(name, type_) for name, (type_, _) in TABLES[table].items()]
    found, expected = Counter(map(tuple, contents.collect())), dump(table, batch)
    extra, missing = list((found - expected).elements()), list((expected - found).elements())
    assert not extra and not missing, (
        f"{table} after batch {batch}, seed {SEED}: {len(extra)} rows too many, for"
        f" example {extra[:2]}; {len(missing)} missing, for example {missing[:2]}"
    )


@pytest.mark.parametrize(
    ("storage", "delivery", "cuts"),
    usual(
        [
            ("delta", "delivered_again", SOME),
            *((storage, name, BATCHES) for storage in STORAGES for name in DELIVERIES),
        ],
        [("delta", "delivered_again", SOME)],
    ),
)
def test_a_shop_as_text(
    new_project: ProjectFactory, storage: str, delivery: str, cuts: Collection[int]
) -> None:
    """All tables at every cut; shuffled over the batches, at the end."""
    print(f"DBT_CHANGELOG_SEED={SEED}")
    project = new_project(shop_files(storage), name=delivery, threads=2)
    for batch, events in enumerate(DELIVERIES[delivery](random.Random(SEED)), 1):
        land(project, "events", batch, events)
        if batch in cuts:
            project.run("run")
        for table in TABLES if batch in cuts and (delivery != "across" or batch == 6) else ():
            check(project, storage, table, batch)


# --- quirks/README.md -----------------------------------------------------------------------------

QUIRKS = Path(__file__).parent / "quirks"
QUIRK_TABLES = {
    "docs": "sku string, on_hand int, big_doc string",
    "docs_full": "sku string, on_hand int, big_doc string",
    "audit_log": "who string, msg string",
    "odd": (
        "id int, n string, t bigint, tz string, d int, tm bigint, f8 double, b binary,"
        " arr array<int>, u string, iv bigint, flag boolean"
    ),
}
QUIRK_KEYS = {"docs": "sku", "docs_full": "sku", "odd": "id"}
QUIRK_MODEL = """
{{{{ config(materialized='from_changelog', format='debezium', payload_schema='{row}'{key}) }}}}
select key, value from {{{{ target.schema }}}}.events where topic like '%.{table}'
"""


def quirk_files() -> dict[str, str]:
    keys = {name: f", unique_key='{key}'" for name, key in QUIRK_KEYS.items()}
    return {
        f"models/{table}.sql": QUIRK_MODEL.format(table=table, row=row, key=keys.get(table, ""))
        for table, row in QUIRK_TABLES.items()
    }


def quirk_events(capture: str) -> list[list[Event]]:
    """Those until the first cut after the snapshot, and all others."""
    count, parts = 0, ([], [])
    for event in lines(QUIRKS / f"{capture}.jsonl"):
        parts[count >= 19].append(event)
        count += event["topic"] != "quirks.transaction"
    return list(parts)


def printed(project: Project, table: str) -> list[dict[str, Any]]:
    """A table as Postgres prints it."""
    rows = project.sql(f"select * from {table} order by all")
    return [
        {name: None if v is None else str(v) for name, v in row.asDict().items()} for row in rows
    ]


@pytest.mark.parametrize(
    "capture",
    [
        pytest.param("quirks", marks=pytest.mark.thorough),
        pytest.param("quirks_default", marks=pytest.mark.thorough),
        pytest.param("quirks_txmeta", marks=pytest.mark.thorough),
    ],
)
def test_quirks(new_project: ProjectFactory, capture: str) -> None:
    project = new_project(quirk_files(), name=capture)
    tables = json.loads((QUIRKS / "tables.json").read_text(encoding="utf-8"))
    first, second = quirk_events(capture)

    land(project, "events", 1, first)
    result = project.run("run")
    (doc,) = tables["19"]["docs"]
    # its large text is under its old key: no event says so
    assert printed(project, "docs") == [{**doc, "big_doc": None}]
    assert "1 values of from_changelog model 'docs' were never sent" in result.log
    assert printed(project, "docs_full") == tables["19"]["docs_full"]
    assert printed(project, "audit_log") == tables["19"]["audit_log"]

    land(project, "events", 2, second)
    result = project.run("run", expect_failure=True)
    # a truncate of a table without a key is an error
    assert result.nodes["audit_log"].status == "error"
    assert "Unknown op code 't'" in (result.nodes["audit_log"].message or "")
    for table in QUIRK_KEYS:
        assert result.nodes[table].status == "success", result.log
    for table in ("docs", "docs_full"):
        assert printed(project, table) == tables["28"][table]
    found = project.sql(
        "select id, n, t, tz, d, string(f8), hex(b), arr, flag from odd order by id"
    )
    events = [event["value"]["after"] for event in second if event["topic"].endswith(".odd")]
    assert [row.n for row in found] == [
        event["n"] if event["n"] is None or isinstance(event["n"], str)
        else json.dumps(event["n"], separators=(",", ":"))
        for event in events
    ]  # fmt: skip
    assert [row.tz for row in found] == [event["tz"] for event in events]
    assert [tuple(row)[5:] for row in found] == [
        ("0.1", "00FF", [1, None, 3], True),
        ("NaN", "", [], None),
        ("Infinity", None, None, False),
    ]
