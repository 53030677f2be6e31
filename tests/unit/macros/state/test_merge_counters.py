import pytest

from ..plans import CONTENTS, FLAT, Model, batch, macros_of
from ..render import table

DELTA, ICEBERG, PARQUET = (
    Model({"file_format": name}, FLAT) for name in ("delta", "iceberg", "parquet")
)


def test_counters_of_delta(macros):
    names = ["num_affected_rows", "num_updated_rows", "num_deleted_rows", "num_inserted_rows"]
    result = table([("5", "3", "0", "2")], names)
    assert macros.merge_counters(DELTA.plan(), batch(), result) == {
        "rows_inserted": 2,
        "rows_updated": 3,
    }


@pytest.mark.parametrize("result", [None, table([], ["x"]), table([("1",)], ["x"])])
def test_no_counters(macros, result):
    assert macros.merge_counters(DELTA.plan(), batch(), result) == {}


def test_counters_of_iceberg_are_in_the_snapshot():
    macros = macros_of(ICEBERG)
    macros.warehouse.answer(
        "^select summary(.|\n)*\nfrom analytics.customers__state.snapshots\n",
        lambda: table([("2", "3")], ["inserted", "updated"]),
    )
    found = macros.merge_counters(ICEBERG.plan(), batch(), table([], []))
    assert found == {"rows_inserted": 2, "rows_updated": 3}


def test_counters_of_a_new_state():
    macros = macros_of(PARQUET)
    answer = macros.warehouse.answer
    plan = macros.from_changelog_plan(PARQUET.node, PARQUET.query, CONTENTS)
    new = CONTENTS.incorporate(path={"identifier": "customers__state_2_0"})
    answer(r"^select count\(\*\) from analytics.customers__state", lambda: table([("5",)], ["n"]))
    answer(r"^select count\(\*\), count_if\(_batch_id = 2\)", lambda: table([("7", "3")], "nm"))
    found = macros.merge_counters(plan, batch(state=new), None)
    assert found == {"rows_inserted": 2, "rows_updated": 1}
