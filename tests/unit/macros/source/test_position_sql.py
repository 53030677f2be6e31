import pytest


@pytest.mark.parametrize(
    ("type_", "value", "sql"),
    [
        ("bigint", "20", "cast('20' as bigint)"),
        ("decimal(38,0)", "-7", "cast('-7' as decimal(38,0))"),
        ("date", "2026-01-02", "cast('2026-01-02' as date)"),
        ("timestamp_ntz", "2026-01-02 03:04:05", "cast('2026-01-02 03:04:05' as timestamp_ntz)"),
        ("string", "it's", r"cast('it\'s' as string)"),
        ("timestamp", "0", "timestamp'1970-01-01 00:00:00Z'"),
        ("timestamp", "1767323045000001", "timestamp'2026-01-02 03:04:05.000001Z'"),
        ("timestamp", "-1", "timestamp'1969-12-31 23:59:59.999999Z'"),
    ],
)
def test_position(macros, type_, value, sql):
    assert macros.position_sql({"column": "c", "type": type_, "value": value}) == sql
