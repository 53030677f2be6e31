from types import SimpleNamespace

import pytest

from ..lake import Table
from ..plans import BATCHES, answer_catalog
from ..project import operation
from ..render import table


def created(macros):
    return [sql for sql in macros.warehouse.statements if sql.startswith("create")]


def test_tables_of_batches():
    added = []
    macros, _ = operation(adapter=SimpleNamespace(cache_added=added.append))
    macros.create_batches_tables()
    (sql,) = created(macros)
    assert sql.startswith(
        "create or replace table analytics.dbt_changelog_batches\nusing delta\nas\nselect\n"
    )
    assert [str(relation) for relation in added] == ["analytics.dbt_changelog_batches"]


def test_columns_that_an_earlier_version_lacks_are_added():
    macros, _ = operation()
    columns = {column["name"]: column["type"] for column in macros.batch_columns()}
    macros.warehouse.tables[BATCHES] = Table(columns)
    macros.create_batches_tables()
    assert [sql[:8] for sql in macros.warehouse.statements] == ["describe"]
    del columns["rows_deleted"]
    macros.create_batches_tables()
    added = "alter table analytics.dbt_changelog_batches add columns (rows_deleted bigint)"
    assert macros.warehouse.statements[-1] == added


def test_iceberg_beside_contents_elsewhere():
    config = {"file_format": "iceberg", "contents_schema": "views"}
    macros, _ = operation(config, adapter=SimpleNamespace(cache_added=lambda relation: None))
    macros.create_batches_tables()
    schema, sql = created(macros)
    assert schema == "create schema if not exists analytics"
    assert sql.startswith("create or replace table analytics.dbt_changelog_batches\nusing iceberg")


def test_parquet_makes_a_folder_of_its_own():
    macros, _ = operation(
        {"file_format": "parquet"},
        adapter=SimpleNamespace(cache_added=lambda relation: None),
        invocation_id="run-1",
    )
    macros.create_batches_tables()
    (sql,) = created(macros)
    assert sql.startswith("create table if not exists analytics.dbt_changelog_batches (\n")
    assert sql.endswith("using parquet\nlocation 'dbt_changelog_batches_run-1'")


def test_a_table_that_another_run_made_meanwhile_is_kept():
    added = []
    macros, _ = operation(adapter=SimpleNamespace(cache_added=added.append))
    shown = [("dbt_changelog_batches", "false")]
    macros.warehouse.answer("^show tables", lambda: table(shown, ["name", "isTemporary"]))
    macros.create_batches_tables()
    assert created(macros) == []
    assert [str(relation) for relation in added] == ["analytics.dbt_changelog_batches"]


@pytest.mark.parametrize(
    ("implementation", "file_format", "made"),
    [
        ("builtin", "delta", None),
        ("builtin", "parquet", "parquet"),
        ("org.apache.spark.sql.delta.catalog.DeltaCatalog", "iceberg", None),
        ("com.example.Catalog", "csv", None),
    ],
)
def test_only_a_table_that_the_catalog_holds(implementation, file_format, made):
    added = []
    adapter = SimpleNamespace(cache_added=added.append)
    macros, _ = operation({"file_format": file_format}, adapter=adapter, invocation_id="run-1")
    answer_catalog(macros.warehouse, implementation)
    macros.create_batches_tables()
    assert [f"using {made}" in sql for sql in created(macros)] == ([True] if made else [])
    assert len(added) == bool(made)


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
