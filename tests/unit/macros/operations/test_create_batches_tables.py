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
