from types import SimpleNamespace

import pytest

from ..render import table
from .project import operation


def test_tables_of_batches():
    added = []
    macros, _ = operation(adapter=SimpleNamespace(cache_added=added.append))
    macros.create_batches_tables()
    look, sql = macros.warehouse.statements
    assert look == "show tables in analytics like 'dbt_changelog_batches'"
    assert sql.startswith("create or replace table analytics.dbt_changelog_batches\nusing delta\nas")
    assert [str(relation) for relation in added] == ["analytics.dbt_changelog_batches"]


def test_iceberg_beside_contents_elsewhere():
    config = {"file_format": "iceberg", "contents_schema": "views"}
    macros, _ = operation(config, adapter=SimpleNamespace(cache_added=lambda relation: None))
    macros.create_batches_tables()
    schema, _, sql = macros.warehouse.statements
    assert schema == "create schema if not exists analytics"
    assert sql.startswith("create or replace table analytics.dbt_changelog_batches\nusing iceberg")


def test_parquet_makes_an_empty_folder_at_most():
    macros, _ = operation(
        {"file_format": "parquet"}, adapter=SimpleNamespace(cache_added=lambda relation: None)
    )
    macros.create_batches_tables()
    sql = macros.warehouse.statements[-1]
    assert sql.startswith("create table if not exists analytics.dbt_changelog_batches (\n")
    assert sql.endswith("using parquet")


def test_a_table_that_another_run_made_meanwhile_is_kept():
    added = []
    macros, _ = operation(adapter=SimpleNamespace(cache_added=added.append))
    macros.warehouse.answer("^show tables", lambda: table([("dbt_changelog_batches",)], ["name"]))
    macros.create_batches_tables()
    assert len(macros.warehouse.statements) == 1
    assert [str(relation) for relation in added] == ["analytics.dbt_changelog_batches"]


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
