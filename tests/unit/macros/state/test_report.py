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
