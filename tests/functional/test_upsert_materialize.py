"""on_conflict: the changes are of rows that have another key than the table."""

from __future__ import annotations

import pytest

SIGNS = "op_mapping={'+I': 'INSERT', '-U': 'UPDATE_BEFORE', '+U': 'UPDATE_AFTER', '-D': 'DELETE'}"
MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='_place', MAPPING, MORE,
          read={'column': 'place', 'strict': true}) }}
select op, id, level, attr, place as _place
from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
""".replace("MAPPING", SIGNS)
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}, {name: s1_events}, {name: s2_events}]
"""
COLUMNS = "place int, op string, id int, level int, attr string"
A, B, C = (1, 10, "a1"), (1, 20, "b1"), (1, 30, "c1")
# how the changes of one update may arrive that goes through two tasks of a join
ORDERS = [
    [("+I", A), ("-U", A), ("+U", B)],
    [("+U", B), ("+I", A), ("-U", A)],
    [("+I", A), ("+U", B), ("-U", A)],
]


def model(on_conflict, more=""):
    return MODEL.replace("MORE", f"on_conflict='{on_conflict}'{more}")


@pytest.fixture
def project(new_project, home):
    def create(**models):
        files = {f"models/{name}.sql": text for name, text in models.items()}
        return new_project({**files, "models/sources.yml": SOURCES}, "conflicts", 2, home)

    return create


def arrive(project, *events, first=False):
    """Changes as ("+I", row): each one's place is after all before it."""
    start = 0 if first else project.sql("select max(place) from events")[0][0]
    rows = [(place, op, *row) for place, (op, row) in enumerate(events, start + 1)]
    project.table("events", rows, COLUMNS if first else None)


def rows(project, model, columns="id, level, attr"):
    return sorted(tuple(row) for row in project.sql(f"select {columns} from {model}"))


def folded(project, model):
    """What a reader of the changelog has who knows the key."""
    changes = project.sql(
        f"select * from {model}__changelog order by _batch_id, _sequence, _ordinal"
    )
    found = {}
    for change in changes:
        found.pop(change.id, None)
        if change._row_kind in ("INSERT", "UPDATE_AFTER"):
            found[change.id] = (change.id, change.level, change.attr)
    return sorted(found.values())


@pytest.mark.parametrize("order", ORDERS)
def test_the_orders_of_an_update_leave_one_row(project, order):
    at_once = model("DEDUPLICATE", ", changelog=true")
    made = project(at_once=at_once, one_by_one=at_once)
    arrive(made, *order, first=True)
    made.run("run", "--select", "at_once")
    made.sql("truncate table events")
    for place, event in enumerate(order, 1):
        made.table("events", [(place, event[0], *event[1])])
        made.run("run", "--select", "one_by_one")
    for name in ("at_once", "one_by_one"):
        assert rows(made, name) == folded(made, name) == [B], name
