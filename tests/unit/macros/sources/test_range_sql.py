import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ..laws import LAW
from ..plans import WHERE
from ..render import Macros

MACROS = Macros()
RELATION = "bronze.customers"


def at(value, type_="bigint"):
    return {"column": "lsn", "type": type_, "value": value}


@pytest.mark.parametrize(
    ("lookback", "last", "condition"),
    [
        (None, None, "(`lsn` <= cast('20' as bigint)) or `lsn` is null"),
        (None, at("9"), "(`lsn` >= cast('9' as bigint) and `lsn` <= cast('20' as bigint)) or"),
        (5, at("9"), "(`lsn` >= cast('9' as bigint) - 5 and `lsn` <= cast('20' as bigint)) or"),
        ("1 hour", at("9"), "(`lsn` >= cast('9' as bigint) - interval '1 hour' and `lsn` <="),
    ],
)
def test_bounds(macros, lookback, last, condition):
    sql = macros.range_sql(RELATION, "lsn", lookback, last, at("20"))
    assert f"\n  select * from {RELATION}\n  where {condition}" in sql
    assert sql.startswith("(\n") and sql.endswith("\n)")


def test_an_empty_source_is_read_as_it_is(macros):
    sql = macros.range_sql(RELATION, "lsn", None, None, None)
    assert sql.endswith(f"\n  select * from {RELATION}\n)")
    assert macros.read_ranges(sql) == {RELATION: None}


def test_hostile_column(macros):
    next_ = {"column": "a`b", "type": "bigint", "value": "1"}
    assert "`a``b` is null" in macros.range_sql(RELATION, "a`b", None, None, next_)


@pytest.mark.parametrize(
    "value", ["*/", "/*", "a */ b /* c", "\\*/", '"', "\n", "*\\/", "'", "`", "-- ", "{{ x }}", ""]
)
def test_positions_are_read_back(macros, value):
    query = "select * from " + macros.range_sql(RELATION, "lsn", None, None, at(value, "string"))
    assert macros.read_ranges(query) == {RELATION: at(value, "string")}
    comments_begin_and_end_once(query)


@given(st.text() | st.text(alphabet="*/\\ \n'\""))
@LAW
def test_any_position_is_read_back(value):
    query = MACROS.range_sql(RELATION, "lsn", None, at(value, "string"), at(value, "string"))
    assert MACROS.read_ranges(query) == {RELATION: at(value, "string")}
    comments_begin_and_end_once(query)


def comments_begin_and_end_once(query):
    """Spark's bracketed comments nest: one that begins inside another must end there too."""
    code = re.sub(r"'(?:[^'\\]|\\.)*'", "''", query.replace("*/", "*/\n", 1).split("*/\n")[1])
    comment = query[: query.index("*/")]
    assert comment.count("/*") == 1
    assert "/*" not in code and "*/" not in code


def test_several_sources(macros):
    one = macros.range_sql("a.x", "lsn", None, None, at("1"))
    two = macros.range_sql("a.y", "lsn", None, at("1"), at("2"))
    query = f"select * from {one} union all select * from {two}"
    assert macros.read_ranges(query) == {"a.x": at("1"), "a.y": at("2")}


def test_no_range(macros):
    assert macros.read_ranges("select * from bronze.customers /* dbt_changelog range */") == {}


def test_of_two_ends_of_a_source_the_first_counts(macros):
    one = macros.range_sql("a.x", "lsn", None, None, at("1"))
    two = macros.range_sql("a.x", "lsn", None, None, at("2"))
    assert macros.read_ranges(f"select * from {one} join {two}") == {"a.x": at("1")}


@pytest.mark.parametrize(
    ("last", "next_", "bounds"),
    [
        (None, at("20"), "(`lsn` <= cast('20' as bigint))"),
        (at("9"), at("20"), "(`lsn` > cast('9' as bigint) and `lsn` <= cast('20' as bigint))"),
        (None, None, "(false)"),
    ],
)
def test_strict_bounds(macros, last, next_, bounds):
    sql = macros.strict_range_sql(WHERE, RELATION, "lsn", last, next_)
    assert f"\n  where ({bounds} or `lsn` is null)\n    and if(`lsn` is null, raise_error(" in sql
    assert macros.find_ranges(sql) == [{"relation": RELATION, "from": last, "to": next_}]


def test_an_empty_source_has_a_strict_range_too(macros):
    """What arrives while the run goes on is the next run's."""
    query = f"select * from {macros.strict_range_sql(WHERE, RELATION, 'lsn', None, None)}"
    assert macros.read_ranges(query) == {RELATION: None}
