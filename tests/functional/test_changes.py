"""changes(): a to_changelog model reads on in the changelog of a from_changelog model."""

from __future__ import annotations

import pytest

from .batch_log import table_log

SOURCES = """
sources: [{name: bronze, schema: "{{ target.schema }}", tables: [{name: events}]}]
"""
PRODUCER = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn', changelog=true,
    before='before', after='after', read={'column': 'lsn'},
    op_mapping={'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
CONSUMER = """
{{ config(materialized='to_changelog', CONFIG) }}
select * from {{ dbt_changelog.changes(ref('PRODUCER')) }}
"""
DEBEZIUM = """unique_key='id', before='before', after='after',
    op_mapping={'INSERT': 'c', 'UPDATE_BEFORE, UPDATE_AFTER': 'u', 'DELETE': 'd'}"""
COLUMNS = """op string, before struct<id int, name string>, after struct<id int, name string>,
             lsn int"""
FIRST = [("c", None, (1, "ada"), 1), ("c", None, (2, "bob"), 2), ("c", None, (3, "eve"), 3)]
SECOND = [
    ("u", (1, "ada"), (1, "Ada"), 4),
    ("u", (1, "Ada"), (1, "ADA"), 5),
    ("u", (2, "bob"), (4, "bob"), 6),
    ("d", (3, "eve"), None, 7),
]
THIRD = [("d", (1, "ADA"), None, 8), ("c", None, (1, "ada"), 9), ("c", None, (5, "zoe"), 10)]


def consumer(config=DEBEZIUM, producer="customers"):
    return CONSUMER.replace("CONFIG", config).replace("PRODUCER", producer)


@pytest.fixture
def make(new_project, home):
    def create(files):
        files = {"models/sources.yml": SOURCES, **files}
        project = new_project(files, name="changes", home=home)
        project.table("events", FIRST, COLUMNS)
        return project

    return create


def events(project, table, batch):
    found = project.sql(
        "select op, before.name as old, after.name as new, coalesce(before.id, after.id) as id,"
        f" _position from {table} where _batch_id = {batch} order by id, _position"
    )
    return [(row.id, row._position, row.op, row.old, row.new) for row in found]


@pytest.mark.thorough
def test_a_log_keeps_no_row_for_a_time_only(make):
    upsert = "unique_key='id', encoding='upsert'"
    project = make({
        "models/customers.sql": PRODUCER,
        "models/log.sql": consumer(upsert),
        "models/zero.sql": consumer(upsert + ", state_ttl='0'"),
        # what is compared is not what passes through; a map is compared by what stands for it
        "models/tagged.sql": consumer(DEBEZIUM + ", passthrough='seen'").replace(
            "select *", "select *, map('a', name) as tags, 1 as seen"
        ),
    })  # fmt: skip
    project.run("run")
    project.table("events", SECOND)
    project.run("run")
    found = [
        sorted(map(tuple, project.sql(f"select op, id, name from {name} where _batch_id = 2")))
        for name in ("log", "zero")
    ]
    assert found[0] == found[1]
    assert ("DELETE", 3, "eve") in found[1] and ("UPDATE_AFTER", 1, "ADA") in found[1]
    tags = project.sql("select after.tags from tagged where _batch_id = 2 and after.id = 4")
    assert [row.tags for row in tags] == [{"a": "bob"}]


def test_reads_on(make):
    project = make({
        "models/customers.sql": PRODUCER,
        "models/log.sql": consumer(),
        "models/flat.sql": consumer("unique_key='id', encoding='retract'"),
    })  # fmt: skip
    project.run("run")
    project.run("run")
    project.table("events", SECOND)
    # two batches of the producer are one of the consumer
    project.run("run", "--select", "customers")
    project.table("events", THIRD)
    result = project.run("run")
    assert result.nodes["log"].message == "batch 2, 8 rows inserted"
    assert events(project, "log", 1) == [
        (1, 1, "c", None, "ada"),
        (2, 1, "c", None, "bob"),
        (3, 1, "c", None, "eve"),
    ]
    assert events(project, "log", 2) == [
        (1, 1, "u", "ada", "Ada"),
        (1, 2, "u", "Ada", "ADA"),
        (1, 3, "d", "ADA", None),
        (1, 4, "c", None, "ada"),
        (2, 1, "d", "bob", None),
        (3, 1, "d", "eve", None),
        (4, 1, "c", None, "bob"),
        (5, 1, "c", None, "zoe"),
    ]
    (position,) = table_log(project, "log")["batch"]["position"].items()
    assert position[0].endswith("customers__changelog")
    assert (position[1]["column"], position[1]["value"]) == ("_batch_id", "3")
    flat = project.sql("select op, id, name from flat where id = 1 order by _batch_id, _position")
    assert [tuple(row) for row in flat] == [
        ("INSERT", 1, "ada"),
        *[("DELETE", 1, "ada"), ("INSERT", 1, "Ada")],
        *[("DELETE", 1, "Ada"), ("INSERT", 1, "ADA")],
        *[("DELETE", 1, "ADA"), ("INSERT", 1, "ada")],
    ]


@pytest.mark.thorough
def test_a_full_refresh_appends_the_difference(make):
    project = make({
        "models/customers.sql": PRODUCER,
        "models/log.sql": consumer(),
        "models/flat.sql": consumer("unique_key='id', encoding='retract'"),
        "models/bag.sql": consumer("encoding='retract'"),
        "models/adds.sql": consumer("op_mapping={'INSERT': 'a'}"),
        # codes with spaces and commas, which the refresh reads as they were written
        "models/odd.sql": consumer(
            "unique_key='id', op_mapping={'INSERT': ' c', 'UPDATE_AFTER': 'c', 'DELETE': 'd, e'}"
        ),
    })  # fmt: skip
    project.run("run")
    project.table("events", SECOND)
    project.run("run", "--select", "customers")
    # the events that are read are changed behind the model's back: the log follows the whole
    project.sql("delete from customers__changelog where id = 3")
    names = ["log", "flat", "bag", "odd"]
    project.run("run", "--full-refresh", "--select", *names)
    assert events(project, "log", 2) == [
        (1, 1, "u", "ada", "ADA"),
        (2, 1, "d", "bob", None),
        (3, 1, "d", "eve", None),
        (4, 1, "c", None, "bob"),
    ]
    for name in "flat", "bag":
        found = project.sql(f"select op, id, name from {name} where _batch_id = 2")
        assert sorted(tuple(row) for row in found) == [
            *[("DELETE", 1, "ada"), ("DELETE", 2, "bob"), ("DELETE", 3, "eve")],
            *[("INSERT", 1, "ADA"), ("INSERT", 4, "bob")],
        ]
    odd = project.sql("select op, id, name from odd where _batch_id = 2 order by id")
    assert [tuple(row) for row in odd] == [
        *[("c", 1, "ADA"), ("d, e", 2, "bob"), ("d, e", 3, "eve"), (" c", 4, "bob")]
    ]
    project.run("run", "--full-refresh", "--select", *names)
    for name in names:
        assert project.sql(f"select max(_batch_id) as batch from {name}")[0].batch == 2
    project.table("events", THIRD)
    assert project.run("run", "--exclude", "adds").nodes["log"].status == "success"
    assert {row[0] for row in events(project, "log", 4)} == {1, 5}
    message = (
        project.run("run", "--full-refresh", "--select", "adds", expect_failure=True)
        .nodes["adds"]
        .message
    )
    assert "do not say which rows there are" in message


@pytest.mark.thorough
def test_a_producer_that_was_made_anew(make):
    project = make({"models/customers.sql": PRODUCER, "models/log.sql": consumer()})
    project.run("run")
    for table in "view customers", "table customers__state", "table customers__changelog":
        kind, name = table.split()
        project.sql(f"drop {kind} {name}")
    project.table("events", SECOND)
    message = project.run("run", expect_failure=True).nodes["log"].message
    assert "customers__changelog was dropped and made anew since batch 1 of it was read" in message
    project.run("run", "--full-refresh", "--select", "log")
    assert [row[0] for row in events(project, "log", 2)] == [1, 2, 3, 4]
    project.table("events", THIRD)
    project.run("run")
    assert {row[0] for row in events(project, "log", 3)} == {1, 5}


@pytest.mark.thorough
def test_a_full_refresh_of_the_producer_is_one_more_batch(make):
    project = make({"models/customers.sql": PRODUCER, "models/log.sql": consumer()})
    project.run("run")
    project.table("events", SECOND)
    project.run("run", "--full-refresh", "--select", "customers")
    project.run("run")
    assert [row[2] for row in events(project, "log", 2)] == ["u", "d", "d", "c"]


@pytest.mark.thorough
def test_what_can_not_be_read(make):
    project = make({
        "models/customers.sql": PRODUCER.replace("changelog=true", "changelog=false"),
        "models/plain.sql": "select 1 as id",
        "models/late.sql": PRODUCER,
        "models/no_changelog.sql": consumer(),
        "models/no_producer.sql": consumer(producer="plain"),
        "models/too_early.sql": consumer(producer="late"),
        "models/no_order.sql": consumer(producer="late").replace("*", "_row_kind, id, name"),
        "models/no_kind.sql": consumer(producer="late").replace("*", "id, name"),
    })  # fmt: skip
    late = ["late", "no_order", "no_kind"]
    nodes = project.run("run", "--exclude", *late, expect_failure=True).nodes
    assert "the model 'customers' has no changelog" in nodes["no_changelog"].message
    assert (
        "is neither a from_changelog model of this project nor a table of Delta or Iceberg"
        in nodes["no_producer"].message
    )
    assert "the model 'late' has not made its changelog yet" in nodes["too_early"].message
    nodes = project.run("run", "--select", *late, expect_failure=True).nodes
    assert "column '_sequence' is not in the input" in nodes["no_order"].message
    assert "it reads changes() and has no column _row_kind" in nodes["no_kind"].message
    project.run("compile", "--select", "no_order")


@pytest.mark.thorough
def test_empty_is_no_batch(make):
    project = make({"models/customers.sql": PRODUCER, "models/log.sql": consumer()})
    project.run("run", "--empty")
    assert project.sql("select * from log") == []
    project.run("run")
    project.run("run", "--empty")
    assert [row[2] for row in events(project, "log", 1)] == ["c", "c", "c"]
    assert table_log(project, "log")["batch"]["id"] == 1
    project.run("run-operation", "show_plan", "--args", "{model: log}")
