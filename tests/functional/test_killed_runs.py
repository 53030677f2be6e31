"""A process that is killed with -9: what it leaves is in nobody's way."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

from .conftest import usual
from .project import STORAGES

MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn', changelog=true,
          state_ttl='0', op_mapping={'c': 'INSERT', 'd': 'DELETE'}, read={'column': 'lsn'},
          location_root=LOCATION) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
LOG = """
{{ config(materialized='to_changelog', unique_key='id', location_root=LOCATION) }}
select * from {{ ref('customers') }}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
EVENTS = [("c", 1, "ada", 1), ("c", 2, "bob", 2), ("d", 1, "ada", 3)]
TABLES = [
    *("dbt_changelog_batches", "customers__state", "customers__changes", "customers__changelog"),
    *("feed", "feed__state", "feed__changes"),
]


def leave(folder):
    """Files of a first write that did not get to its commit."""
    for part in ("_delta_log", "data", "metadata"):
        (folder / part).mkdir(parents=True)
    (folder / "_delta_log" / ".00000000000000000000.json.1.tmp").write_text("{")
    for part in ("part-00000.snappy.parquet", "data/00000-0.parquet", "metadata/1-m0.avro"):
        (folder / part).write_bytes(b"PAR1")


@pytest.mark.parametrize(
    ("storage", "rooted"),
    usual(
        [("delta", False), ("delta", True), *((s, False) for s in STORAGES[1:3])],
        [("delta", False)],
    ),
)
def test_files_of_a_first_write_are_in_nobodys_way(new_project, tmp_path, storage, rooted):
    location = repr(str(tmp_path)) if rooted else "none"
    files = {f"models/{storage}/customers.sql": MODEL, f"models/{storage}/feed.sql": LOG}
    files = {path: text.replace("LOCATION", location) for path, text in files.items()}
    project = new_project({"models/sources.yml": SOURCES, **files}, name="killed")
    project.table("events", EVENTS, "op string, id int, name string, lsn int")
    conf = project.spark.conf.get
    place = {
        "delta": ("spark.sql.warehouse.dir", f"{project.schema}.db"),
        "iceberg": ("spark.sql.catalog.ice.warehouse", project.schema),
        "hadoop": ("spark.sql.catalog.lake.warehouse", project.schema),
    }[storage]
    place = Path(urlsplit(conf(place[0])).path) / place[1]
    assert place.is_absolute()
    for table in TABLES:
        leave((tmp_path if rooted and table != "dbt_changelog_batches" else place) / table)
    project.run("run")
    schema = project.place(storage)
    assert project.sql(f"select id, name from {project.contents(storage, 'customers')}") == [
        (2, "bob")
    ]
    assert len(project.sql(f"select * from {schema}.customers__changelog")) == 3
    assert project.sql(f"select op, id from {schema}.feed") == [("INSERT", 2)]
    assert len(project.sql(f"select * from {schema}.dbt_changelog_batches")) == 2


def test_files_of_a_first_write_on_parquet(new_project, tmp_path):
    text = MODEL.replace("LOCATION", "none").replace("changelog=true", "changelog=false")
    text = text.replace("state_ttl='0', ", "")
    project = new_project(
        {"models/sources.yml": SOURCES, "models/parquet/customers.sql": text}, name="killed"
    )
    project.table("events", EVENTS, "op string, id int, name string, lsn int")
    warehouse = Path(urlsplit(project.spark.conf.get("spark.sql.warehouse.dir")).path)
    for table in ("dbt_changelog_batches", "customers__state", "customers__state_1"):
        leave(warehouse / f"{project.schema}.db" / table)
    project.run("run")
    assert project.sql("select id, name from customers") == [(2, "bob")]
    assert len(project.sql("select * from dbt_changelog_batches")) == 1
