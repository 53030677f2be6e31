"""Parquet: each run writes the state anew, and the view says which one counts."""

from __future__ import annotations

import pytest

from .batch_log import changed_log, table_log

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
COLUMNS = "op string, id int, name string, lsn int"
FIRST = [("c", 1, "ada", 1), ("c", 2, "bob", 2), ("c", 3, "eve", 3)]
SECOND = [("u", 1, "Ada", 4), ("d", 2, None, 5), ("c", 4, "zoe", 6)]


def model(more="", columns="*"):
    return f"""
    {{{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
        op_mapping={{'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}},
        read={{'column': 'lsn'}}, file_format='parquet' {more}) }}}}
    select {columns} from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
    """


@pytest.fixture
def make(new_project):
    def create(text):
        files = {"models/sources.yml": SOURCES, "models/customers.sql": text}
        project = new_project(files, name="parquet")
        project.table("events", FIRST, COLUMNS)
        return project

    return create


def states(project):
    """The ids of the batches of which there is a state."""
    tables = [row.tableName for row in project.sql("show tables like 'customers__state_*'")]
    return sorted(table_log(project, table)["batch"]["id"] for table in tables)


def names(project):
    return sorted(row.name for row in project.sql("select name from customers"))


@pytest.mark.thorough
def test_the_state_before_the_last_batch_stays(make):
    project = make(model())
    message = project.run("run").nodes["customers"].message
    assert message == "batch 1, 3 rows inserted, 0 rows updated, 0 rows deleted"
    project.table("events", SECOND)
    message = project.run("run").nodes["customers"].message
    assert message == "batch 2, 1 rows inserted, 1 rows updated, 1 rows deleted"
    assert (states(project), names(project)) == ([1, 2], ["Ada", "eve", "zoe"])
    message = project.run("run").nodes["customers"].message
    assert message == "nothing new"
    assert states(project) == [2]
    project.table("events", [("c", 5, "kim", 7)])
    project.run("run", "--full-refresh")
    assert (states(project), names(project)) == ([2, 3], ["Ada", "eve", "kim", "zoe"])
    project.run("run", "--empty")
    assert (states(project), names(project)) == ([3], ["Ada", "eve", "kim", "zoe"])


def test_a_batch_counts_once_the_view_reads_it(make):
    fail = {"dbt_changelog_fail_after": "write state"}
    project = make(model())
    project.run("run", vars=fail, expect_failure=True)
    assert not project.sql(f"show views in {project.schema} like 'customers'")
    project.run("run")
    assert (states(project), names(project)) == ([1], ["ada", "bob", "eve"])
    # a full refresh that failed before has not happened
    project.sql("update events set name = 'Augusta' where lsn = 1")
    project.table("events", SECOND)
    project.run("run", "--full-refresh", vars=fail, expect_failure=True)
    assert names(project) == ["ada", "bob", "eve"]
    project.run("run")
    assert (states(project), names(project)) == ([1, 2], ["Ada", "eve", "zoe"])


@pytest.mark.thorough
def test_a_state_whose_view_is_gone_is_found(make):
    """Its source need not have the events any more."""
    project = make(model())
    project.run("run")
    project.table("events", SECOND)
    project.run("run")
    project.sql("delete from events where lsn < 6")
    project.sql("drop view customers")
    project.run("run")
    assert (states(project), names(project)) == ([2], ["Ada", "eve", "zoe"])


def test_a_table_of_a_like_name_is_not_dropped(make):
    project = make(model())
    project.sql("create table customers__state_1_precious using parquet as select 1 as id")
    for batch in range(3):
        project.table("events", [("c", 10 + batch, "x", 10 + batch)])
        project.run("run")
    assert project.sql("select id from customers__state_1_precious") == [(1,)]


@pytest.mark.parametrize("event", [("u", 3, "Eve", 3), ("z", 3, "eve", 9)])
def test_wrong_data_commits_nothing(make, event):
    project = make(model())
    project.run("run")
    project.table("events", [event])
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert "To fix: " in message
    assert (states(project), names(project)) == ([1], ["ada", "bob", "eve"])


@pytest.mark.thorough
def test_another_run_repointed_the_view(make, spark, monkeypatch):
    project = make(model())
    project.run("run")
    project.table("events", SECOND)
    state = project.state("parquet", "customers")
    log = changed_log(project, state, '"id": 1', '"id": 2')
    place, original = f"{project.schema}.customers", type(spark).sql
    done = []

    def sql(self, query, *args, **kwargs):
        result = original(self, query, *args, **kwargs)
        if f"table {place}__state_2_" in query and not done:
            done.append(query)
            original(spark, f"create table {place}__state_2_87654321 using parquet"
                     f" tblproperties ({log}) as select * from {state}")  # fmt: skip
            original(spark, f"create or replace view {place} as"
                     f" select id, name, lsn from {place}__state_2_87654321")  # fmt: skip
        return result

    monkeypatch.setattr(type(spark), "sql", sql)
    result = project.run("run", expect_failure=True)
    assert "committed a batch while this one worked on batch 2" in result.log
    monkeypatch.undo()
    project.run("run")
    assert names(project) == ["Ada", "eve", "zoe"]


@pytest.mark.thorough
def test_names_of_any_characters(make):
    text = model(columns="op, id as `select`, name as `o p'=`, lsn as `l.s`")
    text = text.replace("unique_key='id'", "unique_key='select'")
    project = make(text.replace("sequence_by='lsn'", "sequence_by='l.s'"))
    project.run("run")
    project.table("events", SECOND)
    project.run("run")
    found = project.sql("select `o p'=` from customers order by 1")
    assert found == [("Ada",), ("eve",), ("zoe",)]


REFUSED = {
    "unique_key": None,
    "changelog": True,
    "location_root": "/lake",
    "partition_by": "name",
    "clustered_by": "id",
    "buckets": 4,
    "on_schema_change": "sync_all_columns",
}


def test_refused_with_the_way_out(new_project):
    files = {
        f"models/{name}.sql": model(f", {name}={value!r}")
        if value
        else model().replace("='id'", "=none")
        for name, value in REFUSED.items()
    }
    project = new_project({"models/sources.yml": SOURCES, **files}, name="parquet")
    project.table("events", FIRST, COLUMNS)
    nodes = project.run("run", expect_failure=True).nodes
    for name in REFUSED:
        assert f"Invalid '{name}' in from_changelog model '{name}'" in (nodes[name].message or "")
        assert "To fix: " in (nodes[name].message or "")
    assert project.tables() == ["dbt_changelog_batches", "events"]


def test_a_parquet_table_has_no_changes_to_read(new_project):
    files = {
        "models/sources.yml": SOURCES,
        "models/feed.sql": """
        {{ config(materialized='to_changelog', unique_key='id') }}
        select * from {{ dbt_changelog.changes(source('bronze', 'events')) }}
        """,
    }
    project = new_project(files, name="parquet")
    project.sql("create table events using parquet as select 1 as id")
    message = project.run("run", expect_failure=True).nodes["feed"].message
    assert "events is neither a from_changelog model of this project nor a table of" in message
    assert "To fix: " in message
    assert project.tables() == ["dbt_changelog_batches", "events"]
