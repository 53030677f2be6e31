"""The versions of a model are models of their own, each called by its name and version."""

from __future__ import annotations

import pytest

MODEL = """{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn') }}}}
select 'INSERT' as op, {version} as id, lsn from {{{{ source('bronze', 'events') }}}}
"""
YML = """
sources: [{name: bronze, schema: "{{ target.schema }}", tables: [{name: events}]}]
models:
  - name: cust_v
    latest_version: 2
    versions: [{v: 1}, {v: 2}, {v: 3}]
"""
ON = {"dbt_changelog_monitoring": True}


@pytest.fixture(scope="module")
def project(new_project):
    files = {f"models/cust_v_v{n}.sql": MODEL.format(version=n) for n in (1, 2, 3)}
    project = new_project({**files, "models/models.yml": YML}, name="versions")
    project.table("events", [(7,)], "lsn int")
    project.run("run", "--select", "cust_v", vars=ON)
    project.run("run", "--select", "package:dbt_changelog", vars=ON)
    return project


@pytest.mark.parametrize(
    "relation", ["changelog_batch_rates", "changelog_health", "changelog_state_sizes"]
)
def test_monitoring_names_the_version(project, relation):
    found = project.sql(f"select model from {relation} order by model")
    assert [row.model for row in found] == ["cust_v.v1", "cust_v.v2", "cust_v.v3"]


@pytest.mark.parametrize(
    ("name", "found"),
    [("cust_v", "cust_v.v2"), ("cust_v.v1", "cust_v.v1"), ("cust_v.v3", "cust_v.v3")],
)
def test_an_operation_finds_a_version(project, capsys, name, found):
    capsys.readouterr()
    project.run("run-operation", "diagnose", "--args", f"{{model: {name}}}")
    printed = capsys.readouterr().out
    assert f"from_changelog model '{found}': 1 events, nothing is wrong" in printed
    assert "against the state after batch 1: 0 new changes, 1 duplicates" in printed


def test_an_unknown_version_is_an_error_that_lists_them(project):
    result = project.run(
        "run-operation", "show_plan", "--args", "{model: cust_v.v4}", expect_failure=True
    )
    assert "They are: cust_v.v1, cust_v.v2, cust_v.v3" in result.log
    assert "To fix: write --args '{model: cust_v.v" in result.log


def test_a_message_names_the_version(project):
    project.write("models/cust_v_v1.sql", MODEL.format(version="cast(null as int)"))
    result = project.run("run", "--select", "cust_v.v1", expect_failure=True)
    assert "Invalid 'unique_key' in from_changelog model 'cust_v.v1'" in result.log
