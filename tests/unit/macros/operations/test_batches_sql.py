from types import SimpleNamespace

from ..plans import CONTENTS, answer_columns
from .project import operation


def test_a_table_of_batches_is_read_with_its_schema():
    macros, _ = operation()
    batches = CONTENTS.incorporate(path={"identifier": "dbt_changelog_batches"}, type="table")
    macros.warehouse.relations[str(batches)] = batches
    columns = {column["name"]: column["type"] for column in macros.batch_columns()}
    answer_columns(macros.warehouse, "analytics.dbt_changelog_batches", columns)
    sql = macros.batches_sql()
    assert sql.startswith("select\n  'analytics' as schema_name,\n  uid,\n  batch_id,\n")
    assert sql.endswith("\nfrom analytics.dbt_changelog_batches")
    # one of an earlier version
    del columns["rows_deleted"]
    answer_columns(macros.warehouse, "analytics.dbt_changelog_batches", columns)
    assert ",\n  cast(null as bigint) as rows_deleted,\n" in macros.batches_sql()


def test_no_rows_where_there_is_no_table_yet():
    macros, _ = operation()
    assert macros.batches_sql().endswith("  cast(null as bigint) as events_invalid\nwhere false")


def test_while_dbt_parses_nothing_is_asked():
    macros, _ = operation(execute=False, api=SimpleNamespace())
    assert macros.batches_sql().endswith("\nwhere false")
    assert macros.state_sizes_sql().endswith("\nwhere false")
    assert macros.warehouse.statements == []
