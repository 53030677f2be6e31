"""dbt run-operation maintain: fewer files, the same rows, and runs go on."""

from __future__ import annotations

import json

import pytest

from .project import STORAGES

MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn', changelog=true,
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}) }}
select op, id, name, lsn from {{ source('bronze', 'events') }}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
COLUMNS = "op string, id int, name string, lsn int"


def maintain(project, **arguments):
    args = json.dumps({"model": "customers", **arguments})
    return project.run("run-operation", "maintain", "--args", args).log


@pytest.mark.parametrize("storage", [*STORAGES[:2]])
def test_small_files_become_one(new_project, storage):
    files = {f"models/{storage}/customers.sql": MODEL, "models/sources.yml": SOURCES}
    project = new_project(files, "maintain")
    for lsn in range(1, 5):
        project.table("events", [("c", lsn, f"name {lsn}", lsn)], COLUMNS)
        project.run("run")
    contents, place = project.contents(storage, "customers"), project.place(storage)
    changelog = f"{place}.customers__changelog"

    def seen(table):
        return sorted(tuple(row) for row in project.sql(f"select * from {table}"))

    def changelog_files():
        return len(project.sql(f"select distinct input_file_name() from {changelog}"))

    rows, changes, many = seen(contents), seen(changelog), changelog_files()
    said = maintain(project, dry_run=True)
    assert "Nothing was run" in said and changelog_files() == many == 4
    said = maintain(project, sort=True)
    for name in "customers__state", "customers__changelog", "dbt_changelog_batches":
        assert f"{place}.{name}" in said or f"{place.split('.')[-1]}.{name}" in said
    assert changelog_files() == 1 or storage == "iceberg"
    assert (seen(contents), seen(changelog)) == (rows, changes)
    project.table("events", [("d", 1, None, 9)], COLUMNS)
    project.run("run")
    assert seen(contents) == rows[1:]


def test_a_run_compacts_after_so_many_batches(new_project):
    text = MODEL.replace("changelog=true", "changelog=true, compact_every=2")
    project = new_project({"models/customers.sql": text, "models/sources.yml": SOURCES}, "maintain")
    said = []
    for lsn in range(1, 4):
        project.table("events", [("c", lsn, f"name {lsn}", lsn)], COLUMNS)
        project.run("run")
        said.append(project.ran("customers"))
    assert ["optimize" in text and "vacuum" in text for text in said] == [False, True, False]
    assert len(project.sql("select * from customers")) == 3


@pytest.mark.thorough
def test_on_parquet_there_is_nothing_to_do(new_project):
    text = MODEL.replace(", changelog=true", "")
    files = {"models/parquet/customers.sql": text, "models/sources.yml": SOURCES}
    project = new_project(files, "maintain")
    project.table("events", [("c", 1, "Ada", 1)], COLUMNS)
    project.run("run")
    project.sql(f"drop table {project.place('parquet')}.dbt_changelog_batches")
    assert "Nothing to do: on Parquet each run writes a new state" in maintain(project)
