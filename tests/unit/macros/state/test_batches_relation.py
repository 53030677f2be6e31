from ..plans import CASES
from ..runs import Runs


def test_a_row_has_the_columns_of_its_table():
    run = Runs(CASES["default_op_mapping"]).run()
    sql = run.step("batches row")["sql"]
    head, values = sql.split("\nselect\n")
    names = [column["name"] for column in run.macros.batch_columns()]
    listed = head.partition("(")[2].rpartition(")")[0]
    assert [name.strip() for name in listed.split(",")] == names
    assert [line.rsplit(" as ", 1)[1] for line in values.split(",\n")] == names


def test_counters_that_were_not_counted_are_null():
    text = Runs(CASES["default_op_mapping"]).run().text
    assert "cast(0 as bigint) as rows_inserted" in text
    assert "cast(null as bigint) as events_late" in text
