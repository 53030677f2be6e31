"""What a batch counts: rows as a reader of the contents would, and of the events what arrived."""

from __future__ import annotations

import pytest

from .batch_log import batch_log, changed_log

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='_seq', MORE,
    op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}) }}
select COLUMNS from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
EVENTS = "at int, op string, id int, name string, _seq int"
# the column that is read by stands beside the row
BY_AT = "after='after', read={'column': 'at'}"
ALL = "op, struct(id, name) as after, _seq, at"


def model(more="read='full'", columns="op, id, name, _seq"):
    return MODEL.replace("MORE", more).replace("COLUMNS", columns)


@pytest.fixture
def make(new_project):
    def create(home="delta", **models):
        files = {f"models/{name}.sql": text for name, text in models.items()}
        return new_project({"models/sources.yml": SOURCES, **files}, name="counters", home=home)

    return create


def counters(project, name, *columns):
    """Those of all batches of a model, as tuples."""
    rows = project.sql(
        f"select {', '.join(columns)} from dbt_changelog_batches where uid like '%.{name}'"
        " order by batch_id"
    )
    return [tuple(row) for row in rows]


ROWS = ("rows_inserted", "rows_updated", "rows_deleted")
LATE = ("events_late", "events_duplicate")
BATCHES = [
    # 8 was never there; 5 came and went
    [("c", 1, "ada", 1), ("c", 2, "bob", 1), ("c", 3, "eve", 1), ("d", 8, None, 1),
     ("c", 5, "zoe", 1), ("d", 5, None, 2)],
    # 1 changes, 2 goes, 3 is as it was, 4 is new, 8 was not there again, 6 came and went
    [("u", 1, "Ada", 2), ("d", 2, None, 2), ("u", 3, "eve", 2), ("c", 4, "cid", 2),
     ("d", 8, None, 2), ("c", 6, "kim", 2), ("d", 6, None, 3)],
    # 2 is back, 1 goes, 3 changes at last
    [("c", 2, "bob", 3), ("d", 1, None, 3), ("u", 3, "Eve", 3)],
    # nothing that a reader would see
    [("u", 3, "Eve", 4), ("d", 1, None, 4)],
]  # fmt: skip
COUNTS = [(3, 0, 0), (1, 1, 1), (1, 1, 1), (0, 0, 0)]


@pytest.mark.parametrize(
    "storage",
    ["delta", *(pytest.param(s, marks=pytest.mark.thorough) for s in ("iceberg", "parquet"))],
)
def test_rows_are_counted_as_a_reader_of_the_contents_would(new_project, storage):
    logged = {f"models/{storage}/logged.sql": model(BY_AT + ", changelog=true", ALL)}
    project = new_project({
        "models/sources.yml": SOURCES,
        f"models/{storage}/customers.sql": model(),
        **(logged if storage != "parquet" else {}),
    }, name="counters")  # fmt: skip
    for at, batch in enumerate(BATCHES):
        project.table("events", [(at, *event) for event in batch], None if at else EVENTS)
        nodes = project.run("run").nodes
        said = "batch %d, %d rows inserted, %d rows updated, %d rows deleted"
        assert nodes["customers"].message == said % (at + 1, *COUNTS[at])
    table = f"{project.place(storage)}.dbt_changelog_batches"
    found = project.sql(f"select batch_id, {', '.join(ROWS)} from {table} order by uid, batch_id")
    each = [(number, *counts) for number, counts in enumerate(COUNTS, 1)]
    assert found == each * (1 if storage == "parquet" else 2)


@pytest.mark.thorough
def test_rows_are_counted_by_their_weight_without_a_key(make):
    text = """
        {{ config(materialized='from_changelog', op_mapping={'+': 'INSERT', '-': 'DELETE'},
            read={'column': 'at', 'strict': true}) }}
        select op, name from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
        """
    project = make(bag=text)

    def arrive(at, *events, columns=None):
        project.table("events", [(at, event[0], event[1:]) for event in events], columns)

    arrive(1, "+ada", "+ada", "-bob", columns="at int, op string, name string")
    project.run("run")
    # bob waited for its insert
    arrive(2, "-ada", "+bob", "+eve", "+eve", "+eve")
    fails = {"dbt_changelog_fail_after": "write state"}
    project.run("run", vars=fails, expect_failure=True)
    arrive(3, "-ada", "-ada", "+zoe", "-zoe")
    project.run("run")
    assert counters(project, "bag", "batch_id", *ROWS) == [
        (1, 2, 0, 0),
        (2, 3, 0, 1),
        (3, 0, 0, 1),
    ]


