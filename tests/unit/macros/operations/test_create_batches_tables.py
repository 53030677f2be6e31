from types import SimpleNamespace

import pytest

from ..plans import CONTENTS, answer_columns
from .project import operation


def test_tables_of_batches():
    added = []
    macros, _ = operation(adapter=SimpleNamespace(cache_added=added.append))
    macros.create_batches_tables()
    (sql,) = macros.warehouse.statements
    assert sql.startswith("create table if not exists analytics.dbt_changelog_batches (\n")
    assert [str(relation) for relation in added] == ["analytics.dbt_changelog_batches"]


def test_columns_that_an_earlier_version_lacks_are_added():
    macros, _ = operation()
    batches = CONTENTS.incorporate(path={"identifier": "dbt_changelog_batches"}, type="table")
    macros.warehouse.relations[str(batches)] = batches
    columns = {column["name"]: column["type"] for column in macros.batch_columns()}
    answer_columns(macros.warehouse, "analytics.dbt_changelog_batches", columns)
    macros.create_batches_tables()
    assert [sql[:8] for sql in macros.warehouse.statements] == ["describe"]
    del columns["rows_deleted"]
    answer_columns(macros.warehouse, "analytics.dbt_changelog_batches", columns)
    macros.create_batches_tables()
    added = "alter table analytics.dbt_changelog_batches add columns (rows_deleted bigint)"
    assert macros.warehouse.statements[-1] == added


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
