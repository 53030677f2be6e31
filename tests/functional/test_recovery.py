"""A run that fails after any statement, then a run: as if nothing had happened."""

from __future__ import annotations

import pytest

from .batch_log import batch_log

MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
          before='before', after='after', read={'column': 'lsn'},
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
COLUMNS = """op string, before struct<id int, name string>, after struct<id int, name string>,
             lsn int"""
FIRST = [
    ("c", None, (1, "ada"), 1),
    ("c", None, (2, "bob"), 2),
    ("u", (2, "bob"), (3, "bob"), 3),
]
SECOND = [("d", (1, "ada"), None, 4), ("u", (3, "bob"), (3, "Bob"), 5), ("c", None, (4, "eve"), 6)]
STATEMENTS = ["write state", "commit batch", "contents view", "batches row"]
# the first batch is committed by the statement that writes it
STATEMENTS_OF = {
    "first_run": [name for name in STATEMENTS if name != "commit batch"],
    "next_run": STATEMENTS,
    "full_refresh": [name for name in STATEMENTS if name != "commit batch"],
}


def model_name(statement):
    return "after_" + statement.replace(" ", "_")


@pytest.fixture
def project(new_project):
    files = {f"models/{model_name(name)}.sql": MODEL for name in STATEMENTS}
    project = new_project(
        {"models/never.sql": MODEL, "models/sources.yml": SOURCES, **files}, name="recovery"
    )
    project.table("events", FIRST, COLUMNS)
    return project


def outcome(project, model):
    """All that a run leaves but the times of its writing and the model's own name."""
    log = batch_log(project, model)
    log["plan"].pop("uid")
    state = project.sql(f"select * except (_changed_at) from {model}__state order by id")
    return project.sql(f"select * from {model} order by id"), state, log


@pytest.mark.parametrize("when", STATEMENTS_OF)
def test_recovers_from_a_failure_after_every_statement(project, when):
    arguments = ["--full-refresh"] if when == "full_refresh" else []
    if when != "first_run":
        project.run("run")
        project.table("events", SECOND)
    for statement in STATEMENTS_OF[when]:
        select = ["--select", model_name(statement)]
        result = project.run(
            "run", *select, *arguments,
            vars={"dbt_changelog_fail_after": statement}, expect_failure=True,
        )  # fmt: skip
        assert f"Failed on purpose after '{statement}'" in result.log
    project.run("run", "--select", "never", *arguments)
    expected = outcome(project, "never")
    assert len(expected[0]) == 2
    assert expected[2]["batch"]["id"] == (1 if when == "first_run" else 2)
    project.run("run")
    assert outcome(project, "never") == expected
    for statement in STATEMENTS_OF[when]:
        assert outcome(project, model_name(statement)) == expected, statement
