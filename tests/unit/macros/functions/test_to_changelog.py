"""to_changelog and diff_tables as a user calls them."""

import re

import pytest

from ..render import CompilerError

IMAGES = {"before": "before", "after": "after"}
UPDATES = {"INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u"}


def test_renders_without_asking_spark(macros):
    assert "from changes\n" in macros.to_changelog("changes")


def test_names_the_nearest_argument(macros):
    with pytest.raises(CompilerError, match="use 'op_mapping'"):
        macros.to_changelog("changes", op_maping={})


def test_changes_without_a_key_are_written_as_they_are(macros):
    sql = macros.to_changelog("changes")
    assert " over " not in sql
    assert "explode(" not in sql


def test_pairs_without_a_key_take_one_window(macros):
    sql = macros.to_changelog("changes", op_mapping=UPDATES, **IMAGES)
    assert set(re.findall(r"partition by .*? order", sql)) == {"partition by _sequence order"}


@pytest.mark.parametrize("state_ttl", [None, "0", "1 hour"])
def test_with_a_ttl_equal_rows_are_changes(macros, state_ttl):
    sql = macros.to_changelog("changes", unique_key="id", state_ttl=state_ttl)
    assert ("and not (_dbtc_known is not null and _dbtc_is_equal)" in sql) is (
        state_ttl != "1 hour"
    )


def test_ties_fail_unless_told_otherwise(macros):
    words = "two different changes of one key have one sequence"
    assert words in macros.to_changelog("changes", unique_key="id")
    assert words not in macros.to_changelog("changes", unique_key="id", tie_handling="LAST")


def test_diff_tables_with_a_key_joins_once(macros):
    sql = macros.diff_tables("a", "b", unique_key=["id", "line"])
    assert sql.count(" join ") == 1
    assert "using (`id`, `line`)" in sql


def test_diff_tables_without_a_key_counts(macros):
    sql = macros.diff_tables("a", "b", sequence="7")
    assert " join " not in sql
    assert "\n    7 as _sequence,\n" in sql


def test_diff_tables_checks_its_key(macros):
    with pytest.raises(CompilerError, match=r"Invalid 'unique_key' in diff_tables\(...\): "):
        macros.diff_tables("a", "b", unique_key=["id", "ID"])
