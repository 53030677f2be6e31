"""Each way in which the arguments of to_changelog do not go together."""

import pytest

from ..plans import WHERE

IMAGES = {"before": "before", "after": "after"}
UPDATES = {"INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u"}


@pytest.mark.parametrize(
    ("argument", "words", "given"),
    [
        ("unique_key", "and no key was set", {"produces_full_deletes": False}),
        ("after", "whose row is the after image", {"before": "before"}),
        ("before", "the row that is left", {"after": "after"}),
        ("before", "the row that is left",
         {"after": "after", "op_mapping": {"UPDATE_BEFORE": "x", "INSERT": "c"}}),
        ("before", "the row that is left",
         {"after": "after", "unique_key": ["id", "line"], "passthrough": "id"}),
        ("op", "two columns '_sequence'", {"op": "_sequence"}),
        ("before", "two columns 'op'", {"before": "op", "after": "after"}),
        ("after", "two columns 'Before'", {"before": "before", "after": "Before"}),
        ("passthrough", "two columns 'after'", {**IMAGES, "passthrough": ["ts", "after"]}),
        ("passthrough", "two columns '_ordinal'", {**IMAGES, "passthrough": "_ordinal"}),
        ("op", "it names several columns", {"op": ["a", "b"]}),
        ("tie_handling", "is not one of FAIL, LAST", {"tie_handling": "FIRST"}),
        ("produces_full_deletes", "neither true nor false", {"produces_full_deletes": "no"}),
    ],
)  # fmt: skip
def test_refused(macros, invalid, argument, words, given):
    with invalid(argument, words):
        macros.encode_plan(WHERE, given)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"after": "after", "op_mapping": UPDATES},
        {"after": "after", "unique_key": "id", "passthrough": ["id", "ts"]},
        {"before": "before", "op_mapping": {"DELETE": "d"}},
        {"before": "row", "after": "row"},
        {"op": "before"},
        {"state_ttl": "1 hour"},
        # flat rows have all columns anyway
        {"passthrough": "op"},
        {"unique_key": "id", "produces_full_deletes": False, "state_ttl": "0"},
    ],
)
def test_accepted(macros, given):
    assert macros.encode_plan(WHERE, given)["function"] == "to_changelog"


@pytest.mark.parametrize(
    ("given", "pairs"),
    [
        ({}, False),
        ({**IMAGES}, False),
        ({**IMAGES, "op_mapping": UPDATES}, True),
        ({**IMAGES, "op_mapping": {"UPDATE_AFTER": "u"}}, True),
        ({"before": "row", "after": "row", "op_mapping": UPDATES}, False),
        ({"op_mapping": UPDATES}, False),
    ],
)
def test_an_update_is_one_event_where_it_has_two_images_and_one_code(macros, given, pairs):
    assert macros.encode_plan(WHERE, given)["pairs"] is pairs
