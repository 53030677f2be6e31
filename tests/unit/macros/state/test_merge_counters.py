import pytest

from ..plans import FLAT, Model, macros_of
from ..render import table

DELTA, ICEBERG = Model({}, FLAT), Model({"file_format": "iceberg"}, FLAT)


def test_counters_of_delta(macros):
    names = ["num_affected_rows", "num_updated_rows", "num_deleted_rows", "num_inserted_rows"]
    result = table([("5", "3", "0", "2")], names)
    assert macros.merge_counters(DELTA.plan(), result) == {"rows_inserted": 2, "rows_updated": 3}


@pytest.mark.parametrize("result", [None, table([], ["x"]), table([("1",)], ["x"])])
def test_no_counters(macros, result):
    assert macros.merge_counters(DELTA.plan(), result) == {}


def test_counters_of_iceberg_are_in_the_snapshot():
    macros = macros_of(ICEBERG)
    macros.warehouse.answer(
        "^select summary(.|\n)*\nfrom analytics.customers__state.snapshots\n",
        lambda: table([("2", "3")], ["inserted", "updated"]),
    )
    found = macros.merge_counters(ICEBERG.plan(), table([], []))
    assert found == {"rows_inserted": 2, "rows_updated": 3}
