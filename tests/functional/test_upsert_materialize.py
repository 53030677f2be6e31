"""on_conflict: the changes are of rows that have another key than the table."""

from __future__ import annotations

import pytest

from .batch_log import changed_log

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
FULL = ", counters='full'"


@pytest.fixture
def make(new_project, home):
    def create(models):
        files = {f"models/{name}.sql": text for name, text in models.items()}
        return new_project({**files, "models/sources.yml": SOURCES}, "conflicts", 2, home)

    return create


def model(on_conflict, more=""):
    return MODEL.replace("MORE", f"on_conflict='{on_conflict}'{more}")


def arrive(project, *events, first=False):
    """Changes as ("+I", row): each one's place is after all before it."""
    start = 0 if first else project.sql("select max(place) from events")[0][0]
    rows = [(place, op, *row) for place, (op, row) in enumerate(events, start + 1)]
    project.table("events", rows, COLUMNS if first else None)


def rows(project, table, columns="id, level, attr"):
    return sorted(tuple(row) for row in project.sql(f"select {columns} from {table}"))


def folded(project, table):
    """What a reader of the changelog has who knows the key."""
    found = {}
    order = "_batch_id, _sequence, _ordinal"
    for change in project.sql(f"select * from {table}__changelog order by {order}"):
        found.pop(change.id, None)
        if change._row_kind in ("INSERT", "UPDATE_AFTER"):
            found[change.id] = (change.id, change.level, change.attr)
    return sorted(found.values())


def test_the_orders_of_an_update_leave_one_row(make):
    """An update goes through two tasks of a join; each key has another order of arrival."""
    old, new = (10, "a1"), (20, "b1")
    orders = {
        1: [("+I", old), ("-U", old), ("+U", new)],
        2: [("+U", new), ("+I", old), ("-U", old)],
        3: [("+I", old), ("+U", new), ("-U", old)],
    }
    logged = model("DEDUPLICATE", ", changelog=true, tie_handling='LAST'")
    by_expression = logged.replace("'_place'", "'cast(_place as bigint)'")
    project = make({"at_once": logged, "one_by_one": by_expression})
    for step in range(3):
        events = [(op, (key, *row)) for key, order in orders.items() for op, row in [order[step]]]
        arrive(project, *events, first=step == 0)
        project.run("run", "--select", "one_by_one")
    project.run("run", "--select", "at_once")
    wanted = [(key, *new) for key in orders]
    for name in ("at_once", "one_by_one"):
        assert rows(project, name) == folded(project, name) == wanted, name
    emitted = "_batch_id, _row_kind, level"
    assert rows(project, "one_by_one__changelog where id = 2", emitted) == [
        (1, "INSERT", 20), (2, "UPDATE_AFTER", 10), (2, "UPDATE_BEFORE", 20),
        (3, "UPDATE_AFTER", 20), (3, "UPDATE_BEFORE", 10),
    ]  # fmt: skip


def test_of_several_rows_the_last_the_first_or_none_is_shown(make, capsys):
    project = make({
        "last": model("DEDUPLICATE", FULL),
        "first": model("NOTHING", FULL),
        "single": model("ERROR", FULL + ", changelog=true"),
    })  # fmt: skip
    a, b, c = (1, 10, "a"), (1, 20, "b"), (2, 5, None)
    arrive(project, ("+I", a), ("+I", c), first=True)
    project.run("run")
    arrive(project, ("+I", b), ("-D", (1, 10, "other")))
    result = project.run("run", expect_failure=True)
    assert 'several rows have the key {"id":1}' in result.nodes["single"].message
    assert "on_conflict='DEDUPLICATE'" in result.nodes["single"].message
    # one of two rows is held back, and one retraction found nothing
    for name, updated in (("last", 1), ("first", 0)):
        message = f"batch 2, 0 rows inserted, {updated} rows updated, 0 rows deleted"
        assert result.nodes[name].message.startswith(message)
        assert "1 rows hidden, 1 events ignored" in result.nodes[name].message
    assert rows(project, "last") == [b, c]
    assert rows(project, "first") == [a, c]
    assert rows(project, "single") == rows(project, "single__changelog") == [a, c]
    project.run("run-operation", "diagnose", "--args", "{model: last}")
    said = capsys.readouterr().out
    assert "5 events, nothing is wrong" not in said and "4 events, nothing is wrong" in said
    assert "against the state after batch 2: 2 rows shown, 1 rows hidden" in said

    # the row that is taken away makes room for the other
    arrive(project, ("-D", a), ("-D", c))
    result = project.run("run")
    for name in ("last", "first", "single"):
        assert rows(project, name) == [b], name
        assert "0 rows hidden" in result.nodes[name].message
    assert folded(project, "single") == [b]
    assert "nothing new" in project.run("run", "--select", "last").nodes["last"].message
    # what waits for no copy is as if it had not come, and nothing shows a difference
    project.run("run", "--full-refresh", "--select", "single")
    assert rows(project, "single") == folded(project, "single") == [b]
    assert rows(project, "single__changelog", "max(_batch_id)") == [(2,)]


