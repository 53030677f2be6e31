"""Models without a key: a row is there as often as it was added and not taken away."""

from __future__ import annotations

from collections import Counter
from decimal import Decimal

import pytest
from pyspark.sql import SparkSession

from .batch_log import changed_log

MODEL = """
{{ config(materialized='from_changelog', read={'column': 'place', 'strict': true} MORE,
          op_mapping={'+': 'INSERT', '-': 'DELETE'}) }}
select op, name from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}, {name: rows}, {name: updates}]
"""
TESTS = """
sources:
  - name: ours
    schema: "{{ target.schema }}"
    tables:
      - name: logged__changelog
        data_tests:
          - dbt_changelog.valid_changelog: {name: valid}
          - dbt_changelog.changelog_matches_table:
              {name: matches, arguments: {table: ref('logged')}}
"""
COLUMNS = "place int, op string, name string"


@pytest.fixture
def project(new_project, home):
    files = {
        "models/sources.yml": SOURCES,
        "models/tests.yml": TESTS,
        "models/bag.sql": MODEL.replace("MORE", ""),
        "models/logged.sql": MODEL.replace("MORE", ", changelog=true"),
        "models/whole.sql": MODEL.replace("{'column': 'place', 'strict': true} MORE", "'full'"),
    }
    return new_project(files, name="keyless", threads=2, home=home)


def arrive(project, *events, first=False):
    """Events as '+ada': each one's place is after all before it."""
    start = 0 if first else project.sql("select max(place) from events")[0][0]
    rows = [(start + n, event[0], event[1:] or None) for n, event in enumerate(events, 1)]
    project.table("events", rows, COLUMNS if first else None)


def names(project, model):
    return sorted(row.name or "NULL" for row in project.sql(f"select * from {model}"))


def weights(project, model):
    rows = project.sql(f"select name, _weight, _batch_id from {model}__state")
    return {row.name: (row._weight, row._batch_id) for row in rows}


def folded(project, model):
    """What is left of the changelog of a model, as a bag of names."""
    bag = Counter()
    for row in project.sql(f"select _row_kind, name from {model}__changelog"):
        bag[row.name or "NULL"] += 1 if row._row_kind == "INSERT" else -1
    return sorted((+bag).elements())


def check(project, *expected):
    for model in ("bag", "logged", "whole"):
        assert names(project, model) == list(expected), model
    assert folded(project, "logged") == list(expected)


@pytest.mark.thorough
def test_rows_are_counted_over_batches(project, capsys):
    arrive(project, "+ada", "+ada", "+", "-bob", "+eve", "-eve", first=True)
    project.run("run")
    check(project, "NULL", "ada", "ada")
    assert weights(project, "bag") == {"ada": (2, 1), None: (1, 1), "bob": (-1, 1)}

    arrive(project, "-ada", "+bob", "-bob", "+eve", "-")
    project.run("run")
    check(project, "ada", "eve")
    assert weights(project, "bag") == {
        **{"ada": (1, 2), None: (0, 2), "bob": (-1, 1), "eve": (1, 2)}
    }

    arrive(project, "+bob", "-ada", "+bob")
    project.run("run")
    check(project, "bob", "eve")
    assert project.run("test").count("pass") == 2
    assert weights(project, "bag") == {
        **{"ada": (0, 3), None: (0, 2), "bob": (1, 3), "eve": (1, 2)}
    }

    assert "nothing new" in project.run("run").nodes["bag"].message
    check(project, "bob", "eve")
    assert project.sql("select distinct _batch_id from logged__changelog order by 1") == [
        (1,),
        (2,),
        (3,),
    ]

    # one row waits below zero, then the source has lost an event and a full refresh finds out
    arrive(project, "-zoe")
    project.run("run")
    project.sql("delete from events where place = 1 or name = 'zoe'")
    arrive(project, "+zoe")
    project.run("run", "--full-refresh")
    check(project, "bob", "eve", "zoe")
    refreshed = project.sql(
        "select _row_kind, name from logged__changelog where _batch_id = 5 order by name"
    )
    arrive(project, "+new")
    project.run("run-operation", "diagnose", "--args", "{model: bag}")
    # ada, added once and taken away twice, waits below zero, new is not there yet
    assert "after batch 5: 1 rows that differ, 1 rows below zero" in capsys.readouterr().out

    result = project.run("test", expect_failure=True)
    assert (result.nodes["matches"].status, result.nodes["valid"].status) == ("pass", "fail")
    # zoe waited before
    assert refreshed == [("DELETE", "ada"), ("INSERT", "zoe"), ("INSERT", "zoe")]


