"""A run that fails after any statement, then a run: as if nothing had happened."""

from __future__ import annotations

import pytest

from .batch_log import table_log
from .conftest import usual
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
LIVE = [(3, "Bob"), (4, "eve")]
VERSIONS = [
    *[(1, "ada", 1, 4, False), (2, "bob", 2, 3, False), (3, "Bob", 5, None, True)],
    *[(3, "bob", 3, 5, False), (4, "eve", 6, None, True)],
]
KEYED = "unique_key='id', sequence_by='lsn', read={'column': 'lsn'}"
CONFLICTS = f"{KEYED}, on_conflict='DEDUPLICATE'".replace("'lsn'}", "'lsn', 'strict': true}")
KEYLESS = "read={'column': 'lsn', 'strict': true}"
CONFIGS = {
    "contents": KEYED,
    "changelog_against_state": f"{KEYED}, changelog=true, state_ttl='0'",
    "keyless": KEYLESS,
    "keyless_changelog": f"{KEYLESS}, changelog=true",
    "conflicts": CONFLICTS,
    "conflicts_changelog": f"{CONFLICTS}, changelog=true",
    "versions_changelog": f"{KEYED}, changelog=true, stored_as_scd_type=2",
    "parts_changelog": f"{KEYED}, changelog=true, ignore_null_updates=true",
    "appended_changelog": f"{KEYED}, changelog=true, state_ttl='0', merge='on_read'",
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
    ("conflicts", "next_run"): [
        "stage changes",
        "write state",
        "commit batch",
        "count rows",
        *LAST,
    ],
    ("conflicts_changelog", "next_run"): [
        "stage changes",
        "append changelog",
        "count late changes",
        "write state",
        "commit batch",
    ],
    ("conflicts_changelog", "full_refresh"): ["append changelog", "write state"],
    ("versions_changelog", "next_run"): [
        "stage changes",
        "append changelog",
        "write state",
        "commit batch",
        "contents view",
        "current view",
    ],
    ("versions_changelog", "full_refresh"): ["append changelog", "write state"],
    ("parts_changelog", "next_run"): [
        "stage changes",
        "append changelog",
        "write state",
        "commit batch",
    ],
    ("parts_changelog", "full_refresh"): ["append changelog", "write state"],
    ("appended_changelog", "next_run"): [
        "stage changes",
        "append changelog",
        "write state",
        "commit batch",
    ],
    ("appended_changelog", "full_refresh"): ["append changelog", "write state"],
}

USUAL = [("delta", "changelog_against_state", "next_run")]
# all on Delta; the steps of the other formats are the same
EVERY = [
    *(("delta", *case) for case in CASES),
    *((storage, "contents", "next_run") for storage in STORAGES[1:]),
    ("iceberg", "changelog_against_state", "next_run"),
    ("iceberg", "keyless_changelog", "next_run"),
    ("iceberg", "conflicts_changelog", "next_run"),
    ("iceberg", "appended_changelog", "next_run"),
]


def model_name(storage, statement):
    return f"{storage}_after_{statement.replace(' ', '_')}"


def outcome(project, storage, model, has_changelog):
    """All that a run leaves but the times of its writing and the model's own name."""
    table = project.state(storage, model)
    log = table_log(project, table)
    log["plan"].pop("uid")
    # a run that finishes another one's batch does not know of which versions it was
    log["batch"].pop("stamps", None)
    state = project.sql(f"select * except (_changed_at) from {table} order by all")
    contents = project.sql(f"select * from {project.contents(storage, model)} order by all")
    changelog = has_changelog and project.sql(
        f"select * from {project.place(storage)}.{model}__changelog order by all"
    )
    return contents, state, log, changelog


@pytest.mark.parametrize(
    ("storage", "config", "when"),
    usual(EVERY, USUAL),
)
def test_recovers_from_a_failure_after_every_statement(new_project, storage, config, when):
    logged, statements = "changelog" in config, CASES[config, when]
    if storage == "parquet":
        # each run writes a new state, and the view commits it
        statements = [statement for statement in statements if statement != "commit batch"]
    elif when == "next_run":
        # a view that is there as it should be stays
        statements = [statement for statement in statements if not statement.endswith(" view")]
    text = MODEL.replace("MORE", CONFIGS[config])
    models = [model_name(storage, statement) for statement in ["never", *statements]]
    files = {f"models/{storage}/{model}.sql": text for model in models}
    # the batches table of a schema with Parquet alone is Parquet, written by one at a time
    threads = 1 if storage == "parquet" else 2
    project = new_project({"models/sources.yml": SOURCES, **files}, "recovery", threads)
    project.table("events", FIRST, COLUMNS)
    arguments = ["--full-refresh"] if when == "full_refresh" else []
    if when != "first_run":
        project.run("run")
        project.table("events", SECOND)
    never, *failed = models
    for model, statement in zip(failed, statements, strict=True):
        result = project.run(
            "run",
            *("--select", model, *arguments),
            vars={"dbt_changelog_fail_after": statement},
            expect_failure=True,
        )
        assert f"Failed on purpose after '{statement}'" in result.nodes[model].message
    project.run("run", "--select", never, *arguments)
    expected = outcome(project, storage, never, logged)
    live = VERSIONS if "versions" in config else LIVE
    assert expected[0] == ([(1, "ada"), (3, "bob")] if when == "first_run" else live)
    assert expected[2]["batch"]["id"] == (1 if when == "first_run" else 2)
    again = project.run("run")
    assert "Finished batch " in again.log or not logged
    for model in models:
        assert outcome(project, storage, model, logged) == expected, model
