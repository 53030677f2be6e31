"""merge='on_read': a batch is appended to the state, and the contents are the greatest row of each
key; what is outdated goes when more than a share of the keys was appended."""

from __future__ import annotations

import pytest

from .batch_log import batch_log
from .conftest import usual

MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn', merge='MERGE',
          read={'column': 'batch'STRICT} MORE,
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
SELDOM = ", compact_above=100"
# each day deletes, moves on, repeats and is late
DAYS = {
    1: [("c", 1, "Ada", 1), ("c", 2, "Bob", 2), ("c", 3, "Cleo", 3)],
    2: [("u", 1, "Adam", 4), ("d", 2, None, 5), ("c", 4, "Dan", 6)],
    3: [("u", 1, "late", 3), ("c", 2, "Ben", 7), ("u", 4, "Dan", 6)],
}
SHOWN = {
    1: [(1, "Ada"), (2, "Bob"), (3, "Cleo")],
    2: [(1, "Adam"), (3, "Cleo"), (4, "Dan")],
    3: [(1, "Adam"), (2, "Ben"), (3, "Cleo"), (4, "Dan")],
}
# each day reads the one before again, so the last change of Ada is not the late one
APPENDED = [(1, 1), (1, 4), (2, 2), (2, 5), (2, 7), (3, 3), (4, 6)]
# after the second day; the third has the row of Dan again
COMPACTED_ONCE = [(1, 3), (1, 4), (2, 5), (2, 7), (3, 3), (4, 6)]
COMPACT = [(1, 4), (2, 7), (3, 3), (4, 6)]


def model(more="", merge="on_read", strict=", 'strict': true"):
    return MODEL.replace(" MORE", more).replace("MERGE", merge).replace("STRICT", strict)


@pytest.fixture
def make(new_project, home):
    def make(more="", **models):
        named = {name: model(text) for name, text in models.items()} or {"people": model(more)}
        files = {f"models/{name}.sql": text for name, text in named.items()}
        return new_project(files | {"models/sources.yml": SOURCES}, home=home)

    return make


def day(project, number, *events, **more):
    rows = [(number, *event) for event in events or DAYS.get(number, [])]
    project.table("events", rows, COLUMNS if number == 1 else None)
    return project.run("run", **more)


def shown(project, name="people"):
    return sorted(tuple(row) for row in project.sql(f"select id, name from {name}"))


def stored(project, name="people"):
    return sorted(tuple(row) for row in project.sql(f"select id, _sequence from {name}__state"))


def test_a_batch_is_appended_and_the_greatest_row_of_each_key_is_shown(make):
    project = make()
    project.write("models/people.sql", model(SELDOM, strict=""))
    for number in DAYS:
        day(project, number)
        assert shown(project) == SHOWN[number]
    # the event of Dan that came again is not appended again
    assert stored(project) == APPENDED
    project.run("run")
    assert stored(project) == APPENDED
    assert batch_log(project, "people")["batch"]["id"] == 3


def test_what_was_appended_is_compacted_above_a_share_of_the_keys(make):
    project = make(", compact_above=0.9")
    for number in DAYS:
        day(project, number)
    # the second day appended as many rows as there were keys, so the third run began with it
    assert stored(project) == COMPACTED_ONCE
    assert batch_log(project, "people")["compacted"] == 2
    assert shown(project) == SHOWN[3]
    assert "compact state" not in project.ran("people").split("-- write state")[1]
    day(project, 4, ("u", 3, "Clio", 8))
    assert shown(project) == [*SHOWN[3][:2], (3, "Clio"), (4, "Dan")]


@pytest.mark.parametrize(
    "statement", usual(["compact state", "write state", "commit batch"], ["write state"])
)
def test_a_run_that_is_cut_short_is_made_again(make, statement):
    project = make(", compact_above=0.9")
    now = {"dbt_changelog_now": "2026-01-01 00:00:00"}
    for number in (1, 2):
        day(project, number, vars=now)
    day(project, 3, vars=now | {"dbt_changelog_fail_after": statement}, expect_failure=True)
    assert shown(project) == SHOWN[2 if statement == "compact state" else 3]
    project.run("run", vars=now)
    assert shown(project) == SHOWN[3]
    # what the run had written, and what it wrote again, are there once
    assert len(set(stored(project))) == len(stored(project)) <= len(COMPACTED_ONCE)