S1 = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='_lsn') }}
select op, id, level, lsn as _lsn from {{ source('bronze', 's1_events') }}
"""
S2 = S1.replace("level", "attr").replace("s1", "s2")
JOINED = """
{{ config(materialized='to_changelog', encoding='retract') }}
select s1.id, s1.level, s2.attr from {{ ref('s1') }} as s1
join {{ ref('s2') }} as s2 on s1.level = s2.id
"""
T1 = """
{{ config(materialized='from_changelog', unique_key='id', on_conflict='DEDUPLICATE',
          sequence_by=['_batch_id', '_position'],
          read={'column': '_batch_id', 'strict': true}) }}
select * from {{ dbt_changelog.new_rows(ref('joined')) }}
"""


@pytest.mark.thorough
def test_two_changelogs_a_join_and_a_table_keyed_otherwise(make):
    project = make({"s1": S1, "s2": S2, "joined": JOINED, "t1": T1})
    project.table("s1_events", [("INSERT", 1, 10, 1)], "op string, id int, level int, lsn int")
    first = [("INSERT", 10, "a1", 1), ("INSERT", 20, "b1", 2)]
    project.table("s2_events", first, "op string, id int, attr string, lsn int")
    project.run("run")
    assert rows(project, "t1") == [(1, 10, "a1")]
    project.table("s1_events", [("UPDATE_AFTER", 1, 20, 2), ("INSERT", 2, 20, 3)])
    project.run("run")
    assert rows(project, "t1") == [(1, 20, "b1"), (2, 20, "b1")]
    project.table("s2_events", [("UPDATE_AFTER", 20, "b2", 3), ("DELETE", 10, None, 4)])
    project.table("s1_events", [("DELETE", 2, None, 4)])
    project.run("run")
    assert rows(project, "t1") == [(1, 20, "b2")]
    project.table("s2_events", [("DELETE", 20, None, 5)])
    project.run("run")
    assert rows(project, "t1") == []


@pytest.mark.thorough
@pytest.mark.parametrize("statement", ["write state", "purge state"])
def test_rows_without_a_copy_are_purged_now_and_then(make, statement):
    project = make({"last": model("DEDUPLICATE")})
    a, b, c = (1, 10, "a"), (1, 20, "b"), (2, 5, None)
    arrive(project, ("+I", a), ("+I", b), ("+I", c), first=True)
    project.run("run")
    arrive(project, ("-D", b))
    project.run("run")
    later = changed_log(project, "last__state", '"id": 2', '"id": 15')
    project.sql(f"alter table last__state set tblproperties ({later})")
    arrive(project, ("-D", c))
    fails = {"dbt_changelog_fail_after": statement}
    project.run("run", vars=fails, expect_failure=True)
    project.run("run")
    # a row of this batch stays: it says that the batch was written
    places = rows(project, "last__state", "id, level, size(_places), _batch_id")
    assert places == [(1, 10, 1, 1), (2, 5, 0, 16)]
    assert rows(project, "last") == [a]
