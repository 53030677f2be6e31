"""Real events become a table, its log in Debezium's shape, and a table again: always the source's.

The log of a batch is read twice over: by from_changelog, and replayed by the plain rules of its
codes: c, r and u write a row, d deletes it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from .conftest import ProjectFactory
from .project import WITH_CHANGELOG, Project
from .test_shop import (
    BATCHES,
    DELIVERIES,
    EXAMPLE,
    SEED,
    SOME,
    TABLES,
    Event,
    land,
    read_dump,
    read_events,
)

DEBEZIUM = """unique_key='id', before='before', after='after',
    op_mapping={'INSERT': 'c', 'UPDATE_BEFORE, UPDATE_AFTER': 'u', 'DELETE': 'd'}"""
LOG = "{{{{ config(materialized='to_changelog', {config}) }}}}\nselect * from {input}"
BACK = """
{{{{ config(materialized='from_changelog', unique_key='id', before='before', after='after',
    sequence_by=['_batch_id', '_position'], read={{'column': '_batch_id'}},
    op_mapping={{'c, r': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}}) }}}}
select * from {{{{ dbt_changelog.new_rows(ref('{log}')) }}}}
"""
ORDERS = ("in_order", "delivered_again")
# of the changes that a model emits, and of the table that it keeps
INPUTS = {
    "changes": "{{{{ dbt_changelog.changes(ref('{model}')) }}}}",
    "table": "{{{{ ref('{model}') }}}}",
}
LOGS = [
    (storage, delivery, way)
    for storage in WITH_CHANGELOG
    for delivery in ORDERS
    for way in INPUTS
    if way == "changes" or delivery == "delivered_again"
]


USUAL = [(storage, "delivered_again", "changes") for storage in WITH_CHANGELOG]


def project_files(logs: list[tuple[str, str, str]]) -> dict[str, str]:
    files = {
        "macros/order_row.sql": (EXAMPLE / "macros/order_row.sql").read_text(),
        "models/sources.yml": """
            sources: [{name: shop, schema: "{{ target.schema }}", tables: [{name: events}]}]
        """,
    }
    model = (EXAMPLE / "models/shop/customers.sql").read_text()
    model = model.replace("source('bronze', 'shop_events')", "source('shop', 'events')")
    model = model.replace(
        "materialized='from_changelog',", "materialized='from_changelog',\nchangelog=true,"
    )
    for storage, delivery, way in logs:
        name, folder = f"{storage}_{delivery}", f"models/{storage}"
        text = model.replace("where topic", f"where delivery = '{delivery}' and topic")
        files[f"{folder}/customers_{name}.sql"] = text
        query = INPUTS[way].format(model=f"customers_{name}")
        log = f"log_{name}_{way}"
        files[f"{folder}/{log}.sql"] = LOG.format(config=DEBEZIUM, input=query)
        files[f"{folder}/back_{name}_{way}.sql"] = BACK.format(log=log)
    return files


def replay(project: Project, log: str, rows: dict[int, Any], batch: int) -> None:
    """The events of a batch applied to the rows, by what their codes say and nothing else."""
    found = project.sql(
        f"select op, before, after from {log} where _batch_id = {batch}"
        " order by coalesce(before.id, after.id), _position"
    )
    for op, before, after in found:
        key = (after or before).id
        assert (rows.get(key) is None) == (before is None) and before == rows.get(key), (op, key)
        if op in ("c", "r", "u"):
            rows[key] = after
        else:
            assert op == "d"
            del rows[key]


@pytest.mark.parametrize(
    ("logs", "runs"), [(USUAL, SOME), pytest.param(LOGS, BATCHES, marks=pytest.mark.thorough)]
)
def test_the_way_there_and_back_is_exact(
    new_project: ProjectFactory, logs: list[tuple[str, str, str]], runs: Sequence[int]
) -> None:
    print(f"DBT_CHANGELOG_SEED={SEED}")
    choose = random.Random(SEED)
    project = new_project(project_files(logs), name="shop_log", threads=2)
    replayed: dict[str, dict[int, Any]] = {}
    earlier: list[Event] = []
    for batch in BATCHES:
        events = read_events(batch)
        land(project, batch, {name: DELIVERIES[name](events, earlier, choose) for name in ORDERS})
        earlier += events
        if batch not in runs:
            continue
        project.run("run")
        truth = read_dump("customers", batch)
        for storage, delivery, way in logs:
            name = f"{storage}_{delivery}_{way}"
            log = f"{project.place(storage)}.log_{name}"
            rows = replayed.setdefault(name, {})
            replay(project, log, rows, runs.index(batch) + 1)
            assert Counter(map(tuple, rows.values())) == truth, f"{log} after batch {batch}"
            back = project.spark.table(project.contents(storage, f"back_{name}"))
            assert back.dtypes == [(n, type_) for n, (type_, _) in TABLES["customers"].items()]
            assert Counter(map(tuple, back.collect())) == truth, f"back_{name} after batch {batch}"
