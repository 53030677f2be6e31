from types import SimpleNamespace

from ..lake import Table
from ..plans import BATCHES
from ..project import operation


def test_a_table_of_batches_is_read_with_its_schema():
    macros, _ = operation()
    columns = {column["name"]: column["type"] for column in macros.batch_columns()}
    macros.warehouse.tables[BATCHES] = Table(columns)
    sql = macros.batches_sql()
    assert sql.startswith("select\n  'analytics' as schema_name,\n  uid,\n  batch_id,\n")
    assert sql.endswith("\nfrom analytics.dbt_changelog_batches")
    # one of an earlier version
    del columns["rows_deleted"]
    assert ",\n  cast(null as bigint) as rows_deleted,\n" in macros.batches_sql()


def test_no_rows_where_there_is_no_table_yet():
    macros, _ = operation()
    assert macros.batches_sql().endswith("  cast(null as bigint) as `events_waiting`\nwhere false")


def test_while_dbt_parses_nothing_is_asked():
    macros, _ = operation(execute=False, api=SimpleNamespace())
    assert macros.batches_sql().endswith("\nwhere false")
    assert macros.state_sizes_sql().endswith("\nwhere false")
    assert macros.warehouse.statements == []
