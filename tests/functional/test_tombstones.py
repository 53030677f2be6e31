"""tombstone_retention: how long the sequence of a deleted key is remembered."""

from __future__ import annotations

import pytest

from .batch_log import changed_log

MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
          read={'column': 'batch', 'strict': true}, tombstone_retention='7 days' MORE,
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}) }}
select op, id, name, lsn from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
COLUMNS = "batch int, op string, id int, name string, lsn int"
MODELS = {
    "rows": "",
    "parts": ", ignore_null_updates=true",
    "soft": ", soft_delete='is_deleted'",
    "parquet_rows": ", file_format='parquet'",
    "parquet_parts": ", file_format='parquet', ignore_null_updates=true",
}
MERGED = ["rows", "parts", "soft"]
# Ada is deleted on the first day, Bob on the sixth; Cleo stays, Dan was never there
DAYS = {
    1: [("c", 1, "Ada", 1), ("c", 2, "Bob", 2), ("c", 3, "Cleo", 3), ("d", 1, None, 4)],
    6: [("d", 2, None, 5), ("d", 4, None, 1)],
    # late and repeated: the tombstone is not younger for it
    7: [("d", 1, None, 4), ("u", 1, "Eve", 3)],
    8: [("u", 3, "Cleo", 6)],
}


def day(project, number, events, **more):
    rows = [(number, *event) for event in events]
    project.table("events", rows, COLUMNS if number == 1 else None)
    now = {"dbt_changelog_now": f"2026-01-{number:02} 00:00:00"}
    return project.run("run", vars=now | more.pop("vars", {}), **more)


def is_due(project, models):
    """The next batch of each model is one after which tombstones are purged."""
    for name in models:
        log = changed_log(project, f"{name}__state", '"id": 3', '"id": 15')
        project.sql(f"alter table {name}__state set tblproperties ({log})")


def remembered(project, model):
    tables = project.sql(f"show tables like '{model}__state*'")
    # where there is no merge each batch has a table of its own
    last = max((row.tableName for row in tables), key=lambda name: name.split("_state_")[-1][:2])
    return sorted(row.id for row in project.sql(f"select id from {last}"))


@pytest.fixture
def make(new_project, home):
    def make(*models):
        files = {f"models/{name}.sql": MODEL.replace(" MORE", MODELS[name]) for name in models}
        files["models/sources.yml"] = SOURCES
        return new_project(files, name="tombstones", home=home)

    return make


def test_a_tombstone_is_forgotten_after_its_time_and_a_late_event_makes_a_row_then(make):
    project = make(*MERGED)
    for number in (1, 6, 7):
        day(project, number, DAYS[number])
    is_due(project, MERGED)
    day(project, 8, DAYS[8])
    for name in MERGED:
        # a row that is flagged is a row of the contents, and stays
        assert remembered(project, name) == ([1, 2, 3, 4] if name == "soft" else [2, 3, 4]), name
    counted = "select uid, tombstones_forgotten from dbt_changelog_batches where batch_id = 16"
    counts = {row.uid.split(".")[-1]: row.tombstones_forgotten for row in project.sql(counted)}
    assert counts == {"rows": 1, "parts": 1, "soft": 0}
    day(project, 9, [("u", 1, "Eve", 3), ("u", 2, "Ben", 4), ("u", 4, "Dan", 0)])
    for name in ("rows", "parts"):
        found = sorted(tuple(row) for row in project.sql(f"select id, name from {name}"))
        assert found == [(1, "Eve"), (3, "Cleo")], name


@pytest.mark.thorough
@pytest.mark.parametrize("statement", ["write state", "purge state", "commit batch"])
def test_a_purge_that_is_cut_short_is_made_again(make, statement):
    project = make("rows")
    for number in (1, 6, 7):
        day(project, number, DAYS[number])
    is_due(project, ["rows"])
    stop = {"dbt_changelog_fail_after": statement}
    day(project, 8, DAYS[8], vars=stop, expect_failure=True)
    day(project, 9, [])
    assert remembered(project, "rows") == [2, 3, 4]


@pytest.mark.thorough
@pytest.mark.parametrize("home", ["delta"])
def test_without_a_merge_each_run_forgets(make):
    project = make("parquet_rows", "parquet_parts")
    for number in (1, 6, 7):
        day(project, number, DAYS[number])
    assert remembered(project, "parquet_rows") == [1, 2, 3, 4]
    day(project, 8, DAYS[8])
    assert remembered(project, "parquet_rows") == remembered(project, "parquet_parts") == [2, 3, 4]
