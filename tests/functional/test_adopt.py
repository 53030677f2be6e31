"""config adopt: a table that has the model's name becomes its state."""

from __future__ import annotations

import json

import pytest

from .batch_log import table_log
from .conftest import usual
from .project import STORAGES, WITH_CHANGELOG

MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn', adopt=true MORE,
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'},
          read={'column': 'lsn'}) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
COLUMNS = "op string, id int, name string, lsn int"
# what the table has of the events: it missed the delete of bob, and what arrived late
EVENTS = [
    *[("c", 1, "ada", 1), ("c", 2, "bob", 2), ("u", 1, "Ada", 5), ("d", 2, None, 6)],
    *[("c", 3, "cid", 3), ("u", 4, "dan", 8)],
]
# zoe has no event, and dan is of an older one
ROWS = [(1, "Ada", 5), (2, "bob", 2), (9, "zoe", 0), (4, "Dan", 7)]
CONTENTS = [(1, "Ada", 5), (3, "cid", 3), (4, "dan", 8), (9, "zoe", 0)]


def make_table(project, storage, name):
    """A table that is not ours, where the contents of a model are to lie."""
    place = project.contents(storage, name)
    file_format = {"hadoop": "delta"}.get(storage, storage)
    project.sql(f"create table {place} (id int, name string, lsn int) using {file_format}")
    project.sql(f"insert into {place} values {', '.join(map(str, ROWS))}")


def rows(project, storage, name):
    return sorted(map(tuple, project.sql(f"select * from {project.contents(storage, name)}")))


def adopting(new_project, storage, names, more="", columns=COLUMNS, events=EVENTS, threads=1):
    """Models with adopt, each with a table of its name."""
    text = MODEL.replace("MORE", more)
    files = {f"models/{storage}/{name}.sql": text for name in names}
    project = new_project({"models/sources.yml": SOURCES, **files}, "adopt", threads)
    project.table("events", events, columns)
    for name in names:
        make_table(project, storage, name)
    return project


@pytest.mark.parametrize("storage", usual(STORAGES, ["delta"]))
def test_rows_are_taken_over_and_events_follow(new_project, storage):
    project = adopting(new_project, storage, ["customers"])
    result = project.run("run")
    assert "Adopted 4 rows of " in result.log and ", ordered by lsn. The table is" in result.log
    message = result.nodes["customers"].message
    assert message.startswith("batch 2, 1 rows inserted, 1 rows updated, 1 rows deleted")
    assert rows(project, storage, "customers") == CONTENTS
    assert rows(project, storage, "customers__before_changelog") == sorted(ROWS)
    log = table_log(project, project.state(storage, "customers"))
    assert log["batch"]["id"] == 2 and list(log["batch"]["position"])
    batches = f"{project.place(storage)}.dbt_changelog_batches"
    counted = project.sql(f"select batch_id, rows_inserted, rows_deleted from {batches} order by 1")
    assert counted == [(1, 4, 0), (2, 1, 1)]

    # a deleted key stays deleted, also for a late event; the config changes nothing any more
    project.table("events", [("u", 2, "Bob", 4), ("u", 9, "Zoe", 9)])
    result = project.run("run")
    assert "Adopted" not in result.log
    expected = [row for row in CONTENTS if row[0] != 9] + [(9, "Zoe", 9)]
    assert rows(project, storage, "customers") == expected
    assert project.run("run").nodes["customers"].message.startswith("nothing new")


STATEMENTS = ["write state", "count rows", "rename table aside", "contents view"]
WITH_STAGING = ["stage changes", "append changelog", *STATEMENTS]
CASES = [
    *[(storage, "", STATEMENTS) for storage in STORAGES],
    *[(storage, ", changelog=true", WITH_STAGING) for storage in WITH_CHANGELOG],
]


@pytest.mark.thorough
@pytest.mark.parametrize(("storage", "more", "statements"), CASES)
def test_nothing_is_lost_after_any_statement(new_project, storage, more, statements):
    """The table is under its name, or the state has its rows; then a run is enough."""
    failed = [f"after_{statement.replace(' ', '_')}" for statement in statements]
    threads = 1 if storage == "parquet" else 2
    project = adopting(new_project, storage, [*failed, "never"], more, threads=threads)
    for name, statement in zip(failed, statements, strict=True):
        fail = {"dbt_changelog_fail_after": statement}
        log = project.run("run", "--select", name, vars=fail, expect_failure=True).log
        assert f"Failed on purpose after '{statement}'" in log
        if statement == "rename table aside" and storage != "parquet":
            state = project.state(storage, name)
            found = project.sql(f"select id, name, lsn from {state} order by id")
            assert sorted(map(tuple, found)) == sorted(ROWS)
        elif statement != "rename table aside":
            assert rows(project, storage, name) == sorted(ROWS)
    project.run("run")
    project.run("run")
    for name in [*failed, "never"]:
        assert rows(project, storage, name) == CONTENTS, name
        assert rows(project, storage, f"{name}__before_changelog") == sorted(ROWS), name
        if more:
            assert folded(project, storage, name) == CONTENTS, name


