import pytest

from ..plans import batch
from ..render import Macros
from .log import CHANGED, IDLE


@pytest.mark.parametrize(
    ("counters", "committed", "message", "rows"),
    [
        ({"rows_inserted": 2, "rows_updated": 3}, True,
         "batch 2, 2 rows inserted, 3 rows updated", 5),
        ({}, True, "batch 2", 0),
        (IDLE, False, "nothing new, 0 rows inserted, 0 rows updated, 0 rows deleted", 0),
        ({**CHANGED, "events_invalid": 4, "rows_deleted": 2}, True,
         "batch 2, 1 rows inserted, 0 rows updated, 2 rows deleted, 4 events invalid", 3),
    ],
)  # fmt: skip
def test_report(counters, committed, message, rows):
    said = []
    macros = Macros(store_raw_result=lambda name, **result: said.append((name, result)))
    macros.report(batch(), counters, committed)
    assert said == [("main", {"message": message, "code": "OK", "rows_affected": rows})]


def test_a_missing_table_of_batches_warns():
    macros = macros_of(MODEL)
    macros.record_batch(MODEL.plan(), batch(), {})
    (warning,) = macros.warnings
    assert warning.startswith("The table analytics.dbt_changelog_batches is missing, so batch 2 of")


def test_row_of_the_table_of_batches():
    macros = macros_of(MODEL)
    relation = macros.batches_relation(CONTENTS)
    macros.warehouse.relations[str(relation)] = relation
    macros.record_batch(MODEL.plan(), batch(), {"rows_inserted": 2})
    sql = macros.warehouse.statements[-1]
    assert sql.startswith("insert into analytics.dbt_changelog_batches (uid, batch_id, ")
    assert ", rows_deleted, " in sql and "\nselect\n  'model.shop." in sql
    assert "cast(2 as bigint) as rows_inserted" in sql
    assert "cast(null as bigint) as rows_updated" in sql
    names = [column["name"] for column in macros.batch_columns()]
    assert [line.rsplit(" as ", 1)[1].rstrip(",") for line in sql.split("\n")[2:]] == names
