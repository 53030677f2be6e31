"""A run that fails after any statement, then a run: as if nothing had happened."""

from __future__ import annotations

import pytest

from .batch_log import batch_log
from .project import STORAGES

MODEL = """
{{ config(materialized='from_changelog', before='before', after='after', MORE,
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
KEYED = "unique_key='id', sequence_by='lsn', read={'column': 'lsn'}"
KEYLESS = "read={'column': 'lsn', 'strict': true}"
CONFIGS = {
    "contents": KEYED,
    "changelog": f"{KEYED}, changelog=true",
    "changelog_against_state": f"{KEYED}, changelog=true, state_ttl='0'",
    "keyless": KEYLESS,
    "keyless_changelog": f"{KEYLESS}, changelog=true",
}
LAST = ["contents view", "batches row"]
# a batch that makes the state is committed by the statement that writes it
CASES = {
    ("contents", "first_run"): ["write state", *LAST],
    ("contents", "next_run"): ["write state", "commit batch", *LAST],
    ("contents", "full_refresh"): ["write state", *LAST],
    ("changelog", "next_run"): ["stage changes", "append changelog", "write state"],
    ("changelog_against_state", "first_run"): ["stage changes", "append changelog", "write state"],
    ("changelog_against_state", "next_run"): [
        "stage changes",
        "append changelog",
        "write state",
        "commit batch",
    ],
    ("changelog_against_state", "full_refresh"): ["stage changes", "append changelog"],
    ("keyless", "first_run"): ["write state"],
    ("keyless", "next_run"): ["stage changes", "write state", "commit batch", *LAST],
    ("keyless_changelog", "next_run"): [
        "stage changes",
        "append changelog",
        "write state",
        "commit batch",
    ],
    ("keyless_changelog", "full_refresh"): ["stage changes", "append changelog", "write state"],
}


def model_name(storage, statement):
    return f"{storage}_after_{statement.replace(' ', '_')}"


def outcome(project, storage, model, has_changelog):
    """All that a run leaves but the times of its writing and the model's own name."""
    contents, tables = project.contents(storage, model), f"{project.place(storage)}.{model}"
    log = batch_log(project, tables)
    log["plan"].pop("uid")
    state = project.sql(f"select * except (_changed_at) from {tables}__state order by id, name")
    contents = project.sql(f"select * from {contents} order by id")
    changelog = has_changelog and project.sql(
        f"select * from {tables}__changelog order by _batch_id, _sequence, _ordinal, _row_kind, id"
    )
    return contents, state, log, changelog


@pytest.mark.parametrize(("config", "when"), CASES)
def test_recovers_from_a_failure_after_every_statement(new_project, config, when):
    logged, statements = "changelog" in config, CASES[config, when]
    text = MODEL.replace("MORE", CONFIGS[config])
    models = [
        f"models/{storage}/{model_name(storage, statement)}.sql"
        for storage in STORAGES
        for statement in ["never", *statements]
    ]
    files = {"models/sources.yml": SOURCES, **dict.fromkeys(models, text)}
    project = new_project(files, name="recovery", threads=2)
    project.table("events", FIRST, COLUMNS)
    arguments = ["--full-refresh"] if when == "full_refresh" else []
    if when != "first_run":
        project.run("run")
        project.table("events", SECOND)
    for statement in statements:
        result = project.run(
            "run",
            *("--select", *(model_name(storage, statement) for storage in STORAGES), *arguments),
            vars={"dbt_changelog_fail_after": statement},
            expect_failure=True,
        )
        for storage in STORAGES:
            message = result.nodes[model_name(storage, statement)].message
            assert f"Failed on purpose after '{statement}'" in message
    never = [model_name(storage, "never") for storage in STORAGES]
    project.run("run", "--select", *never, *arguments)
    expected = outcome(project, "delta", never[0], logged)
    assert len(expected[0]) == 2
    assert expected[2]["batch"]["id"] == (1 if when == "first_run" else 2)
    project.run("run")
    for storage in STORAGES:
        for statement in ["never", *statements]:
            model = model_name(storage, statement)
            assert outcome(project, storage, model, logged) == expected, model
