from types import SimpleNamespace

import pytest

from .project import operation


def test_tables_of_batches():
    added = []
    macros, _ = operation(adapter=SimpleNamespace(cache_added=added.append))
    macros.create_batches_tables()
    (sql,) = macros.warehouse.statements
    assert sql.startswith("create table if not exists analytics.dbt_changelog_batches (\n")
    assert [str(relation) for relation in added] == ["analytics.dbt_changelog_batches"]


def test_iceberg_beside_contents_elsewhere():
    config = {"file_format": "iceberg", "contents_schema": "views"}
    macros, _ = operation(config, adapter=SimpleNamespace(cache_added=lambda relation: None))
    macros.create_batches_tables()
    schema, sql = macros.warehouse.statements
    assert schema == "create schema if not exists analytics"
    assert sql.startswith("create table if not exists analytics.dbt_changelog_batches (\n")
    assert sql.endswith("using iceberg")


@pytest.mark.parametrize(
    "context",
    [
        {"execute": False},
        {"selected_resources": []},
        {"flags": SimpleNamespace(WHICH="docs", EMPTY=False)},
    ],
)
def test_no_table_of_batches(context):
    macros, _ = operation(**context)
    macros.create_batches_tables()
    assert macros.warehouse.statements == []
