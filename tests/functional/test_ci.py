"""Two targets of one project: what dbt clone and --defer do with models of ours."""

from __future__ import annotations

import shutil

import pytest

from .project import DBT_PROJECT

CUSTOMERS = """{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
  changelog=true) }}
select op, id, name, lsn from {{ source('bronze', 'events') }}
"""
LOG = """{{ config(materialized='to_changelog', unique_key='id') }}
select * from {{ dbt_changelog.changes(ref('customers')) }}
"""
NAMES = """{{ config(materialized='from_changelog', op_mapping={'INSERT': 'INSERT'},
  read={'column': 'lsn', 'strict': true}) }}
select op, name from {{ dbt_changelog.new_rows(source('bronze', var('events', 'events'))) }}
"""
DUMP = """{{ config(materialized='to_changelog', unique_key='id') }}
select * from {{ ref('customers') }}
"""
SHOWN = """{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
  contents_schema=target.schema ~ '_shown') }}
select op, id, name, lsn from {{ source('bronze', var('events', 'events')) }}
"""
PROFILE = """
functional:
  target: prod
  outputs:
    prod: {{type: spark, method: session, host: NA, schema: {0}_prod, threads: 1}}
    ci: {{type: spark, method: session, host: NA, schema: {0}_ci, threads: 1}}
"""


@pytest.fixture(scope="module")
def project(new_project):
    """Production has run, and left its manifest in state/."""
    files = {
        "models/customers.sql": CUSTOMERS,
        "models/log.sql": LOG,
        "models/dump.sql": DUMP,
        "models/names.sql": NAMES,
        "models/total.sql": "select count(*) as n from {{ ref('customers') }}",
        "models/shown.sql": SHOWN,
        "models/last.sql": "select max(id) as n from {{ ref('shown') }}",
    }
    project = new_project(files, name="ci")
    sources = "sources: [{{name: bronze, schema: {}, tables: [{{name: events}}, {{name: moved}}]}}]"
    project.write("models/sources.yml", sources.format(project.schema))
    settings = DBT_PROJECT.format(schema="x", home="delta")
    project.write("dbt_project.yml", settings.replace("write_json: false", "write_json: true"))
    project.write("profiles.yml", PROFILE.format(project.schema))
    columns = "op string, id int, name string, lsn int"
    project.table("events", [("INSERT", 1, "ada", 1), ("INSERT", 2, "bob", 2)], columns)
    project.table("moved", [("INSERT", 1, "ada", 1), ("INSERT", 3, "cyd", 3)], columns)
    project.run("run")
    shutil.copytree(project.root / "target", project.root / "state")
    return project


def in_ci(project, *args, **options):
    project.target = "ci"
    return project.run(*args, "--state", str(project.root / "state"), **options)


def rows(project, model):
    return project.sql(f"select * from {project.schema}_ci.{model}")


@pytest.mark.thorough
def test_with_defer_a_model_reads_the_contents_and_the_changelog_of_production(project):
    chosen = ["--defer", "--select", "total", "log"]
    in_ci(project, "run", *chosen)
    assert rows(project, "total") == [(2,)]
    assert {(row.op, row.id) for row in rows(project, "log")} == {("INSERT", 1), ("INSERT", 2)}
    assert in_ci(project, "run", *chosen).nodes["log"].message == "nothing new"


def test_with_defer_a_model_reads_what_was_built_beside_it_in_another_schema(project):
    chosen = ["run", "--defer", "--select", "last"]
    in_ci(project, *chosen)
    assert rows(project, "last") == [(2,)]
    in_ci(project, "run", "--select", "shown", vars={"events": "moved"})
    in_ci(project, *chosen)
    assert rows(project, "last") == [(3,)]
    in_ci(project, *chosen, "--favor-state")
    assert rows(project, "last") == [(2,)]


@pytest.mark.thorough
def test_a_log_that_was_cloned_does_not_say_everything_twice(project):
    project.sql(f"drop table if exists {project.schema}_ci.log")
    logs = "config.materialized:to_changelog"
    assert not {"log", "dump"} & set(in_ci(project, "clone", "--exclude", logs).nodes)
    in_ci(project, "clone", "--select", logs)
    # a view of production's, which a run replaces; its state is made of the source
    in_ci(project, "run", "--select", "customers")
    assert len(rows(project, "customers__state")) == 2
    result = in_ci(project, "run", "--select", "log", "dump", expect_failure=True)
    log, dump = result.nodes["log"].message, result.nodes["dump"].message
    assert f"has what {project.schema}_prod.customers__changelog said" in log
    assert "To fix: run it with --full-refresh" in log
    assert f"the table {project.schema}_ci.dump__state" in dump and "or rename or drop" in dump
    assert len(rows(project, "log")) == 2
    in_ci(project, "run", "--select", "log", "--full-refresh")
    assert len(rows(project, "log")) == 2
    project.sql(f"drop table {project.schema}_ci.dump")
    in_ci(project, "run", "--select", "dump")
    assert len(rows(project, "dump")) == 2


def test_a_source_of_another_name_is_not_counted_beside_the_old_one(project):
    project.target = "prod"
    moved = {"events": "moved"}
    result = project.run("run", "--select", "names", vars=moved, expect_failure=True)
    message = result.nodes["names"].message
    assert f"it reads {project.schema}.moved" in message
    project.run("run", "--select", "names", "--full-refresh", vars=moved)
    assert sorted(project.sql(f"select name from {project.schema}_prod.names")) == [
        ("ada",),
        ("cyd",),
    ]
