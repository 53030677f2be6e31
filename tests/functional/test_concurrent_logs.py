"""Two runs of one to_changelog model at once: one goes on, the other says so."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from .batch_log import changed_log
from .test_changes import COLUMNS, FIRST, PRODUCER, SECOND, SOURCES, consumer

TABLE = """
{{ config(materialized='to_changelog', unique_key='id') }}
select after.id, after.name from {{ source('bronze', 'events') }} where op = 'c'
"""
NEW = [("c", None, (5, "zoe"), 8)]


@pytest.fixture
def project(new_project, home):
    files = {
        "models/sources.yml": SOURCES,
        "models/customers.sql": PRODUCER,
        "models/log.sql": consumer(),
        "models/diff.sql": TABLE,
    }
    project = new_project(files, name="concurrent_logs", home=home)
    project.table("events", FIRST, COLUMNS)
    return project


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("model", "statement", "table", "words"),
    [
        ("log", "alter table", "log", "began batch 2 while this one did"),
        ("diff", "create or replace table", "diff__changes", "staged its changes while this one"),
    ],
)
def test_the_last_to_say_what_it_appends_goes_on(
    project, monkeypatch, model, statement, table, words
):
    project.run("run")
    project.table("events", [*SECOND, *NEW])
    project.run("run", "--select", "customers")
    original, seen = SparkSession.sql, []

    def sql(self, query, *args, **kwargs):
        result = original(self, query, *args, **kwargs)
        if f"{statement} {project.schema}.{table}" in query and not seen:
            seen.append(query)
            name = f"{project.schema}.{table}"
            other = changed_log(project, name, '"run": "', '"run": "x')
            original(self, f"alter table {name} set tblproperties ({other})")
        return result

    monkeypatch.setattr(SparkSession, "sql", sql)
    result = project.run("run", "--select", model, expect_failure=True)
    assert seen
    assert f"Another run of to_changelog model '{model}' {words}" in result.log
    assert "To fix: run the model again; let one run of it end before the next" in result.log
    monkeypatch.undo()
    assert project.sql(f"select distinct _batch_id from {model}") == [(1,)]
    project.run("run", "--select", model)
    project.run("run", "--select", model)
    counts = "select _batch_id, count(*) from {} group by 1 order by 1"
    expected = [(1, 3), (2, 6)] if model == "log" else [(1, 3), (2, 1)]
    assert project.sql(counts.format(model)) == expected
