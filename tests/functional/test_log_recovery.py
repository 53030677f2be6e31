"""to_changelog: a run that fails after any statement, then a run. A log has each batch once."""

from __future__ import annotations

import pytest

from .batch_log import table_log
from .conftest import usual

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: accounts}, {name: events}]
"""
TABLE = """
{{ config(materialized='to_changelog', MORE) }}
select *, uuid() as token from {{ source('bronze', 'accounts') }}
"""
PRODUCER = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn', changelog=true,
          read={'column': 'lsn'}) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
CHANGES = """
{{ config(materialized='to_changelog', MORE) }}
select *, uuid() as token from {{ dbt_changelog.changes(ref('producer')) }}
"""
FEED = CHANGES.replace("ref('producer')", "source('bronze', 'accounts')")
ACCOUNTS = "id int, name string"
EVENTS = "op string, id int, name string, lsn int"
QUERIES = {
    "table": (TABLE, "unique_key='id'"),
    "bag": (TABLE, ""),
    "changes": (CHANGES, "unique_key='id'"),
    "feed": (FEED, "unique_key='id'"),
}
TAIL = ["commit batch", "batches row"]
CASES = {
    ("table", "first_run"): ["stage changes", "append changelog", "write state", *TAIL],
    ("table", "next_run"): ["stage changes", "append changelog", "write state", *TAIL],
    ("table", "full_refresh"): ["append changelog", "write state"],
    ("bag", "next_run"): ["stage changes", "append changelog", "write state", "commit batch"],
    ("changes", "first_run"): ["append changelog", *TAIL],
    ("changes", "next_run"): ["plan batch", "append changelog", *TAIL],
    # one that was only written down was no refresh
    ("changes", "full_refresh"): ["append changelog"],
    ("feed", "next_run"): ["plan batch", "append changelog", "commit batch"],
}


def model_name(storage, statement):
    return f"{storage}_after_{statement.replace(' ', '_')}"


def outcome(project, storage, model):
    """All that a run leaves but random values, times and the model's own name."""
    place = project.place(storage)
    log = table_log(project, f"{place}.{model}")
    log["plan"].pop("uid")
    events = project.sql(
        f"select * except (token) from {place}.{model} order by _batch_id, id, _position, op, name"
    )
    return log, events


def agrees_with_its_state(project, model):
    """The query is random: what the log says last of each row is what the state has."""
    said = project.sql(
        f"select max_by(token, struct(_batch_id, _position)) as token from {model} group by id"
        " having max_by(op, struct(_batch_id, _position)) <> 'DELETE'"
    )
    kept = project.sql(f"select token from {model}__state")
    return sorted(said) == sorted(kept)


def land(project, batch):
    if batch == 1:
        project.table("accounts", [(1, "ada"), (2, "bob")], ACCOUNTS)
        project.sql("alter table accounts set tblproperties (delta.enableChangeDataFeed = true)")
        events = [("INSERT", 1, "ada", 1), ("INSERT", 2, "bob", 2)]
        project.table("events", events, EVENTS)
    else:
        project.sql("insert overwrite accounts values (2, 'Bob'), (3, 'eve')")
        events = [("DELETE", 1, None, 3), ("UPDATE_AFTER", 2, "Bob", 4), ("INSERT", 3, "eve", 5)]
        project.table("events", events)


USUAL = [("delta", "table", "next_run")]
# all on Delta; the steps of the other format are the same
EVERY = [
    *(("delta", *case) for case in CASES),
    *(("iceberg", query, "next_run") for query in ("table", "changes")),
]


@pytest.mark.parametrize(
    ("storage", "query", "when"),
    usual(EVERY, USUAL),
)
def test_recovers_from_a_failure_after_every_statement(new_project, storage, query, when):
    statements, (text, more) = CASES[query, when], QUERIES[query]
    paths = [
        f"models/{storage}/{model_name(storage, statement)}.sql"
        for statement in ["never", *statements]
    ]
    files = {
        "models/sources.yml": SOURCES,
        "models/producer.sql": PRODUCER,
        **dict.fromkeys(paths, text.replace("MORE", more)),
    }
    project = new_project(files, name="log_recovery", threads=2)
    land(project, 1)
    arguments = ["--full-refresh"] if when == "full_refresh" else []
    project.run("run", *(["--select", "producer"] if when == "first_run" else []))
    if when != "first_run":
        land(project, 2)
        project.run("run", "--select", "producer")
    for statement in statements:
        name = model_name(storage, statement)
        result = project.run(
            "run",
            *("--select", name, *arguments),
            vars={"dbt_changelog_fail_after": statement},
            expect_failure=True,
        )
        assert f"Failed on purpose after '{statement}'" in result.nodes[name].message
    never = model_name(storage, "never")
    project.run("run", "--select", never, *arguments)
    expected = outcome(project, storage, never)
    assert expected[0]["batch"]["id"] == (1 if when == "first_run" else 2)
    failed = [model_name(storage, statement) for statement in statements]
    project.run("run", "--select", *failed)
    for model in failed:
        found, random = outcome(project, storage, model), query in ("table", "bag")
        assert found[1][: len(expected[1])] == expected[1], model
        # a random query has new rows in each run
        assert random or found[0]["batch"]["id"] == expected[0]["batch"]["id"], model
        if query == "table":
            assert agrees_with_its_state(project, f"{project.place(storage)}.{model}"), model
        counts = project.sql(
            f"select _batch_id, count(*) as n, count(distinct id, op, _position) as d"
            f" from {project.place(storage)}.{model} group by 1"
        )
        assert all(row.n == row.d for row in counts), model
