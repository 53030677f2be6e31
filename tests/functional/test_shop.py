"""Real change events, batch by batch: after each, the tables are those of the source database."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from tests.spark import REPO

from .conftest import ProjectFactory
from .project import STORAGES, Project

pytestmark = pytest.mark.usefixtures("compiled_queries")

EXAMPLE = REPO / "integration_tests"
FIXTURE = EXAMPLE / "fixtures" / "shop"
BATCHES = range(1, 7)
# the batches after which dbt runs: usually what two or three of them brought is one batch of ours
SOME = (1, 6)
SEED = int(os.environ.get("DBT_CHANGELOG_SEED", "20261121"))

Event = tuple[str, str, str | None]


def timestamp(text: str) -> datetime:
    text = text.removesuffix("+00")
    return datetime.strptime(text, "%Y-%m-%d %H:%M:%S" + (".%f" if "." in text else ""))


# {column: (type in Spark, what reads the text that Postgres printed)}
TABLES: dict[str, dict[str, tuple[str, Callable[[str], Any]]]] = {
    "customers": {
        "id": ("bigint", int),
        "name": ("string", str),
        "email": ("string", str),
        "tier": ("string", str),
        "updated_at": ("timestamp", timestamp),
    },
    "orders": {
        "order_id": ("bigint", int),
        "line_no": ("int", int),
        "customer_id": ("bigint", int),
        "product": ("string", str),
        "qty": ("int", int),
        "price": ("decimal(10,2)", Decimal),
        "status": ("string", str),
        "note": ("string", str),
        "ordered_at": ("timestamp", timestamp),
    },
}


def read_lines(name: str) -> list[dict[str, Any]]:
    # not splitlines(): values hold U+2028
    lines = (FIXTURE / name).read_text(encoding="utf-8").rstrip("\n").split("\n")
    return [json.loads(line) for line in lines]


def read_events(batch: int) -> list[Event]:
    return [
        (
            line["topic"],
            json.dumps(line["key"]),
            None if line["value"] is None else json.dumps(line["value"]),
        )
        for line in read_lines(f"batch_{batch}.jsonl")
    ]


def read_dump(table: str, batch: int) -> Counter[tuple[Any, ...]]:
    return Counter(
        tuple(
            None if line[name] is None else read(line[name])
            for name, (_, read) in TABLES[table].items()
        )
        for line in read_lines(f"{table}_{batch}.jsonl")
    )


def in_order(events: list[Event], earlier: list[Event], choose: random.Random) -> list[Event]:
    return events


def shuffled(events: list[Event], earlier: list[Event], choose: random.Random) -> list[Event]:
    return choose.sample(events, len(events))


def delivered_again(
    events: list[Event], earlier: list[Event], choose: random.Random
) -> list[Event]:
    again = choose.sample(earlier, min(len(earlier), len(events) // 5))
    return choose.sample(events + again, len(events) + len(again))


DELIVERIES = {"in_order": in_order, "shuffled": shuffled, "delivered_again": delivered_again}
# what is hardest for the kernel is enough where only the storage differs
MODELS = [
    (table, storage, delivery)
    for table in TABLES
    for storage in STORAGES
    for delivery in DELIVERIES
    if storage == "delta" or delivery == "delivered_again"
]
USUAL = [
    ("orders", "delta", "delivered_again"),
    *(("customers", storage, "delivered_again") for storage in STORAGES if storage != "hadoop"),
]


def project_files(models: list[tuple[str, str, str]]) -> dict[str, str]:
    """The example's own models, for each delivery and storage."""
    files = {
        "macros/order_row.sql": (EXAMPLE / "macros/order_row.sql").read_text(),
        "models/sources.yml": """
            sources: [{name: shop, schema: "{{ target.schema }}", tables: [{name: events}]}]
        """,
    }
    for table, storage, delivery in models:
        model = (EXAMPLE / f"models/shop/{table}.sql").read_text()
        model = model.replace("source('bronze', 'shop_events')", "source('shop', 'events')")
        files[f"models/{storage}/{table}_{storage}_{delivery}.sql"] = model.replace(
            "where topic", f"where delivery = '{delivery}' and topic"
        )
    return files


def land(project: Project, batch: int, deliveries: dict[str, list[Event]]) -> None:
    start = datetime(2026, 1, 1, batch)
    rows = [
        (delivery, *event, start + timedelta(milliseconds=i))
        for delivery, events in deliveries.items()
        for i, event in enumerate(events)
    ]
    columns = "delivery string, topic string, key string, value string, ingested_at timestamp"
    project.table("events", rows, columns if batch == 1 else None)


def check(project: Project, table: str, storage: str, delivery: str, batch: int) -> None:
    model = f"{table}_{storage}_{delivery}"
    contents = project.spark.table(project.contents(storage, model))
    assert contents.dtypes == [(name, type_) for name, (type_, _) in TABLES[table].items()], model
    found = Counter(map(tuple, contents.collect()))
    expected = read_dump(table, batch)
    extra, missing = list((found - expected).elements()), list((expected - found).elements())
    assert not extra and not missing, (
        f"{model} after batch {batch}, seed {SEED}: {len(extra)} rows too many, for example "
        f"{extra[:3]}; {len(missing)} missing, for example {missing[:3]}"
    )


@pytest.mark.parametrize(
    ("models", "runs"), [(USUAL, SOME), pytest.param(MODELS, BATCHES, marks=pytest.mark.thorough)]
)
def test_contents_equal_the_source_after_each_run(
    new_project: ProjectFactory, models: list[tuple[str, str, str]], runs: Sequence[int]
) -> None:
    print(f"DBT_CHANGELOG_SEED={SEED}")
    choose = random.Random(SEED)
    project = new_project(project_files(models), name="shop", threads=2)
    earlier: list[Event] = []
    for batch in BATCHES:
        events = read_events(batch)
        deliveries = {
            name: deliver(events, earlier, choose) for name, deliver in DELIVERIES.items()
        }
        land(project, batch, deliveries)
        earlier += events
        if batch not in runs:
            continue
        result = project.run("run")
        for model in models:
            check(project, *model, batch)
            # a run that replaces a table that it has not found counts from 1 again
            message = result.nodes["_".join(model)].message or ""
            assert message.startswith(f"batch {runs.index(batch) + 1}, ")