@pytest.mark.thorough
@pytest.mark.parametrize("statement", ["stage changes", "append changelog", "write state"])
def test_events_that_arrive_after_a_failure_are_counted_once(project, statement):
    arrive(project, "+ada", "-bob", first=True)
    project.run("run")
    arrive(project, "+ada", "+bob", "+bob")
    models = ["--select", "logged"] + ["bag"] * (statement != "append changelog")
    project.run("run", *models, vars={"dbt_changelog_fail_after": statement}, expect_failure=True)
    arrive(project, "-ada", "+eve")
    project.run("run")
    check(project, "ada", "bob", "eve")
    # a batch of which nothing was written is read again, together with what is new
    last = 2 if statement == "stage changes" else 3
    batches = "select max(_batch_id), count(distinct _batch_id) from logged__changelog"
    assert project.sql(batches) == [(last, last)]


@pytest.mark.thorough
@pytest.mark.parametrize("statement", ["write state", "purge state"])
def test_rows_that_came_to_nothing_are_purged_now_and_then(project, statement):
    arrive(project, "+ada", "+bob", first=True)
    project.run("run", "--select", "bag")
    arrive(project, "-bob")
    project.run("run", "--select", "bag")
    later = batch_log_properties(project, '"id": 2', '"id": 15')
    project.sql(f"alter table bag__state set tblproperties ({later})")
    arrive(project, "-ada", "+eve")
    fails = {"dbt_changelog_fail_after": statement}
    project.run("run", "--select", "bag", vars=fails, expect_failure=True)
    project.run("run", "--select", "bag")
    # a row of this batch stays: it says that the batch was written
    assert weights(project, "bag") == {"ada": (0, 16), "eve": (1, 16)}
    assert names(project, "bag") == ["eve"]


@pytest.mark.thorough
def test_a_batch_that_comes_to_nothing_moves_the_position(project):
    arrive(project, "+ada", first=True)
    project.run("run")
    arrive(project, "+bob", "-bob")
    fails = {"dbt_changelog_fail_after": "write state"}
    project.run("run", "--select", "bag logged", vars=fails, expect_failure=True)
    project.run("run")
    arrive(project, "+bob")
    project.run("run")
    check(project, "ada", "bob")


@pytest.mark.thorough
def test_staged_changes_that_were_lost_are_not_counted_again(project):
    arrive(project, "+ada", first=True)
    project.run("run", "--select", "bag")
    arrive(project, "+ada")
    fails = {"dbt_changelog_fail_after": "write state"}
    project.run("run", "--select", "bag", vars=fails, expect_failure=True)
    project.sql("drop table bag__changes")
    result = project.run("run", "--select", "bag", expect_failure=True)
    assert "has rows of a batch that was not committed, 2: " in result.log
    assert "To fix: let the other run end" in result.log
    project.run("run", "--select", "bag", "--full-refresh")
    assert names(project, "bag") == ["ada", "ada"]


@pytest.mark.thorough
@pytest.mark.parametrize("moment", ["max(`place`)", "create or replace table"])
def test_another_run_commits_first(project, monkeypatch, moment):
    arrive(project, "+ada", first=True)
    project.run("run", "--select", "bag")
    first = batch_log_properties(project)
    arrive(project, "+bob")
    project.run("run", "--select", "bag")
    second = batch_log_properties(project)
    # as it was before the second run; which, as another run, commits its batch again in a moment
    project.sql("drop table bag__changes")
    project.sql(f"alter table bag__state set tblproperties ({first})")
    original, seen = SparkSession.sql, []

    def sql(self, query, *args, **kwargs):
        if moment in query:
            seen.append(query)
            original(self, f"alter table {project.schema}.bag__state set tblproperties ({second})")
        return original(self, query, *args, **kwargs)

    monkeypatch.setattr(SparkSession, "sql", sql)
    result = project.run("run", "--select", "bag", expect_failure=True)
    assert seen and "committed batch 2 while this one worked on batch 2" in result.log
    monkeypatch.undo()
    project.run("run", "--select", "bag")
    assert names(project, "bag") == ["ada", "bob"]
    arrive(project, "+bob")
    project.run("run", "--select", "bag")
    assert names(project, "bag") == ["ada", "bob", "bob"]


def batch_log_properties(project, old='"id": ', new='"id": '):
    """The batch log of bag, as properties to set; with a text of it replaced."""
    return changed_log(project, "bag__state", old, new)


