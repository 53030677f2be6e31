"""The materialization to_changelog over a table: each run appends what changed since the last."""

from __future__ import annotations

import pytest

from .batch_log import table_log

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: accounts}]
"""
ACCOUNTS = "id int, name string, balance int, tags map<string, int>"
FIRST = [(1, "ada", 1, {"a": 1, "b": 2}), (2, "bob", 2, None), (3, None, None, {})]
# 1 is the same in other words, 2 changed, 3 is gone, 4 is new
SECOND = [(1, "ada", 1, {"b": 2, "a": 1}), (2, "Bob", 2, None), (4, "eve", 4, {})]
QUERY = "select * from {{ source('bronze', 'accounts') }}"
DEBEZIUM = """op_mapping={'INSERT': 'c', 'UPDATE_BEFORE, UPDATE_AFTER': 'u', 'DELETE': 'd'},
    before='before', after='after'"""


def model(more="", query=QUERY):
    return f"{{{{ config(materialized='to_changelog', {more}) }}}}\n{query}"


def events(project, name, columns="op, id, name"):
    """What is in a log, in order: the batch, the number in it, and the columns."""
    found = project.sql(
        f"select _batch_id, _position, {columns} from {name}"
        " order by _batch_id, coalesce(id, before.id, after.id), _position"
        if "after" in columns
        else f"select _batch_id, _position, {columns} from {name} order by _batch_id, id, _position"
    )
    return [tuple(row) for row in found]


@pytest.fixture
def make(new_project, home):
    def create(files, rows=FIRST):
        files = {"models/sources.yml": SOURCES, **files}
        project = new_project(files, name="log", home=home)
        project.table("accounts", rows, ACCOUNTS)
        return project

    return create


def test_a_log_has_what_changed(make):
    models = {
        f"models/{name}.sql": model(more)
        for name, more in {
            "keyed": "unique_key='id'",
            "bag": "",
            "images": f"unique_key='ID', {DEBEZIUM}",
            "partial": "unique_key='id', produces_full_deletes=false",
        }.items()
    }
    project = make(models)
    result = project.run("run")
    assert result.nodes["keyed"].message == "batch 1, 3 rows inserted"
    project.run("run")
    project.table("accounts", SECOND, ACCOUNTS)
    result = project.run("run")
    assert result.nodes["keyed"].message == "batch 2, 4 rows inserted"
    assert project.run("run").nodes["bag"].message == "nothing new"
    added = [(1, 1, "INSERT", id_, name) for id_, name, *_ in FIRST]
    assert events(project, "keyed") == [
        *added,
        (2, 1, "UPDATE_BEFORE", 2, "bob"),
        (2, 2, "UPDATE_AFTER", 2, "Bob"),
        (2, 1, "DELETE", 3, None),
        (2, 1, "INSERT", 4, "eve"),
    ]
    bag = project.sql(
        "select _batch_id, _position, op, id, name from bag order by _batch_id, op, id"
    )
    assert [tuple(row) for row in bag] == [
        *[(1, 1, "INSERT", id_, name) for id_, name, *_ in FIRST],
        *[(2, 1, "DELETE", 2, "bob"), (2, 1, "DELETE", 3, None)],
        *[(2, 1, "INSERT", 2, "Bob"), (2, 1, "INSERT", 4, "eve")],
    ]
    images = project.sql(
        "select _batch_id, _position, op, before.name as old, after.name as new"
        " from images where _batch_id = 2"
        " order by coalesce(before.id, after.id)"
    )
    assert [tuple(row) for row in images] == [
        (2, 1, "u", "bob", "Bob"),
        (2, 1, "d", None, None),
        (2, 1, "c", None, "eve"),
    ]
    (deleted,) = project.sql("select * from partial where op = 'DELETE'")
    assert (deleted.id, deleted.name, deleted.balance, deleted.tags) == (3, None, None, None)
    log = table_log(project, "keyed")
    assert log["batch"] == {"id": 2, "position": {}}


KEYED = "unique_key='id'"


def test_wrong_keys_are_refused_before_anything_is_written(make):
    project = make({"models/log.sql": model(KEYED), "models/first.sql": model(KEYED)})
    project.run("run", "--select", "log")
    for rows, words in {
        "(1, 'a'), (1, 'b')": "two rows of one table have the key",
        "(cast(null as int), 'a')": 'it is NULL in the row {"name":"a"',
    }.items():
        query = f"select * from values {rows} as t (id, name)"
        project.write("models/first.sql", model(KEYED, query))
        extra = "cast(1 as int) as balance, map('a', 1) as tags"
        project.write("models/log.sql", model(KEYED, f"select *, {extra} from ({query})"))
        nodes = project.run("run", expect_failure=True).nodes
        for name in "log", "first":
            message = nodes[name].message
            assert f"Invalid 'unique_key' in to_changelog model '{name}': {words}" in message
    assert len(project.sql("select * from log")) == len(FIRST)
    assert not project.spark.catalog.tableExists(f"{project.schema}.first")


@pytest.mark.thorough
@pytest.mark.parametrize("arguments", [[], ["--full-refresh"]])
def test_what_a_log_can_not_follow(make, arguments):
    changes = {
        "columns": ("input", model(KEYED, QUERY.replace("*", "id, name, tags"))),
        "type": ("input", model(KEYED, QUERY.replace("*", "id, name, tags, 1L as balance"))),
        "op": ("op", model(f"{KEYED}, op='code'")),
        "images": ("after", model(f"{KEYED}, {DEBEZIUM}")),
        "mapping": ("op_mapping", model(f"{KEYED}, encoding='retract'")),
        "key": ("unique_key", model("unique_key=['id', 'name']")),
    }
    project = make({f"models/{name}.sql": model(KEYED) for name in changes})
    project.run("run")
    for name, (_, text) in changes.items():
        project.write(f"models/{name}.sql", text)
    nodes = project.run("run", *arguments, expect_failure=True).nodes
    for name, (argument, _) in changes.items():
        message = nodes[name].message or ""
        assert f"Invalid '{argument}' in to_changelog model '{name}': " in message
        assert "let its consumers begin again, and run again" in message
        assert len(project.sql(f"select * from {name}")) == len(FIRST)


@pytest.mark.thorough
def test_tables_that_are_gone_or_not_ours(make):
    project = make({
        **{f"models/{name}.sql": model(KEYED) for name in ("log", "other")},
        "models/taken.sql": "{{ config(materialized='table') }} select 1 as id",
        "models/parquet/files.sql": model(KEYED),
    })  # fmt: skip
    nodes = project.run("run", expect_failure=True).nodes
    assert "has no append that happens as a whole" in nodes["files"].message
    project.sql("drop table log")
    project.sql("drop table other__state")
    project.write("models/taken.sql", model(KEYED))
    project.run("run", "--select", "taken", expect_failure=True)
    nodes = project.run("run", "--exclude", "files", expect_failure=True).nodes
    assert "log is gone, and" in nodes["log"].message
    assert "other__state, which remembers what" in nodes["other"].message
    assert "taken, which this model would write, exists" in nodes["taken"].message
    project.run("run", "--full-refresh", "--select", "log")
    # its consumers may know batch 1
    assert events(project, "log") == [(2, 1, "INSERT", id_, name) for id_, name, *_ in FIRST]


@pytest.mark.thorough
def test_empty_is_no_batch(make):
    project = make({"models/log.sql": model(KEYED), "models/bag.sql": model()})
    for _ in range(2):
        project.run("run", "--empty")
    assert project.sql("select * from log union all select * from bag") == []
    project.run("run")
    project.run("run", "--empty")
    for name in "log", "bag":
        assert table_log(project, name)["batch"] == {"id": 1, "position": {}}
        assert len(project.sql(f"select * from {name}")) == len(FIRST)


@pytest.mark.thorough
def test_a_table_that_was_emptied_and_filled_again(make):
    project = make({"models/log.sql": model(KEYED), "models/bag.sql": model()})
    project.run("run")
    project.table("accounts", [], ACCOUNTS)
    project.run("run")
    project.table("accounts", FIRST, ACCOUNTS)
    project.run("run", "--full-refresh")
    for name in "log", "bag":
        ops = project.sql(f"select _batch_id, op, count(*) from {name} group by 1, 2 order by 1")
        assert [tuple(row) for row in ops] == [(1, "INSERT", 3), (2, "DELETE", 3), (3, "INSERT", 3)]


@pytest.mark.thorough
def test_tables_that_are_written_in_any_way(make):
    """insert, update, delete, merge and overwrite: a log has their effect."""
    project = make({"models/log.sql": model(f"{KEYED}, encoding='upsert'")})
    project.run("run")
    rows = "select 7 as id, 'sue' as name, 7 as balance, map('a', 1) as tags"
    for statement, expected in {
        f"insert into accounts {rows}": [("UPDATE_AFTER", 7, "sue")],
        "update accounts set name = 'Sue' where id = 7": [("UPDATE_AFTER", 7, "Sue")],
        "delete from accounts where id = 1": [("DELETE", 1, "ada")],
        f"merge into accounts using ({rows}) as s on accounts.id = s.id"
        " when matched then update set name = s.name": [("UPDATE_AFTER", 7, "sue")],
        f"insert overwrite accounts {rows} union all select 2, 'bob', 2, null": [
            ("DELETE", 3, None)
        ],
    }.items():
        project.sql(statement)
        project.run("run")
        found = project.sql(
            "select op, id, name from log where _batch_id = (select max(_batch_id) from log)"
        )
        assert [tuple(row) for row in found] == expected, statement


@pytest.mark.thorough
def test_new_columns_are_added(make):
    """Anywhere in the query: the columns of a log keep their places, and old rows get NULL."""
    wider = "select id, note, named_struct('x', id) as more, name, balance, tags from ({})"
    first = "select id, name, cast(balance as bigint) as balance, tags from {}"
    configs = {"flat": KEYED, "images": f"{KEYED}, {DEBEZIUM}", "bag": "", "partial":
               f"{KEYED}, {DEBEZIUM}, produces_full_deletes=false"}  # fmt: skip
    source = "{{ source('bronze', 'accounts') }}"
    project = make({
        f"models/{name}.sql": model(more, first.format(source))
        for name, more in configs.items()
    })  # fmt: skip
    project.run("run")
    for name, more in configs.items():
        # and a narrower type
        query = wider.format(f"select *, if(id = 2, 'new', null) as note from {source}")
        project.write(f"models/{name}.sql", model(more, query))
    project.table("accounts", FIRST[:2], ACCOUNTS)
    project.run("run")
    project.table("accounts", FIRST[:1], ACCOUNTS)
    project.run("run")
    for name in configs:
        log = f"{project.schema}.{name}"
        columns = [field.name for field in project.spark.table(log).schema.fields]
        if name in ("flat", "bag"):
            assert columns[:5] == ["op", "id", "name", "balance", "tags"]
            assert sorted(columns[5:]) == ["_batch_id", "_position", "more", "note"]
        else:
            fields = project.spark.table(log).select("after.*").dtypes
            assert fields[2:4] == [("balance", "bigint"), ("tags", "map<string,int>")]
            assert [field for field, _ in fields[4:]] == ["note", "more"]
        # the struct is new in every row that stays
        found = project.sql(f"select _batch_id, count(*) from {log} group by 1 order by 1")
        per_row = 1 if "after" in columns else 2
        assert [tuple(row) for row in found] == [(1, 3), (2, 2 * per_row + 1), (3, 1)], log
    notes = project.sql(
        "select before.note as old, after.note as new from"
        " images where after.id = 2 and _batch_id = 2"
    )
    assert [tuple(row) for row in notes] == [(None, "new")]
