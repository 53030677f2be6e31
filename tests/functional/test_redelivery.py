"""An event that comes again has another time of ingestion: that must not make it another event."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

FLAT = """{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
  op_mapping={{'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}},
  read={{'column': 'ingested_at'}} {more}) }}}}
select op, id, ingested_at, name, lsn
from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
"""
CARRIED = ", passthrough='Ingested_At'"
MODELS = {
    "compared": "",
    "carried": CARRIED,
    "counted": f"{CARRIED}, counters='full'",
    "emitted": f"{CARRIED}, changelog=true",
    "last": f"{CARRIED}, tie_handling='LAST'",
}
MACRO = """{{ config(materialized='view') }}
{{ dbt_changelog.from_changelog(source('bronze', 'events'), unique_key='id', sequence_by='lsn',
  op_mapping={'c, u': 'INSERT, UPDATE_AFTER', 'd': 'DELETE'}, passthrough='ingested_at') }}
"""
SOURCES = "sources: [{name: bronze, schema: '{{ target.schema }}', tables: [{name: events}]}]"
NOON = datetime(2026, 1, 1, 12)
EVENTS = [("c", 1, "ada", 1), ("c", 2, "bob", 2), ("u", 1, "Ada", 3), ("d", 2, None, 4)]
COLUMNS = "op string, id int, name string, lsn int, ingested_at timestamp"


def at(hours, *events):
    """The events as they arrive at a time."""
    return [(*event, NOON + timedelta(hours=hours)) for event in events or EVENTS]


def rows(project, model):
    return project.sql(f"select id, name, lsn from {model} order by id")


@pytest.fixture(scope="module")
def project(new_project):
    """Each event comes, and comes again in a later batch, twice; that reads the first ones, too."""
    files = {f"models/{name}.sql": FLAT.format(more=more) for name, more in MODELS.items()}
    files |= {"models/macro.sql": MACRO, "models/sources.yml": SOURCES}
    project = new_project(files, name="redelivery")
    project.table("events", at(0), COLUMNS)
    project.run("run")
    project.table("events", [*at(1), *at(2)])
    return project


@pytest.fixture(scope="module")
def again(project):
    return project.run("run", expect_failure=True)


@pytest.mark.parametrize("model", ["carried", "counted", "emitted", "last"])
def test_a_repeated_event_changes_nothing(again, project, model):
    assert again.nodes[model].status == "success", again.nodes[model].message
    assert rows(project, model) == [(1, "Ada", 3)]
    names = [row.col_name for row in project.sql(f"describe {model}")]
    assert names == ["id", "ingested_at", "name", "lsn"]


def test_a_repeated_event_is_a_duplicate_and_emits_nothing(again, project):
    for model in ("counted", "emitted"):
        (counts,) = project.sql(
            "select events_late, events_duplicate, rows_inserted, rows_updated"
            f" from dbt_changelog_batches where batch_id = 2 and uid like '%.{model}'"
        )
        # those that the position reads again are not counted
        assert counts == (4, 4, 0, 0)
    assert project.sql("select count(*) from emitted__changelog where _batch_id > 1") == [(0,)]


def test_a_repeated_event_is_no_change_in_the_macro(again, project):
    changes = "select _row_kind, id, name from macro order by _sequence"
    assert project.sql(changes) == [
        ("INSERT", 1, "ada"),
        ("INSERT", 2, "bob"),
        ("UPDATE_AFTER", 1, "Ada"),
        ("DELETE", 2, "bob"),
    ]
    names = [row.col_name for row in project.sql("describe macro")]
    assert names == ["_row_kind", "_sequence", "_ordinal", "id", "name", "lsn", "ingested_at"]


def test_the_message_names_the_column_by_which_the_model_reads(again):
    message = again.nodes["compared"].message
    assert 'one sequence, {"id":1,"_sequence":3}' in message
    assert "dbt run-operation diagnose" in message
    assert "name them in passthrough (ingested_at, by which the model reads, may be one)" in message
    assert len(message) < 1000


def test_diagnose_shows_the_columns_that_differ(again, project, capsys):
    capsys.readouterr()
    project.run("run-operation", "diagnose", "--args", "{model: compared}")
    found = capsys.readouterr().out
    # a deleted row has no columns that could differ
    assert '  {"id":1,"_sequence":1} differ in: ingested_at\n' in found
    assert '  {"id":1,"_sequence":3} differ in: ingested_at\n' in found
    assert '"id":2,"_sequence":4}' not in found
    state = "against the state after batch 1: 0 new changes, 4 duplicates, 6 late, 2 ties\n"
    assert found.endswith(state + '  {"id":1,"_sequence":3} differ in: ingested_at\n')
    # also where the source no longer has the event that came first
    project.sql("delete from events where ingested_at < timestamp'2026-01-01 13:00:00'")
    project.sql("delete from events where ingested_at > timestamp'2026-01-01 13:00:00'")
    project.run("run-operation", "diagnose", "--args", "{model: compared}")
    found = capsys.readouterr().out
    assert "4 events, nothing is wrong" in found
    assert found.endswith('1 ties\n  {"id":1,"_sequence":3} differ in: ingested_at\n')


@pytest.mark.thorough
def test_the_way_out_needs_no_full_refresh(again, project):
    project.write("models/compared.sql", FLAT.format(more=CARRIED))
    project.run("run", "--select", "compared")
    assert rows(project, "compared") == [(1, "Ada", 3)]
    project.table("events", at(3, ("u", 1, "ADA", 5)))
    project.run("run", "--select", "compared")
    assert rows(project, "compared") == [(1, "ADA", 5)]
    # what differs in other columns is a tie as before
    project.table("events", at(4, ("u", 1, "Eve", 5)))
    result = project.run("run", "--select", "compared", expect_failure=True)
    assert "have one sequence" in result.nodes["compared"].message


@pytest.mark.thorough
@pytest.mark.parametrize("storage", ["iceberg", "parquet"])
def test_the_way_out_elsewhere(new_project, storage):
    model = f"models/{storage}/customers.sql"
    project = new_project({model: FLAT.format(more=""), "models/sources.yml": SOURCES})
    project.table("events", at(0), COLUMNS)
    project.run("run")
    project.table("events", at(1))
    result = project.run("run", expect_failure=True)
    assert "have one sequence" in result.nodes["customers"].message
    project.write(model, FLAT.format(more=CARRIED))
    for _ in range(2):
        project.run("run")
        assert rows(project, project.contents(storage, "customers")) == [(1, "Ada", 3)]
