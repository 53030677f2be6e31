import pytest

from ..plans import WHERE

RELATION = "bronze.customers"


def at(value):
    return {"column": "lsn", "type": "bigint", "value": value}


@pytest.mark.parametrize(
    ("last", "next_", "bounds"),
    [
        (None, at("20"), "(`lsn` <= cast('20' as bigint))"),
        (at("9"), at("20"), "(`lsn` > cast('9' as bigint) and `lsn` <= cast('20' as bigint))"),
        (None, None, "(false)"),
    ],
)
def test_bounds(macros, last, next_, bounds):
    sql = macros.strict_range_sql(WHERE, RELATION, "lsn", last, next_)
    assert f"\n  where ({bounds} or `lsn` is null)\n    and if(`lsn` is null, raise_error(" in sql
    assert macros.find_ranges(sql) == [{"relation": RELATION, "from": last, "to": next_}]


def test_an_empty_source_has_a_range_too(macros):
    """What arrives while the run goes on is the next run's."""
    query = f"select * from {macros.strict_range_sql(WHERE, RELATION, 'lsn', None, None)}"
    assert macros.read_ranges(query) == {RELATION: None}
