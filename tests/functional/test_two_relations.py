"""A model whose query has new_rows of two relations."""

from __future__ import annotations

import pytest

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: east}, {name: west, identifier: "{{ var('west', 'west') }}"}]
"""
QUERY = """
select * from {{ dbt_changelog.new_rows(source('bronze', 'east')) }}
union all
select * from {{ dbt_changelog.new_rows(source('bronze', 'west')) }}
"""
COLUMNS = "op string, id int, at timestamp, seen int"
KEYLESS = "read={'column': 'seen', 'strict': true}"
WATERMARK = """unique_key='id', sequence_by='at', watermark='5 minutes', passthrough='seen',
    read={'column': 'seen'"""


def model(config: str) -> str:
    return "{{ config(materialized='from_changelog', " + config + ") }}" + QUERY


@pytest.fixture
def make(new_project, home):
    def make(**configs: str):
        files = {f"models/{name}.sql": model(config) for name, config in configs.items()}
        project = new_project(files | {"models/sources.yml": SOURCES}, home=home)
        for number, name in enumerate(["east", "west"]):
            project.sql(f"create table {name} ({COLUMNS})")
            project.sql(f"insert into {name} select 'INSERT', {number}, timestamp'2024-01-01', 1")
        return project

    return make


def test_one_that_has_another_name_is_not_counted_twice(make):
    project = make(rows=KEYLESS)
    project.run("run")
    project.sql("create table moved as select * from west")
    message = project.run("run", vars={"west": "moved"}, expect_failure=True).nodes["rows"].message
    assert f"it reads {project.schema}.moved, but" in message
    assert f"has what {project.schema}.west said" in message
    assert project.run("run").nodes["rows"].message == "nothing new"
    assert len(project.sql("select * from rows")) == 2


def test_a_watermark_needs_to_know_what_is_read_again(make):
    project = make(again=WATERMARK + "}", once=WATERMARK + ", 'strict': true}")
    nodes = project.run("run", expect_failure=True).nodes
    assert nodes["once"].status == "success", nodes["once"].message
    assert "Invalid 'watermark' in from_changelog model 'again'" in nodes["again"].message
    assert f"new_rows of {project.schema}.east and {project.schema}.west" in nodes["again"].message
    assert "again__state" not in project.tables()