@pytest.mark.thorough
def test_a_batch_that_a_killed_run_wrote_has_its_numbers(make):
    project = make(customers=model(BY_AT, ALL), logged=model(BY_AT + ", changelog=true", ALL))
    project.table("events", [(1, *event) for event in BATCHES[0]], EVENTS)
    project.run("run")
    project.table("events", [(2, *event) for event in BATCHES[1]])
    fails = {"dbt_changelog_fail_after": "write state"}
    project.run("run", vars=fails, expect_failure=True)
    # the key of one was in that batch already
    project.table("events", [(3, "u", 1, "ADA", 3), (3, "c", 7, "lea", 3)])
    project.run("run")
    # without a changelog the range is read again, with what came
    expected = [(1, 3, 0, 0), (2, 2, 1, 1)]
    assert counters(project, "customers", "batch_id", *ROWS) == expected
    # with one the batch is finished first
    expected = [(1, 3, 0, 0), (2, 1, 1, 1), (3, 1, 1, 0)]
    assert counters(project, "logged", "batch_id", *ROWS) == expected


@pytest.mark.thorough
@pytest.mark.parametrize("home", ["delta", "iceberg"])
def test_only_what_arrived_is_late_or_a_duplicate(make, home):
    """Healthy models had late and repeated events: the rows that a run reads again."""
    full = ", counters='full'"
    project = make(
        home,
        by_column=model(BY_AT + full, ALL),
        looking_back=model("after='after', read={'column': 'at', 'lookback': 9}" + full, ALL),
        strict=model("read={'column': 'at', 'strict': true}" + full),
        logged=model(BY_AT + ", changelog=true", ALL),
        unselected=model("read={'column': 'at'}" + full),
        whole=model("after='after'" + full, ALL),
    )
    project.table("events", [(1, "c", 1, "ada", 2), (1, "c", 2, "bob", 2)], EVENTS)
    project.run("run")
    project.table("events", [(2, "c", 3, "eve", 1)])
    project.run("run")
    project.table("events", [(3, "u", 1, "Ada", 1), (3, "c", 2, "bob", 2), (3, "c", 4, "cid", 1)])
    project.run("run")
    # nothing is late before there is a state
    known = [(None, None), (0, 0), (1, 1)]
    for name in ("strict", "by_column", "looking_back", "logged"):
        assert counters(project, name, *LATE) == known, name
    for name in ("unselected", "whole"):
        assert counters(project, name, *LATE) == [(None, None)] * 3, name


@pytest.mark.thorough
def test_of_unknown_codes_only_what_arrived_is_counted(make):
    """Read in full, one bad event was counted again in every batch."""
    log = ", invalid_op_handling='LOG'"
    project = make(
        whole=model("read='full'" + log),
        by_column=model(BY_AT + log, ALL),
        unselected=model("read={'column': 'at'}" + log),
    )
    project.table("events", [(1, "c", 1, "ada", 1), (1, "z", 2, "bob", 1)], EVENTS)
    project.run("run")
    project.table("events", [(2, "c", 3, "eve", 1)])
    result = project.run("run")
    known = {name: counters(project, name, "events_invalid") for name in ("whole", "by_column")}
    assert known == {"whole": [(1,), (None,)], "by_column": [(1,), (0,)]}
    assert counters(project, "unselected", "events_invalid") == [(1,), (None,)]
    # the warning is of what is there
    assert len([text for text in result.warnings if "'z' (1 events)" in text]) == 2


@pytest.mark.thorough
def test_a_rebuild_does_not_begin_its_batch_ids_again(make):
    project = make(customers=model(), logged=model(BY_AT + ", changelog=true", ALL))
    project.table("events", [(1, *event) for event in BATCHES[0]], EVENTS)
    project.run("run")
    project.table("events", [(2, *event) for event in BATCHES[1]])
    project.run("run")

    def rebuild(name="customers"):
        project.sql(f"drop view {name}")
        project.sql(f"drop table {name}__state")
        project.run("run", "--select", name)
        return batch_log(project, name)["batch"]["id"]

    assert rebuild() == 3
    # what was staged tells, too
    project.sql("drop table logged__changelog")
    project.sql("drop table dbt_changelog_batches")
    assert rebuild("logged") == 3
    # nothing depends on the table of batches
    project.sql("drop table dbt_changelog_batches")
    assert rebuild() == 1


@pytest.mark.thorough
def test_a_table_of_batches_of_an_earlier_version_gets_its_column(make):
    project = make(customers=model())
    project.table("events", [(1, *event) for event in BATCHES[0]], EVENTS)
    project.run("run")
    project.sql("""create or replace table dbt_changelog_batches using delta as
                   select * except (rows_deleted) from dbt_changelog_batches""")
    project.table("events", [(2, *event) for event in BATCHES[1]])
    project.run("run")
    assert counters(project, "customers", *ROWS) == [(3, 0, None), (1, 1, 1)]


@pytest.mark.thorough
def test_a_state_of_an_earlier_version_is_refused(make):
    project = make(customers=model())
    project.table("events", [(1, *event) for event in BATCHES[0]], EVENTS)
    project.run("run")
    log = changed_log(project, "customers__state", '"version": 2', '"version": 1')
    project.sql(f"alter table customers__state set tblproperties ({log})")
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert "has plan version 1" in message and "To fix: run with --full-refresh" in message
    project.run("run", "--full-refresh")
    assert batch_log(project, "customers")["batch"]["id"] == 2