def folded(project, storage, name, columns="last.id, last.name, last.lsn"):
    """What the changelog of a model leaves."""
    table = f"{project.place(storage)}.{name}__changelog"
    last = f"max_by(struct(*), struct(_batch_id, _sequence, _ordinal)) as last from {table}"
    found = project.sql(
        f"select {columns} from (select {last} group by id)"
        " where last._row_kind in ('INSERT', 'UPDATE_AFTER')"
    )
    return sorted(map(tuple, found))


@pytest.mark.parametrize("storage", ["delta"])
def test_the_changelog_begins_with_the_rows(new_project, storage):
    project = adopting(new_project, storage, ["customers"], ", changelog=true, state_ttl='0'")
    project.run("run")
    changelog = "select _batch_id, _row_kind, id, name from customers__changelog order by 1, 3"
    assert project.sql(changelog) == [
        *[(1, "INSERT", 1, "Ada"), (1, "INSERT", 2, "bob"), (1, "INSERT", 4, "Dan")],
        *[(1, "INSERT", 9, "zoe"), (2, "DELETE", 2, "bob"), (2, "INSERT", 3, "cid")],
        (2, "UPDATE_AFTER", 4, "dan"),
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("handling", ["FAIL", "LAST"])
def test_an_event_of_the_same_sequence_counts(new_project, handling):
    """The table by hand may be wrong; of events among themselves it is a tie as ever."""
    more = f", tie_handling='{handling}'"
    events = [*EVENTS, ("u", 9, "Zoe", 0)]
    project = adopting(new_project, "delta", ["customers"], more, events=events)
    project.run("run")
    assert (9, "Zoe", 0) in rows(project, "delta", "customers")
    project.table("events", [("u", 4, "Don", 8)])
    if handling == "FAIL":
        log = project.run("run", expect_failure=True).log
        assert "two different changes of one key have one sequence" in log


GIVES_WAY = {
    "fails": "",
    "takes_last": ", tie_handling='LAST'",
    "logged": ", changelog=true",
    "appended": ", merge='on_read', tie_handling='LAST'",
    "softly": ", soft_delete='gone'",
    "in_parts": ", ignore_null_updates=true",
}


@pytest.mark.thorough
def test_a_row_that_is_the_event_of_its_deletion_is_deleted(new_project):
    """A hand-written table may have taken the delete in as a row, with its sequence."""
    files = {f"models/{name}.sql": MODEL.replace("MORE", more) for name, more in GIVES_WAY.items()}
    project = new_project({"models/sources.yml": SOURCES, **files}, "adopt", 2)
    project.table("events", [("c", 2, "bob", 2), ("d", 2, None, 6), ("c", 3, "cid", 3)], COLUMNS)
    for name in GIVES_WAY:
        project.sql(f"create table {name} using delta as select 2 id, string(null) name, 6 lsn")
    for _ in range(2):
        project.run("run")
        for name in GIVES_WAY:
            where = "where not gone" if name == "softly" else ""
            found = project.sql(f"select id, name, lsn from {name} {where}")
            assert found == [(3, "cid", 3)], name


@pytest.mark.thorough
def test_rows_without_a_sequence_come_before_all_events(new_project):
    """Debezium's text: its order is in the source, which the table has not."""
    model = """
    {{ config(materialized='from_changelog', format='debezium', unique_key='id', adopt=true,
              payload_schema='id int, name string') }}
    select value from {{ source('bronze', 'events') }}
    """
    project = new_project({"models/sources.yml": SOURCES, "models/customers.sql": model}, "adopt")
    make_table(project, "delta", "customers")

    def event(op, row, lsn):
        image = dict(zip(("id", "name"), row, strict=True))
        sides = {"before": image, "after": None} if op == "d" else {"before": None, "after": image}
        return (json.dumps({"op": op, **sides, "source": {"lsn": lsn}}),)

    project.table("events", [event("u", (1, "Eve"), -7), event("d", (2, "bob"), 3)], "value string")
    result = project.run("run")
    assert "Adopted 4 rows" in result.log and ", below all events. The table" in result.log
    (warning,) = [text for text in result.warnings if "adopts" in text]
    assert "has columns that the model has not: lsn." in warning
    assert rows(project, "delta", "customers") == [(1, "Eve"), (4, "Dan"), (9, "zoe")]


# rows that come in parts: the table has a placeholder, a flag, and what no event has

PARTS = ", unavailable_value='?', soft_delete='is_deleted'"
PARTS_COLUMNS = "op string, id int, name string, bio string, lsn int"
PARTS_ROWS = [
    *[(1, "Ada", "a long text", 5, False), (2, "bob", "?", 2, False)],
    *[(3, "cid", None, 7, True), (9, "zoe", "from a dump", 0, False)],
]
PARTS_EVENTS = [
    # late beside what the table has, then the name alone
    *[("u", 1, "Old", "an old text", 4), ("u", 1, "Ann", "?", 6)],
    # what the table has, with the value that it lacks, and with another name
    ("u", 2, "Bob", "a text", 2),
    # what was set before the deletion, which comes again, too
    *[("u", 3, "cid", "the last text", 4), ("d", 3, None, None, 7)],
]
PARTS_CONTENTS = [
    *[(1, "Ann", "a long text", 6, False), (2, "Bob", "a text", 2, False)],
    *[(3, "cid", "the last text", 4, True), (9, "zoe", "from a dump", 0, False)],
]


def adopting_parts(new_project, storage, names, more=""):
    text = MODEL.replace("MORE", PARTS + more)
    files = {f"models/{storage}/{name}.sql": text for name in names}
    project = new_project({"models/sources.yml": SOURCES, **files}, "adopt")
    project.table("events", PARTS_EVENTS, PARTS_COLUMNS)
    columns = "id int, name string, bio string, lsn int, is_deleted boolean"
    values = ", ".join(map(str, PARTS_ROWS)).replace("None", "null")
    for name in names:
        place = project.contents(storage, name)
        project.sql(f"create table {place} ({columns}) using {storage}")
        project.sql(f"insert into {place} values {values}")
    return project


@pytest.mark.thorough
@pytest.mark.parametrize("storage", ["delta", "iceberg", "parquet"])
def test_rows_that_come_in_parts(new_project, storage):
    project = adopting_parts(new_project, storage, ["customers"])
    result = project.run("run")
    assert "Adopted 4 rows of " in result.log
    assert rows(project, storage, "customers") == PARTS_CONTENTS
    # a row that comes back begins anew
    project.table("events", [("c", 3, "Cid", "?", 8)])
    project.run("run")
    assert (3, "Cid", None, 8, False) in rows(project, storage, "customers")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("storage", "more", "statements"),
    [
        ("delta", ", changelog=true", WITH_STAGING),
        ("iceberg", ", changelog=true", WITH_STAGING),
        ("parquet", "", STATEMENTS),
    ],
)
def test_parts_are_not_lost_after_any_statement(new_project, storage, more, statements):
    failed = [f"after_{statement.replace(' ', '_')}" for statement in statements]
    project = adopting_parts(new_project, storage, failed, more)
    for name, statement in zip(failed, statements, strict=True):
        fail = {"dbt_changelog_fail_after": statement}
        project.run("run", "--select", name, vars=fail, expect_failure=True)
    project.run("run")
    project.run("run")
    for name in failed:
        assert rows(project, storage, name) == PARTS_CONTENTS, name
        if more:
            columns = "last.id, last.name, last.bio, last.lsn, last.is_deleted"
            assert folded(project, storage, name, columns) == PARTS_CONTENTS, name


