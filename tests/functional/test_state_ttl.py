"""state_ttl: how long the changelog remembers a row, by a clock that the test sets."""

from __future__ import annotations

import pytest

MODEL = """
{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='_seq', changelog=true,
    op_mapping={{'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}},
    state_ttl='{ttl}', counters='full', read={{'column': '_seq', 'lookback': 9}}) }}}}
select * from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
# time of the run: what it reads
RUNS = {
    "10:00": [("c", 1, "ada", 10), ("c", 2, "bob", 11), ("c", 3, "eve", 12), ("c", 4, "zoe", 13)],
    # equal to what is stored: refreshes what is remembered
    "10:30": [("u", 1, "ada", 20)],
    "11:00": [("u", 1, "Ada", 30), ("u", 2, "Bob", 31), ("d", 3, None, 32), ("u", 4, "old", 12)],
}
HOUR = {
    "10:00": [
        ("INSERT", 1, "ada"),
        ("INSERT", 2, "bob"),
        ("INSERT", 3, "eve"),
        ("INSERT", 4, "zoe"),
    ],
    "10:30": [("UPDATE_BEFORE", 1, "ada"), ("UPDATE_AFTER", 1, "ada")],
    # 2 and 3 are an hour old: forgotten, so an upsert is an insert and a delete is nothing
    "11:00": [("UPDATE_BEFORE", 1, "ada"), ("UPDATE_AFTER", 1, "Ada"), ("INSERT", 2, "Bob")],
}
EVER = {
    "10:00": HOUR["10:00"],
    "10:30": [],
    "11:00": [
        ("UPDATE_BEFORE", 1, "ada"),
        ("UPDATE_AFTER", 1, "Ada"),
        ("UPDATE_BEFORE", 2, "bob"),
        ("UPDATE_AFTER", 2, "Bob"),
        ("DELETE", 3, "eve"),
    ],
}


@pytest.fixture(scope="module")
def project(new_project, home):
    models = {"hour": MODEL.format(ttl="1 hour"), "ever": MODEL.format(ttl="0")}
    files = {f"models/{name}.sql": text for name, text in models.items()}
    made = new_project({"models/sources.yml": SOURCES, **files}, "state_ttl", home=home)
    made.results = {}
    for time, rows in RUNS.items():
        made.table("events", rows, "op string, id int, name string, _seq int" * (time == "10:00"))
        made.results[time] = made.run("run", vars={"dbt_changelog_now": f"2026-01-01 {time}:00"})
    return made


@pytest.mark.parametrize("time", RUNS)
@pytest.mark.parametrize(("model", "expected"), [("hour", HOUR), ("ever", EVER)])
def test_what_is_forgotten_is_new(project, model, expected, time):
    number = list(RUNS).index(time) + 1
    changes = project.sql(f"""
        select _row_kind, id, name from {model}__changelog
        where _batch_id = {number} order by id, _sequence, _ordinal""")
    assert changes == expected[time]


@pytest.mark.parametrize("model", ["hour", "ever"])
def test_contents_are_never_forgotten(project, model):
    rows = project.sql(f"select id, name from {model} order by id")
    assert rows == [(1, "Ada"), (2, "Bob"), (4, "zoe")]


def test_late_stays_late(project):
    # all events but the first three lie in the lookback: nobody knows whether they arrived again
    message = project.results["11:00"].nodes["hour"].message
    assert "0 events late, 0 events duplicate" in message
    assert project.sql("""
        select events_late, events_duplicate from dbt_changelog_batches
        where uid like '%.hour' and batch_id = 3""") == [(0, 0)]
