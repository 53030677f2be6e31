import pytest

from ..plans import WHERE

NAMES = ["id", "Day", "days(id)"]


@pytest.mark.parametrize(
    ("file_format", "item", "sql"),
    [
        ("delta", "DAY", "`Day`"),
        ("iceberg", "day", "`Day`"),
        ("iceberg", "bucket(16, ID)", "bucket(16, `id`)"),
        ("iceberg", "truncate(4,id)", "truncate(4, `id`)"),
        ("iceberg", "months(day)", "months(`Day`)"),
        ("iceberg", "days(id)", "`days(id)`"),
    ],
)
def test_given(macros, file_format, item, sql):
    assert macros.partition_sql(WHERE, file_format, item, NAMES) == sql


@pytest.mark.parametrize(
    ("file_format", "item"),
    [
        ("delta", "bucket(16, id)"),
        ("iceberg", "bucket(id)"),
        ("iceberg", "days(4, id)"),
        ("iceberg", "bucket(4, nobody)"),
        ("iceberg", "sort(id)"),
    ],
)
def test_refused(invalid, macros, file_format, item):
    with invalid("partition_by", "is not in the input"):
        macros.partition_sql(WHERE, file_format, item, NAMES)
