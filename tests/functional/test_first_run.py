"""A from_changelog model: first run, next runs, empty batches."""

from __future__ import annotations

import pytest

MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
          op_mapping={'c, r': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'},
          read={'column': 'lsn'}) }}
select op, id, name, lsn from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
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
    project.table(
        "events",
        [("c", 1, "ada", 1), ("c", 2, "bob", 2), ("u", 1, "Ada", 3), ("d", 2, None, 4)],
        "op string, id int, name string, lsn int",
    )
    return project


def test_first_run_then_new_rows(project):
    print(project.run("run").log)
    print(project.ran("customers"))
    assert project.sql("select * from customers") == [(1, "Ada", 3)]
    project.table("events", [("u", 1, "Lovelace", 5), ("c", 2, "Bob", 6), ("u", 1, "late", 2)])
    print(project.run("run").log)
    print(project.ran("customers"))
    assert project.sql("select id, name from customers order by id") == [
        (1, "Lovelace"),
        (2, "Bob"),
    ]
    print(project.sql("select * from dbt_changelog_batches"))
    print(project.run("run").nodes)
    print(project.run("run-operation", "show_plan", "--args", "{model: customers}").log)
