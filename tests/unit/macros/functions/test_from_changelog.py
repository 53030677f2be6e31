"""The macros that a user calls in a model of any kind."""

import re

import pytest

from ..plans import DEBEZIUM
from ..render import CompilerError

KEY = {"unique_key": "id", "sequence_by": "lsn"}


def test_renders_without_asking_spark(macros):
    sql = macros.from_changelog("events", op_mapping=DEBEZIUM, before="b", after="a", **KEY)
    assert "\n  from events\n" in sql
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


@pytest.mark.parametrize(
    ("update", "retracts"),
    [("UPDATE_BEFORE, UPDATE_AFTER", True), ("INSERT, UPDATE_AFTER", False)],
)
def test_state_backed_emits_only_mapped_kinds(macros, update, retracts):
    mapping = {**DEBEZIUM, "u": update}
    sql = macros.from_changelog("events", op_mapping=mapping, **KEY)
    assert ("'UPDATE_BEFORE'\n" in sql) is retracts
    compared = "lag(_image_hash) over ( partition by `id` order by _sequence ) <> _image_hash"
    assert compared in " ".join(sql.split())


@pytest.mark.parametrize("state_ttl", ["0", "1 hour"])
def test_with_a_ttl_equal_rows_are_changes(macros, state_ttl):
    sql = macros.from_changelog("events", state_ttl=state_ttl, **KEY)
    assert bool(re.search(r"_image_hash\) over \([^)]*\) <>", sql)) is (state_ttl == "0")


def test_apply_changelog(macros):
    sql = macros.apply_changelog("changes", "id")
    assert sql.startswith("(\nwith hashed_changes as (\n") and "\n  from changes\n" in sql
    assert sql.endswith(
        "select * except (_row_kind, _sequence, _ordinal, _image_hash)\nfrom applied\n"
        "where _row_kind in ('INSERT', 'UPDATE_AFTER')\n)"
    )


def test_apply_changelog_needs_a_key(macros):
    with pytest.raises(CompilerError, match="Invalid 'unique_key' in apply_changelog"):
        macros.apply_changelog("changes", None)


def test_reads_events_whose_order_is_called_as_ours(macros):
    order = {"unique_key": "id", "sequence_by": ["_sequence", "_ordinal"]}
    sql = macros.from_changelog("events", before="before", after="after", **order)
    assert "* except (`_sequence`),\n" in sql
