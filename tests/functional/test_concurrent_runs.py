"""Two runs of one model at once: one wins, the other says so, and nothing is lost."""

from __future__ import annotations

import threading

import pytest
from pyspark.sql import SparkSession

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


@pytest.fixture
def project(new_project):
    project = new_project({"models/customers.sql": MODEL, "models/sources.yml": SOURCES})
    project.table("events", [("c", 1, "ada", 1)], "op string, id int, name string, lsn int")
    return project


@pytest.fixture
def when(monkeypatch):
    """Do something else just before the first (second, ..) statement that contains a text."""
    original = SparkSession.sql

    def arrange(text, action, time=1):
        seen = []

        def sql(self, query, *args, **kwargs):
            if text in query:
                seen.append(query)
                if len(seen) == time:
                    action(lambda other: original(self, other))
            return original(self, query, *args, **kwargs)

        monkeypatch.setattr(SparkSession, "sql", sql)

    return arrange


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
    assert project.sql("select name from customers") == [("Ada",)]


def test_other_run_made_the_state_first(project, when):
    project.run("run")
    log = foreign_log(project, batch_id=7)
    project.sql("drop view customers")
    project.sql("drop table customers__state")
    made = f"create table {state_of(project)} (id int) using delta tblproperties ({log})"
    # new_rows looks once whether there is a state, the plan of the batch twice, its start once
    when("show tables in", lambda sql: sql(made), time=4)
    result = project.run("run", expect_failure=True)
    assert "committed batch 7 while this one worked on batch 1" in result.log
    assert "To fix: run the model again" in result.log
    assert project.sql("select * from customers__state") == []


def test_property_set_by_another_run_kills_the_merge(project, monkeypatch):
    """Delta refuses a MERGE whose table's properties changed under it: the words are ours."""
    project.run("run")
    project.table("events", [("u", 1, "Ada", 2)])
    log = foreign_log(project, batch_id=2)
    sleep_in_merge = {"seen": False}
    original = SparkSession.sql

    def sql(self, query, *args, **kwargs):
        if "merge into" not in query or sleep_in_merge["seen"]:
            return original(self, query, *args, **kwargs)
        sleep_in_merge["seen"] = True
        slow = query.replace(
            "from events",
            "from (select *, java_method('java.lang.Thread',"
            " 'sleep', 4000L) as _slept from events)",
            1,
        )
        other = threading.Timer(
            1.5,
            lambda: original(self, f"alter table {state_of(project)} set tblproperties ({log})"),
        )
        other.start()
        try:
            return original(self, slow, *args, **kwargs)
        finally:
            other.join()

    monkeypatch.setattr(SparkSession, "sql", sql)
    result = project.run("run", expect_failure=True)
    assert "Another run" in result.log and "To fix: run the model again" in result.log
    monkeypatch.undo()
    project.run("run")
    assert project.sql("select name from customers") == [("Ada",)]


def test_other_run_staged_its_changes(project, when, monkeypatch):
    project.write("models/customers.sql", MODEL.replace("read=", "changelog=true, read="))
    project.run("run")
    project.table("events", [("u", 1, "Ada", 2)])

    def stage(sql):
        sql(f"alter table {project.schema}.customers__changes set tblproperties ({other_staged()})")

    def other_staged():
        return log_of(project, "customers__changes", '"invocation_id": "', '"invocation_id": "x')

    when("insert into", stage)
    result = project.run("run", expect_failure=True)
    assert "Another run of from_changelog model 'customers' staged its changes" in result.log
    monkeypatch.undo()
    # what it staged is finished, once
    project.run("run")
    assert project.sql("select name from customers") == [("Ada",)]
    changes = "select _batch_id, _row_kind, name from customers__changelog order by _batch_id"
    assert project.sql(changes) == [(1, "INSERT", "ada"), (2, "UPDATE_AFTER", "Ada")]


def test_other_run_appended_the_batch(project, when, monkeypatch):
    project.write("models/customers.sql", MODEL.replace("read=", "changelog=true, read="))
    project.run("run")
    project.table("events", [("u", 1, "Ada", 2)])
    log = f"{project.schema}.customers__changelog"
    append = f"insert into {log} select * except (_batch_id), 2 from {log}"
    when("create or replace table", lambda sql: sql(append))
    result = project.run("run", expect_failure=True)
    assert "appended batch 2 to the changelog while this one staged it" in result.log
    monkeypatch.undo()
    # a batch is never there twice, and what the other run left half done is said
    assert project.sql("select count(*) from customers__changelog") == [(2,)]
    result = project.run("run", expect_failure=True)
    assert "has batch 2, which the state has not" in result.log
    project.sql("delete from customers__changelog where _batch_id = 2")
    project.run("run")
    assert project.sql("select name from customers") == [("Ada",)]
    assert project.sql("select count(*) from customers__changelog where _batch_id = 2") == [(1,)]


def state_of(project):
    return f"{project.schema}.customers__state"


def foreign_log(project, batch_id):
    """The batch log as another run leaves it: the same with a later id."""
    return log_of(project, "customers__state", '"id": 1', f'"id": {batch_id}')


def log_of(project, table, text, other):
    """The log in the properties of a table, with another text in it."""
    rows = project.sql(f"show tblproperties {table}")
    properties = {r.key: r.value for r in rows if r.key.startswith("dbt_changelog.log.")}
    document = bytes.fromhex(properties["dbt_changelog.log.0"]).decode()
    assert text in document
    properties["dbt_changelog.log.0"] = document.replace(text, other).encode().hex()
    return ", ".join(f"'{key}' = '{value}'" for key, value in properties.items())
