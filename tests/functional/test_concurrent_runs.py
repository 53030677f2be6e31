"""Two runs of one model at once: one wins, the other says so, and nothing is lost."""

from __future__ import annotations

import threading
import time

import pytest
from pyspark.sql import SparkSession

from .batch_log import changed_log

MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}, read={'column': 'lsn'}) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""


@pytest.fixture(params=["delta", pytest.param("iceberg", marks=pytest.mark.thorough)])
def project(new_project, request):
    """customers: the model, tables: what its tables' names begin with, path: its file."""
    path = f"models/{request.param}/customers.sql"
    project = new_project({path: MODEL, "models/sources.yml": SOURCES})
    project.table("events", [("c", 1, "ada", 1)], "op string, id int, name string, lsn int")
    project.path, project.storage = path, request.param
    project.customers = project.contents(request.param, "customers")
    project.tables = f"{project.place(request.param)}.customers"
    return project


@pytest.fixture
def when(monkeypatch, spark):
    """Do something else just before the first (second, ..) statement that contains a text.

    It is done in a session of its own, which has no cache in common with that of dbt: as another
    process would do it.
    """
    original = SparkSession.sql
    other = spark.newSession()

    def arrange(text, action, time=1):
        seen = []

        def sql(self, query, *args, **kwargs):
            if text in query:
                seen.append(query)
                if len(seen) == time:
                    action(lambda text: original(other, text))
            return original(self, query, *args, **kwargs)

        monkeypatch.setattr(SparkSession, "sql", sql)

    return arrange


@pytest.mark.parametrize(
    "project", ["delta", pytest.param("iceberg", marks=pytest.mark.thorough)], indirect=True
)
def test_other_run_committed_the_same_batch(project, when, monkeypatch):
    project.run("run")
    project.table("events", [("u", 1, "Ada", 2)])
    log = foreign_log(project, batch_id=2)
    when(
        "merge into", lambda sql: sql(f"alter table {state_of(project)} set tblproperties ({log})")
    )
    result = project.run("run", expect_failure=True)
    assert "Another run of from_changelog model 'customers' committed batch 2" in result.log
    assert "To fix: run the model again" in result.log
    monkeypatch.undo()
    project.run("run")
    assert project.sql(f"select name from {project.customers}") == [("Ada",)]


@pytest.mark.thorough
def test_other_run_made_the_state_first(project, when):
    project.run("run")
    log = foreign_log(project, batch_id=7)
    project.sql(f"drop view {project.customers}")
    project.sql(f"drop table {state_of(project)}")
    file_format = "delta" if project.storage == "delta" else "iceberg"
    made = f"create table {state_of(project)} (id int) using {file_format} tblproperties ({log})"
    # what the guard of the first statement asks
    name = state_of(project).split(".")[-1]
    when(f"like '{name}'", lambda sql: sql(made))
    result = project.run("run", expect_failure=True)
    assert "committed a batch while this one worked on batch 2" in result.log
    assert "To fix: run the model again" in result.log
    assert project.sql(f"select * from {state_of(project)}") == []


@pytest.mark.parametrize("project", ["delta"], indirect=True)
def test_another_run_under_a_merge_kills_it(project, spark, monkeypatch, tmp_path):
    """Delta refuses it when only properties changed: the words are ours."""
    project.run("run")
    project.table("events", [("u", 1, "Ada", 2)])
    log, session = foreign_log(project, batch_id=2), spark.newSession()
    change = f"alter table {state_of(project)} set tblproperties ({log})"
    reached, opened, original = tmp_path / "reached", tmp_path / "opened", SparkSession.sql

    def wait_for(file):
        for _ in range(600):
            if file.exists():
                return
            time.sleep(0.1)
        raise AssertionError(f"no {file.name} after a minute")

    def gate(_):
        """The MERGE reads its first event: it waits here until the other run has written."""
        reached.touch()
        wait_for(opened)
        return True

    def write_meanwhile():
        wait_for(reached)
        original(session, change)
        opened.touch()

    def sql(self, query, *args, **kwargs):
        if "merge into" not in query:
            return original(self, query, *args, **kwargs)
        before, checks = query.split("\n  where case", 1)
        other = threading.Thread(target=write_meanwhile)
        other.start()
        try:
            return original(self, f"{before}\n  where gate(op) and case{checks}", *args, **kwargs)
        finally:
            other.join()

    spark.udf.register("gate", gate, "boolean")
    monkeypatch.setattr(SparkSession, "sql", sql)
    result = project.run("run", expect_failure=True)
    assert f"Another run wrote {state_of(project)} while this one did" in result.log
    assert "To fix: run the model again" in result.log
    monkeypatch.undo()
    project.run("run")
    assert project.sql(f"select name from {project.customers}") == [("Ada",)]


@pytest.mark.thorough
def test_other_run_staged_its_changes(project, when, monkeypatch):
    project.write(project.path, MODEL.replace("read=", "changelog=true, read="))
    project.run("run")
    project.table("events", [("u", 1, "Ada", 2)])

    def stage(sql):
        sql(f"alter table {project.tables}__changes set tblproperties ({other_staged()})")

    def other_staged():
        table = f"{project.tables}__changes"
        return changed_log(project, table, '"run": "', '"run": "x')

    when("insert into", stage)
    result = project.run("run", expect_failure=True)
    assert "Another run of from_changelog model 'customers' staged its changes" in result.log
    monkeypatch.undo()
    # what it staged is finished, once
    project.run("run")
    assert project.sql(f"select name from {project.customers}") == [("Ada",)]
    log = f"{project.tables}__changelog"
    changes = f"select _batch_id, _row_kind, name from {log} order by _batch_id"
    assert project.sql(changes) == [(1, "INSERT", "ada"), (2, "UPDATE_AFTER", "Ada")]


@pytest.mark.thorough
def test_other_run_appended_the_batch(project, when, monkeypatch):
    project.write(project.path, MODEL.replace("read=", "changelog=true, read="))
    project.run("run")
    project.table("events", [("u", 1, "Ada", 2)])
    log = f"{project.tables}__changelog"
    append = f"insert into {log} select * except (_batch_id), 2 from {log}"
    when("create or replace table", lambda sql: sql(append))
    result = project.run("run", expect_failure=True)
    assert "appended batch 2 to the changelog while this one staged it" in result.log
    monkeypatch.undo()
    # a batch is never there twice, and what the other run left half done is said
    assert project.sql(f"select count(*) from {log}") == [(2,)]
    result = project.run("run", expect_failure=True)
    assert "has batch 2, which the state has not" in result.log
    project.sql(f"delete from {log} where _batch_id = 2")
    project.run("run")
    assert project.sql(f"select name from {project.customers}") == [("Ada",)]
    assert project.sql(f"select count(*) from {log} where _batch_id = 2") == [(1,)]


def state_of(project):
    return f"{project.tables}__state"


def foreign_log(project, batch_id):
    """The batch log as another run leaves it: the same with a later id."""
    return changed_log(project, state_of(project), '"id": 1', f'"id": {batch_id}')