def test_a_tie_between_batches_is_found_when_the_state_is_compacted(make):
    project = make()
    day(project, 1)
    day(project, 2, ("u", 1, "Eve", 1))
    assert [row for row in shown(project) if row[0] == 1] in ([(1, "Ada")], [(1, "Eve")])
    diagnosed = project.run("run-operation", "diagnose", "--args", "{model: people}")
    assert "1 ties" in diagnosed.log
    assert '{"id":1,"_sequence":1} differ in: name' in diagnosed.log
    failed = day(project, 3, expect_failure=True)
    assert "two different changes of one key have one sequence" in failed.log
    assert batch_log(project, "people")["batch"]["id"] == 2
    project.write("models/people.sql", model(", tie_handling='LAST'"))
    project.run("run")
    assert shown(project) == [(1, "late"), *SHOWN[3][1:]]


def test_a_tie_is_found_at_once_where_the_rows_before_are_read(make):
    project = make(logged=", changelog=true" + SELDOM, counted=", counters='full'" + SELDOM)
    day(project, 1)
    failed = day(project, 2, ("u", 1, "Eve", 1), expect_failure=True)
    for name in ("logged", "counted"):
        assert "two different changes of one key" in failed.nodes[name].message
        assert "USER_RAISED_EXCEPTION" not in failed.nodes[name].message
    for name in ("logged", "counted"):
        assert batch_log(project, name)["batch"]["id"] == 1
        assert shown(project, name) == SHOWN[1]


@pytest.mark.thorough
def test_a_model_that_was_merged_on_write_goes_on_and_does_not_go_back(make):
    project = make()
    project.write("models/people.sql", model(merge="on_write"))
    for number in (1, 2):
        day(project, number)
    project.write("models/people.sql", model(SELDOM))
    day(project, 3, vars={"dbt_changelog_fail_after": "write state"}, expect_failure=True)
    assert shown(project) == SHOWN[3]
    project.run("run")
    assert stored(project) == sorted([*COMPACTED_ONCE, (4, 6)])
    assert shown(project) == SHOWN[3]
    project.write("models/people.sql", model(merge="on_write"))
    failed = project.run("run", expect_failure=True)
    assert "it is on_write, but batches were appended to the state with on_read" in failed.log
    project.run("run", "--full-refresh")
    assert shown(project) == SHOWN[3]
    assert stored(project) == COMPACT


@pytest.mark.thorough
def test_columns_may_change_twice_before_the_state_is_compacted(make):
    """Each time the last position is read again, in other columns: the newest reading counts."""
    project = make()
    keys = range(8)
    events = [(1, "c", key, "a", key) for key in keys]
    project.table(
        "events", [(*event, "Ulm", 89) for event in events], f"{COLUMNS}, city string, zip int"
    )
    for columns in "name, lsn", "name, lsn, city", "name, lsn, city, zip":
        text = model(f", on_schema_change='append_new_columns'{SELDOM}", strict="")
        project.write("models/people.sql", text.replace("name, lsn", columns))
        project.run("run")
    assert project.sql("select * from people order by id") == [
        (key, "a", key, "Ulm", 89) for key in keys
    ]
    project.table("events", [(2, "u", 0, "b", 9, "Ulm", 89)])
    project.write("models/people.sql", text.replace("name, lsn", columns).replace(SELDOM, ""))
    project.run("run")
    project.run("run")
    assert project.sql("select id, name, city from people where id < 2 order by id") == [
        (0, "b", "Ulm"),
        (1, "a", "Ulm"),
    ]