def test_what_does_not_fit_is_said_and_nothing_is_written(new_project):
    tables = {
        "no_key": ("(null, 'eve', 4)", "has 1 rows whose key (id) is NULL"),
        "two_rows": ("(4, 'eve', 4)", 'has 1 keys with more than one row, such as {"id":4}'),
        "no_column": (None, "has no column 'name', which the model has"),
    }
    project = adopting(new_project, "delta", list(tables))
    for name, (more, _) in tables.items():
        project.sql(
            f"insert into {name} values {more}"
            if more
            else f"create or replace table {name} using delta as select 1 as id, 1 as lsn"
        )
    before = set(project.tables())
    nodes = project.run("run", expect_failure=True).nodes
    for name, (_, words) in tables.items():
        assert words in nodes[name].message and "To fix: " in nodes[name].message
    assert set(project.tables()) - before == {"dbt_changelog_batches"}


def test_show_plan_shows_what_would_be_done(new_project):
    project = adopting(new_project, "delta", ["customers"])
    before = project.tables()
    shown = project.run("run-operation", "show_plan", "--args", "{model: customers}").debug_log
    assert "rename to " in shown and "'INSERT' as _dbtc_op" in shown
    assert project.tables() == before and rows(project, "delta", "customers") == sorted(ROWS)


@pytest.mark.thorough
def test_a_full_refresh_over_a_table_that_failed_half_way(new_project):
    """The batch that is finished gives the table its other name, too."""
    project = adopting(new_project, "delta", ["customers"], ", changelog=true")
    fail = {"dbt_changelog_fail_after": "append changelog"}
    project.run("run", "--full-refresh", vars=fail, expect_failure=True)
    project.run("run", "--full-refresh")
    expected = [row for row in CONTENTS if row[0] != 9]
    assert rows(project, "delta", "customers") == expected == folded(project, "delta", "customers")
    assert rows(project, "delta", "customers__before_changelog") == sorted(ROWS)
