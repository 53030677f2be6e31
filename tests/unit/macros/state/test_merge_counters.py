import pytest

from ..render import table


def test_counters_of_delta(macros):
    names = ["num_affected_rows", "num_updated_rows", "num_deleted_rows", "num_inserted_rows"]
    result = table([("5", "3", "0", "2")], names)
    assert macros.merge_counters(result) == {"rows_inserted": 2, "rows_updated": 3}


@pytest.mark.parametrize("result", [None, table([], ["x"]), table([("1",)], ["x"])])
def test_no_counters(macros, result):
    assert macros.merge_counters(result) == {}