def test_a_strict_range_begins_above_the_last_position(project):
    arrive(project, "+ada", "+bob", first=True)
    project.run("run", "--select", "bag")
    # against the promise: these are at and below the last position, and lost
    project.table("events", [(2, "+", "eve"), (1, "+", "eve")])
    result = project.run("run", "--select", "bag")
    assert "nothing new" in result.nodes["bag"].message
    # the position does not go back when the last rows are gone
    project.sql("delete from events where place = 2")
    result = project.run("run", "--select", "bag", expect_failure=True)
    assert "is 1, and it was read up to 2" in result.log
    arrive(project, "+eve")
    project.run("run", "--select", "bag")
    assert names(project, "bag") == ["ada", "bob"]
    project.table("events", [(3, "+", "zoe")])
    project.run("run", "--select", "bag")
    assert names(project, "bag") == ["ada", "bob", "zoe"]


@pytest.mark.thorough
def test_an_empty_source_and_rows_without_a_place(project):
    project.table("events", [], COLUMNS)
    project.run("run", "--select", "bag")
    assert "nothing new" in project.run("run", "--select", "bag").nodes["bag"].message
    project.table("events", [(None, "+", "ada"), (1, "+", "ada")])
    result = project.run("run", "--select", "bag", expect_failure=True)
    assert "Invalid 'read' in from_changelog model 'bag': place is NULL" in result.log
    assert "To fix: read by a column that is never NULL" in result.log
    project.sql("delete from events where place is null")
    project.run("run", "--select", "bag")
    assert names(project, "bag") == ["ada"]


@pytest.mark.thorough
def test_the_way_of_reading_may_change(project):
    """A state without a position can't be added to, so it is built anew."""
    arrive(project, "+ada", "+bob", first=True)
    project.run("run", "--select", "whole")
    strict = MODEL.replace("MORE", "")
    for text in (strict, strict.replace("{'column': 'place', 'strict': true}", "'full'"), strict):
        project.write("models/whole.sql", text)
        project.run("run", "--select", "whole")
        assert names(project, "whole") == ["ada", "bob"]
    arrive(project, "+bob")
    project.run("run", "--select", "whole")
    assert names(project, "whole") == ["ada", "bob", "bob"]
    project.write("models/whole.sql", strict.replace("'place'", "'name'"))
    result = project.run("run", "--select", "whole", expect_failure=True)
    assert "Invalid 'read'" in result.log and "up to a position of place, int" in result.log


@pytest.mark.thorough
def test_empty_and_a_key_that_is_dropped(project):
    arrive(project, "+ada", first=True)
    keyed = MODEL.replace("MORE", ", unique_key='name', sequence_by='place'")
    project.write("models/keyed.sql", keyed.replace("op, name", "op, name, place"))
    project.run("run", "--empty")
    check_empty = [names(project, model) for model in ("bag", "logged", "whole", "keyed")]
    assert check_empty == [[], [], [], []]
    project.run("run")
    project.run("run", "--empty", "--full-refresh")
    check(project, "ada")
    assert names(project, "keyed") == ["ada"]
    project.write("models/keyed.sql", MODEL.replace("MORE", ""))
    result = project.run("run", "--select", "keyed", expect_failure=True)
    assert "Invalid 'unique_key'" in result.log and "made with ['name']" in result.log


CONTRACT = """
models:
  - name: MODEL
    config: {contract: {enforced: true}}
    columns: [{name: name, data_type: string, constraints: [{type: not_null}]}]
"""


@pytest.mark.thorough
def test_constraints_hold_for_rows_that_are_added(project):
    for model in ("bag", "logged"):
        project.write(f"models/{model}.yml", CONTRACT.replace("MODEL", model))
    arrive(project, "+ada", "-", first=True)
    project.run("run", "--exclude", "whole")
    arrive(project, "+bob", "+", "+")
    result = project.run("run", "--exclude", "whole", expect_failure=True)
    for model in ("bag", "logged"):
        assert "the constraint not_null (name) does not hold" in result.nodes[model].message
        assert names(project, model) == ["ada"]
    assert folded(project, "logged") == ["ada"]
    project.sql("delete from events where name is null and op = '+'")
    project.run("run", "--exclude", "whole")
    assert [names(project, model) for model in ("bag", "logged")] == [["ada", "bob"]] * 2


# --- what a row is -------------------------------------------------------------------------------

ROWS = """id int, text string, real double, price decimal(12,2), tags map<string, int>,
          place struct<city: string, more: map<int, array<double>>>,
          items array<struct<`a-b`: map<string, string>, `x.y`: double>>"""
