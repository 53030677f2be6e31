import pytest

from ..lake import Table
from ..plans import CONTENTS, STATE
from ..project import operation


@pytest.mark.parametrize(
    ("unique_key", "live", "tombstone"),
    [
        (
            "id",
            "_row_kind in ('INSERT', 'UPDATE_AFTER')",
            "not _row_kind in ('INSERT', 'UPDATE_AFTER')",
        ),
        (None, "_weight > 0", "_weight = 0"),
    ],
)
def test_rows_are_counted_as_the_contents_see_them(unique_key, live, tombstone):
    waits = f"count(*) filter (where not ({live}) and not ({tombstone}))\n   "
    macros, _ = operation({"unique_key": unique_key})
    macros.warehouse.tables[STATE] = Table()
    macros.warehouse.views[str(CONTENTS)] = f"create view {CONTENTS} as select * from {STATE}"
    assert (
        macros.state_sizes_sql()
        == f"""select
  'analytics' as schema_name,
  regexp_replace('model.shop.customers', '^model[.][^.]+[.]', '') as model,
  'model.shop.customers' as uid,
  count(*) as state_rows,
  count(*) filter (where {live}) as live_rows,
  count(*) filter (where {tombstone}) as tombstones,
  {"cast(0 as bigint)" if unique_key else waits} as waiting_rows
from analytics.customers__state"""
    )


def test_a_model_that_has_not_run_has_no_size():
    macros, _ = operation()
    assert macros.state_sizes_sql().endswith(
        "  cast(null as bigint) as `waiting_rows`\nwhere false"
    )
    assert macros.warehouse.statements == []
