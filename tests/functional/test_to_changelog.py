"""The materialization to_changelog over a table: each run appends what changed since the last."""

from __future__ import annotations

import pytest

from .batch_log import table_log
from .project import WITH_CHANGELOG

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
def make(new_project):
    def create(files, rows=FIRST):
        project = new_project({"models/sources.yml": SOURCES, **files}, name="log")
        project.table("accounts", rows, ACCOUNTS)
        return project

    return create


def test_a_log_has_what_changed(make):
    models = {
        f"models/{storage}/{name}_{storage}.sql": model(more)
        for storage in WITH_CHANGELOG
        for name, more in {
            "keyed": "unique_key='id'",
            "bag": "",
            "images": f"unique_key='ID', {DEBEZIUM}",
            "partial": "unique_key='id', produces_full_deletes=false",
        }.items()
    }
    project = make(models)
    result = project.run("run")
    assert result.nodes["keyed_delta"].message == "batch 1, 3 rows inserted"
    project.run("run")
    project.table("accounts", SECOND, ACCOUNTS)
    result = project.run("run")
    assert result.nodes["keyed_iceberg"].message == "batch 2, 4 rows inserted"
    assert project.run("run").nodes["bag_delta"].message == "nothing new"
    added = [(1, 1, "INSERT", id_, name) for id_, name, *_ in FIRST]
    for storage in WITH_CHANGELOG:
        place = project.place(storage)
        assert events(project, f"{place}.keyed_{storage}") == [
            *added,
            (2, 1, "UPDATE_BEFORE", 2, "bob"),
            (2, 2, "UPDATE_AFTER", 2, "Bob"),
            (2, 1, "DELETE", 3, None),
            (2, 1, "INSERT", 4, "eve"),
        ]
        bag = project.sql(
            f"select _batch_id, _position, op, id, name from {place}.bag_{storage}"
            " order by _batch_id, _position"
        )
        assert [tuple(row) for row in bag] == [
            *[(1, n, "INSERT", id_, name) for n, (id_, name, *_) in enumerate(FIRST, 1)],
            *[(2, 1, "DELETE", 2, "bob"), (2, 2, "DELETE", 3, None)],
            *[(2, 3, "INSERT", 2, "Bob"), (2, 4, "INSERT", 4, "eve")],
        ]
        images = project.sql(
            "select _batch_id, _position, op, before.name as old, after.name as new"
            f" from {place}.images_{storage} where _batch_id = 2"
            " order by coalesce(before.id, after.id)"
        )
        assert [tuple(row) for row in images] == [
            (2, 1, "u", "bob", "Bob"),
            (2, 1, "d", None, None),
            (2, 1, "c", None, "eve"),
        ]
        (deleted,) = project.sql(f"select * from {place}.partial_{storage} where op = 'DELETE'")
        assert deleted == (2, "DELETE", 3, None, None, None, 2, 1) or deleted.id == 3
        assert deleted.tags is None
        log = table_log(project, f"{place}.keyed_{storage}")
        assert log["batch"] == {"id": 2, "position": {}}
