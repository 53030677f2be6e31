"""The macros that a user calls in a model of any kind."""

import pytest

from ..plans import DEBEZIUM
from ..render import CompilerError

KEY = {"unique_key": "id", "sequence_by": "lsn"}


def test_renders_without_asking_spark(macros):
    sql = macros.from_changelog("events", op_mapping=DEBEZIUM, before="b", after="a", **KEY)
    assert "\n    from events\n" in sql
    assert "coalesce(`b`, `a`)" in sql


def test_without_any_argument(macros):
    sql = macros.from_changelog("events")
    assert "* except (`op`)" in sql
    assert "cast(null as bigint) as _sequence" in sql


def test_a_generated_sequence_is_not_payload(macros):
    sql = macros.from_changelog("events", unique_key="id", sequence_by=["_lsn", "ts"])
    assert "* except (`op`, `_lsn`)" in sql


def test_names_the_model_it_is_in(macros):
    with pytest.raises(CompilerError, match="Invalid 'op_maping' in from_changelog\\(...\\): "):
        macros.from_changelog("events", op_maping={})


def test_state_backed_is_not_built(macros):
    with pytest.raises(CompilerError, match="it needs the previous row of a key"):
        macros.from_changelog("events", op_mapping=DEBEZIUM, **KEY)


def test_apply_changelog(macros):
    sql = macros.apply_changelog("changes", "id")
    assert sql.startswith("select * except (_row_kind, _sequence, _ordinal, _image_hash)\n")
    assert sql.endswith("where _row_kind in ('INSERT', 'UPDATE_AFTER')")


def test_apply_changelog_needs_a_key(macros):
    with pytest.raises(CompilerError, match="Invalid 'unique_key' in apply_changelog"):
        macros.apply_changelog("changes", None)
