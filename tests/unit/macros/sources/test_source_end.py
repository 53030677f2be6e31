import pytest


@pytest.mark.parametrize(
    ("type_", "value", "sql"),
    [
        ("bigint", "20", "cast('20' as bigint)"),
        ("decimal(38,0)", "-7", "cast('-7' as decimal(38,0))"),
        ("date", "2026-01-02", "cast('2026-01-02' as date)"),
        ("timestamp_ntz", "2026-01-02 03:04:05", "cast('2026-01-02 03:04:05' as timestamp_ntz)"),
        ("string", "it's", r"cast('it\'s' as string)"),
        ("timestamp", "-1", "timestamp_micros(-1)"),
        ("binary", "80FF", "X'80FF'"),
    ],
)
def test_position(macros, type_, value, sql):
    assert macros.position_sql({"column": "c", "type": type_, "value": value}) == sql