@pytest.mark.thorough  # the usual laws have such a changelog, too
def test_the_changelog_is_that_of_a_merge(make):
    project = make(
        read=", changelog=true, state_ttl='0'" + SELDOM,
        often=", changelog=true, state_ttl='0', compact_above=0.01",
    )
    project.write("models/written.sql", model(", changelog=true, state_ttl='0'", merge="on_write"))
    for number in DAYS:
        day(project, number)
    project.table("events", [(4, "u", 3, "Clio", 8)])
    project.sql("delete from events where batch = 1")
    project.run("run", "--full-refresh")
    columns = "_row_kind, _sequence, _ordinal, id, name, _batch_id"
    rows = {
        name: sorted(map(tuple, project.sql(f"select {columns} from {name}__changelog")), key=str)
        for name in ("read", "often", "written")
    }
    assert len(rows["written"]) == 8
    assert rows["read"] == rows["often"] == rows["written"]


@pytest.mark.thorough
def test_a_tombstone_is_forgotten_with_the_rows_that_it_deletes(make):
    project = make(", tombstone_retention='7 days', compact_above=0.4")
    for number in (1, 2, 8, 10):
        now = {"dbt_changelog_now": f"2026-01-{number:02} 00:00:00"}
        events = DAYS.get(number) or [("u", 1, "Adam", number + 10), ("u", 3, "Clio", number)]
        day(project, number, *events, vars=now)
        assert ((2, 5) in stored(project)) == (number in (2, 8))
    assert 2 not in [row[0] for row in shown(project)]
    assert 2 not in [row[0] for row in stored(project)]
    counted = project.sql(
        "select sum(tombstones_forgotten) as forgotten from dbt_changelog_batches"
    )
    assert counted[0].forgotten == 1


@pytest.mark.thorough
def test_a_key_that_was_erased_does_not_come_back(make):
    project = make(SELDOM)
    for number in (1, 2):
        day(project, number)
    project.run("run-operation", "erase", "--args", "{model: people, keys: [{id: 1}]}")
    assert 1 not in [row[0] for row in shown(project)]
    names = "select count(*) as named from people__state where id = 1 and name is not null"
    assert project.sql(names)[0].named == 0
    # its last event comes again
    day(project, 3, ("u", 1, "Adam", 4), *DAYS[3])
    assert project.sql(names)[0].named == 0
    assert shown(project) == SHOWN[3][1:]
    day(project, 4, ("c", 1, "Amy", 9))
    assert shown(project)[0] == (1, "Amy")


@pytest.mark.thorough
def test_columns_come_and_the_rows_before_them_stay(make):
    project = make(SELDOM + ", on_schema_change='append_new_columns'")
    day(project, 1)
    text = model(SELDOM + ", on_schema_change='append_new_columns'")
    project.write("models/people.sql", text.replace("name, lsn", "name, lsn, id * 10 as ten"))
    # an event that is read again with its new column is no tie
    day(project, 2, ("c", 1, "Ada", 1), ("u", 2, "Ben", 4))
    found = sorted(map(tuple, project.sql("select id, name, ten from people")))
    assert found == [(1, "Ada", 10), (2, "Ben", 20), (3, "Cleo", None)]
    project.write(
        "models/people.sql",
        text.replace("name, lsn", "name, lsn, id * 10 as ten").replace("100", "0.01"),
    )
    day(project, 3, ("u", 2, "Bo", 5))
    found = sorted(map(tuple, project.sql("select id, name, ten from people")))
    assert found == [(1, "Ada", 10), (2, "Bo", 20), (3, "Cleo", None)]


@pytest.mark.thorough
def test_rows_that_were_adopted_are_those_before_the_first_batch(make):
    project = make(", adopt=true" + SELDOM)
    project.table("people", [(1, "Ada", 1), (7, "Gil", 0)], "id int, name string, lsn int")
    day(project, 1)
    # the event that made the row of Ada is no tie with it
    assert shown(project) == [*SHOWN[1], (7, "Gil")]
    day(project, 2)
    assert shown(project) == [*SHOWN[2], (7, "Gil")]


@pytest.mark.thorough
def test_nobody_says_how_many_rows_live(make):
    project = make(SELDOM)
    project.write("models/sizes.sql", "{{ dbt_changelog.state_sizes_sql() }}")
    for number in (1, 2):
        day(project, number)
    (sizes,) = project.sql("select * from sizes")
    assert (sizes.state_rows, sizes.live_rows, sizes.tombstones) == (6, None, None)
