import pytest

from ..plans import WHERE

ALL_THREE = ["UPDATE_BEFORE", "INSERT", "UPDATE_AFTER"]


@pytest.mark.parametrize(
    ("value", "kinds"),
    [
        ("INSERT", ["INSERT"]),
        ("DELETE,", ["DELETE"]),
        ("UPDATE_BEFORE, UPDATE_AFTER", ["UPDATE_BEFORE", "UPDATE_AFTER"]),
        ("UPDATE_AFTER, UPDATE_BEFORE", ["UPDATE_BEFORE", "UPDATE_AFTER"]),
        (["UPDATE_AFTER", "INSERT"], ["INSERT", "UPDATE_AFTER"]),
        ("INSERT, UPDATE_AFTER, UPDATE_BEFORE", ALL_THREE),
        (["UPDATE_AFTER, INSERT", "UPDATE_BEFORE"], ALL_THREE),
    ],
)
def test_groups_in_one_order(macros, value, kinds):
    assert macros.parse_row_kinds(WHERE, value) == kinds


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("insert", "unknown row kind 'insert'. Row kinds are: DELETE, INSERT, UPDATE_AFTER,"),
        ("+I", "unknown row kind '+I'"),
        ("", "unknown row kind ''"),
        (True, "row kind True is not a string"),
        ("INSERT, UPSERT", "unknown row kind 'UPSERT'"),
        ("INSERT,,DELETE", "has an empty item"),
        ("INSERT, INSERT", "names a row kind twice"),
        (["INSERT", "INSERT"], "names a row kind twice"),
        ("INSERT, DELETE", "'INSERT, DELETE' is not a group of row kinds"),
        ("DELETE, UPDATE_AFTER", "is not a group"),
        ("INSERT, UPDATE_BEFORE", "is not a group"),
        ("UPDATE_BEFORE, DELETE", "is not a group"),
        ("INSERT, UPDATE_BEFORE, UPDATE_AFTER, DELETE", "is not a group"),
        ([], "is not a group"),
        (None, "row kind None is not a string"),
        (7, "row kind 7 is not a string"),
        ([7], "row kind 7 is not a string"),
        ({"INSERT": "c"}, "is not a string"),
    ],
)
def test_refused(macros, invalid, value, words):
    with invalid("op_mapping", words):
        macros.parse_row_kinds(WHERE, value)