FIRST = [
    (1, "a", None, None, {}, None, None),
    (2, None, 0.0, "1.10", {"x": 1, "y": None}, ("Oslo", {1: [0.0], 2: None}), []),
    (3, "", float("nan"), "0.00", None, (None, None), [({"k": "v", "l": "w"}, float("nan"))]),
    (4, None, None, None, None, None, None),
    (5, "ż", -1.5, None, {"x": None}, ("Oslo", {}), [None, (None, None)]),
]
# equal to Spark, and written another way
AGAIN = {
    2: (2, None, -0.0, "1.1", {"y": None, "x": 1}, ("Oslo", {2: None, 1: [-0.0]}), []),
    3: (3, "", float("nan"), "0", None, (None, None), [({"l": "w", "k": "v"}, float("nan"))]),
}
# each differs from its row of FIRST in one place that a weak comparison would miss
OTHERS = [
    (1, None, None, None, {}, None, None),
    (2, None, 0.0, "1.10", {"x": None, "y": 1}, ("Oslo", {1: [0.0], 2: None}), []),
    (2, None, 0.0, "1.10", {"x": 1, "y": None}, ("Oslo", {1: [None], 2: None}), []),
    (3, "", float("nan"), "0.00", {}, (None, None), [({"k": "v", "l": "w"}, float("nan"))]),
    (3, "", float("nan"), "0.00", None, None, [({"k": "v", "l": "w"}, float("nan"))]),
    (4, None, None, None, {}, None, None),
    (5, "ż", -1.5, None, {"x": None}, ("Oslo", {}), [(None, None), None]),
    (5, "ż", -1.5, None, {}, ("Oslo", {}), [None, (None, None)]),
]
ROW_MODEL = """
{{ config(materialized='from_changelog', read={'column': 'batch', 'strict': true} MORE,
          op_mapping={'+': 'INSERT', '-': 'DELETE'}) }}
select * except (batch) from {{ dbt_changelog.new_rows(source('bronze', 'rows')) }}
"""


@pytest.mark.thorough
def test_rows_are_equal_as_spark_compares_them(new_project):
    def events(batch, op, rows):
        for id_, text, real, price, *rest in rows:
            yield (batch, op, id_, text, real, price and Decimal(price), *rest)

    project = new_project(
        {
            "models/sources.yml": SOURCES,
            "models/apart.sql": ROW_MODEL.replace("MORE", ""),
            "models/logged.sql": ROW_MODEL.replace("MORE", ", changelog=true"),
        },
        name="rows",
    )
    columns = f"batch int, op string, {ROWS}"
    project.table("rows", [*events(1, "+", FIRST), *events(1, "-", OTHERS)], columns)
    project.run("run")
    assert [row.id for row in project.sql("select id from apart order by id")] == [1, 2, 3, 4, 5]
    again = [AGAIN.get(row[0], row) for row in FIRST]
    project.table("rows", [*events(2, "-", again), *events(2, "+", OTHERS)])
    project.run("run")
    for model in ("apart", "logged"):
        assert project.sql(f"select * from {model}") == []
        weights = project.sql(f"select count(*), max(abs(_weight)) from {model}__state")
        assert weights == [(len(FIRST) + len(OTHERS), 0)]


UPDATES = """
{{ config(materialized='from_changelog', read={'column': 'batch', 'strict': true}, changelog=true,
          before='before', after='after',
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}) }}
select op, before, after from {{ dbt_changelog.new_rows(source('bronze', 'updates')) }}
"""


@pytest.mark.thorough
def test_an_update_with_both_images_takes_one_row_and_gives_another(new_project):
    project = new_project({"models/sources.yml": SOURCES, "models/cities.sql": UPDATES})
    row = "struct<city: string, people: int>"
    columns = f"batch int, op string, before {row}, after {row}"
    oslo, more = ("Oslo", 1), ("Oslo", 2)
    project.table("updates", [(1, "c", None, oslo), (1, "c", None, oslo)], columns)
    project.run("run")
    project.table("updates", [(2, "u", oslo, more), (2, "u", more, more), (2, "d", oslo, None)])
    project.run("run")
    assert project.sql("select * from cities") == [more]
    changelog = project.sql(
        "select _row_kind, city, people from cities__changelog where _batch_id = 2"
        " order by people, _row_kind"
    )
    assert changelog == [
        ("DELETE", *oslo),
        ("UPDATE_BEFORE", *oslo),
        ("UPDATE_AFTER", *more),
        ("UPDATE_AFTER", *more),
        ("UPDATE_BEFORE", *more),
    ]
    project.table("updates", [(3, "u", None, oslo)])
    result = project.run("run", expect_failure=True)
    assert "the before image is NULL in the event" in result.log
    project.sql("delete from updates where batch = 3")
    project.table("updates", [(4, "d", None, None)])
    result = project.run("run", expect_failure=True)
    assert "the before image is NULL in the event" in result.log
