"""A run that fails after any statement, then a run: as if nothing had happened."""

from __future__ import annotations

import pytest

from .batch_log import table_log
from .project import STORAGES, WITH_CHANGELOG

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
    "changelog_against_state": f"{KEYED}, changelog=true, state_ttl='0'",
    "keyless": KEYLESS,
    "keyless_changelog": f"{KEYLESS}, changelog=true",
}
LAST = ["contents view", "batches row"]
# a batch that makes the state is committed by the statement that writes it
CASES = {
    ("contents", "first_run"): ["write state"],
    ("contents", "next_run"): ["write state", "commit batch", *LAST],
    ("contents", "full_refresh"): ["write state"],
    ("changelog_against_state", "first_run"): ["stage changes", "append changelog", "write state"],
    ("changelog_against_state", "next_run"): [
        "stage changes",
        "append changelog",
        "write state",
        "commit batch",
    ],
    # one that was only staged was no refresh: a plain run after it is a plain run
    ("changelog_against_state", "full_refresh"): ["append changelog", "write state"],
    ("keyless", "next_run"): ["stage changes", "write state", "commit batch"],
    ("keyless_changelog", "next_run"): [
        "stage changes",
        "append changelog",
        "write state",
        "commit batch",
    ],
    ("keyless_changelog", "full_refresh"): ["append changelog", "write state"],
}

THOROUGH = [
    ("changelog_against_state", "first_run"),
    ("changelog_against_state", "full_refresh"),
    ("keyless", "next_run"),
    ("keyless_changelog", "full_refresh"),
]

# the others run on Delta alone: the steps are the same, and all of them took twelve minutes
FORMATS = {
    ("contents", "next_run"): STORAGES,
    ("changelog_against_state", "next_run"): WITH_CHANGELOG,
}


def model_name(storage, statement):
    return f"{storage}_after_{statement.replace(' ', '_')}"


def outcome(project, storage, model, has_changelog):
    """All that a run leaves but the times of its writing and the model's own name."""
    table = project.state(storage, model)
    log = table_log(project, table)
    log["plan"].pop("uid")
    state = project.sql(f"select * except (_changed_at) from {table} order by id, name")
    contents = project.sql(f"select * from {project.contents(storage, model)} order by id")
    changelog = has_changelog and project.sql(
        f"select * from {project.place(storage)}.{model}__changelog"
        " order by _batch_id, _sequence, _ordinal, _row_kind, id"
    )
    return contents, state, log, changelog


@pytest.mark.parametrize(
    ("config", "when"),
    [pytest.param(*case, marks=pytest.mark.thorough if case in THOROUGH else []) for case in CASES],
)
def test_recovers_from_a_failure_after_every_statement(new_project, config, when):
    logged, statements = "changelog" in config, CASES[config, when]
    text = MODEL.replace("MORE", CONFIGS[config])
    storages = FORMATS.get((config, when), ["delta"])
    paths = [
        f"models/{storage}/{model_name(storage, statement)}.sql"
        for storage in storages
        for statement in ["never", *statements]
    ]
    files = {"models/sources.yml": SOURCES, **dict.fromkeys(paths, text)}
    project = new_project(files, name="recovery", threads=2)
    project.table("events", FIRST, COLUMNS)
    arguments = ["--full-refresh"] if when == "full_refresh" else []
    if when != "first_run":
        project.run("run")
        project.table("events", SECOND)
    for statement in statements:
        # where each run writes a new state, the view commits it
        failing = [s for s in storages if (s, statement) != ("parquet", "commit batch")]
        result = project.run(
            "run",
            *("--select", *(model_name(storage, statement) for storage in failing), *arguments),
            vars={"dbt_changelog_fail_after": statement},
            expect_failure=True,
        )
        for storage in failing:
            message = result.nodes[model_name(storage, statement)].message
            assert f"Failed on purpose after '{statement}'" in message
    never = [model_name(storage, "never") for storage in storages]
    project.run("run", "--select", *never, *arguments)
    expected = outcome(project, "delta", never[0], logged)
    assert len(expected[0]) == 2
    assert expected[2]["batch"]["id"] == (1 if when == "first_run" else 2)
    project.run("run")
    for storage in storages:
        for statement in ["never", *statements]:
            model = model_name(storage, statement)
            assert outcome(project, storage, model, logged) == expected, model
