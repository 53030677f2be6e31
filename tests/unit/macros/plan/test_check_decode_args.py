"""Each way in which the arguments of from_changelog do not go together."""

import pytest

from ..plans import DEBEZIUM, WHERE

KEY = {"unique_key": "id", "sequence_by": "lsn"}
IMAGES = {"before": "before", "after": "after"}
UPSERT = {"c": "INSERT", "u": "UPDATE_AFTER", "d": "DELETE"}
INSERTS = {"c": "INSERT"}


@pytest.mark.parametrize(
    ("argument", "words", "given"),
    [
        ("sequence_by", "required with unique_key", {"unique_key": "id"}),
        ("unique_key", "needs the previous row of a key", {"op_mapping": DEBEZIUM}),
        (
            "unique_key",
            "needs the previous row of a key",
            {"op_mapping": INSERTS, "state_ttl": "0"},
        ),
        ("unique_key", "an upsert needs a key", {"op_mapping": UPSERT}),
        ("unique_key", "an upsert needs a key", {"op_mapping": UPSERT, **IMAGES}),
        (
            "passthrough",
            "it never cancels its insert",
            {"op_mapping": {"c": "INSERT", "d": "DELETE"}, **IMAGES, "passthrough": "ts"},
        ),
        (
            "passthrough",
            "it never cancels its insert",
            {"op_mapping": {"c": "INSERT", "d": "DELETE"}, "passthrough": "ts"},
        ),
        ("after", "whose row is the after image", {"op_mapping": INSERTS, "before": "before"}),
        ("after", "whose row is the after image", {**KEY, "op_mapping": UPSERT, "before": "b"}),
        (
            "before",
            "whose full row is the before image",
            {"op_mapping": {"c": "INSERT", "d": "DELETE"}, "after": "after"},
        ),
        (
            "before",
            "whose full row is the before image",
            {**KEY, "op_mapping": UPSERT, "after": "after", "consume_full_deletes": True},
        ),
    ],
)
def test_refused(macros, invalid, argument, words, given):
    with invalid(argument, words):
        macros.decode_plan(WHERE, given)


@pytest.mark.parametrize(
    "given",
    [
        {},
        KEY,
        {"sequence_by": "lsn"},
        {**KEY, "op_mapping": DEBEZIUM},
        {**KEY, "op_mapping": UPSERT},
        {**KEY, "op_mapping": UPSERT, "after": "after"},
        {**KEY, "op_mapping": UPSERT, **IMAGES, "consume_full_deletes": True},
        {**KEY, "op_mapping": UPSERT, **IMAGES, "passthrough": "ts"},
        {**KEY, "op_mapping": INSERTS, "state_ttl": "0"},
        {"op_mapping": DEBEZIUM, **IMAGES},
        {"op_mapping": INSERTS, "after": "after", "passthrough": "ts"},
        {"op_mapping": {"d": "DELETE"}, "before": "before"},
    ],
)
def test_accepted(macros, given):
    macros.decode_plan(WHERE, given)
