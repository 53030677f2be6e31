"""new_rows(.., where=..): a model of one table in a log of many reads its own part."""

from __future__ import annotations

import pytest

MODEL = """
{{ config(materialized='from_changelog', MORE,
          op_mapping={'c': 'INSERT', 'd': 'DELETE', 'u': 'KIND'}) }}
select op, id, name, at from {{ dbt_changelog.new_rows(
  source('bronze', 'log'), where="source.table = 'NAME'") }}
"""
KEYED = "unique_key='id', sequence_by='at', read={'column': 'at'}"
KEYLESS = "read={'column': 'at', 'strict': true}"
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: log}]
"""
COLUMNS = "source struct<table string>, op string, id int, name string, at int"


def event(table, op, key, name, at):
    return ((table,), op, key, name, at)


def test_each_model_reads_its_part_once(new_project):
    models = {"customers": (KEYED, "UPDATE_AFTER"), "visits": (KEYLESS, "INSERT")}
    project = new_project({
        "models/sources.yml": SOURCES,
        **{
            f"models/{name}.sql": MODEL.replace("MORE", more).replace("NAME", name)
            .replace("KIND", kind)
            for name, (more, kind) in models.items()
        },
    }, name="many_tables")  # fmt: skip

    def messages():
        nodes = project.run("run").nodes
        return [(nodes[name].message or "").split(",")[0] for name in models]

    def names(model):
        return sorted(row.name for row in project.sql(f"select name from {model}"))

    first = [event("customers", "c", 1, "ada", 1), event("visits", "c", 1, "home", 2)]
    project.table("log", [*first, event("others", "?", None, "x", None)], COLUMNS)
    assert messages() == ["batch 1", "batch 1"]
    assert (names("customers"), names("visits")) == (["ada"], ["home"])
    # where only others came there is nothing new
    project.table("log", [event("visits", "c", 1, "shop", 3), event("others", "?", 1, "x", 9)])
    assert messages() == ["nothing new", "batch 2"]
    assert (names("customers"), names("visits")) == (["ada"], ["home", "shop"])
    # its own event comes with a lower value than that of the others
    project.table("log", [event("customers", "u", 1, "Ada", 7)])
    assert messages() == ["batch 2", "nothing new"]
    assert (names("customers"), names("visits")) == (["Ada"], ["home", "shop"])
    project.run("run", "--full-refresh")
    assert (names("customers"), names("visits")) == (["Ada"], ["home", "shop"])


@pytest.mark.thorough
def test_a_table_that_has_no_event_yet(new_project):
    text = MODEL.replace("MORE", KEYED).replace("NAME", "customers").replace("KIND", "INSERT")
    project = new_project({"models/sources.yml": SOURCES, "models/customers.sql": text}, "many")
    project.table("log", [event("others", "?", 1, "x", 4)], COLUMNS)
    project.run("run")
    assert project.sql("select * from customers") == []
    project.table("log", [event("customers", "c", 1, "ada", 3)])
    project.run("run")
    assert project.sql("select id, name from customers") == [(1, "ada")]
