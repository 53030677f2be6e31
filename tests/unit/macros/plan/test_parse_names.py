import pytest

from ..plans import WHERE


@pytest.mark.parametrize(
    ("value", "names"),
    [
        (None, []),
        ("id", ["id"]),
        ("a, b", ["a, b"]),
        ("a.b", ["a.b"]),
        (["id", "line"], ["id", "line"]),
        (("id", "line"), ["id", "line"]),
        ([], []),
        (["ID`"], ["ID`"]),
    ],
)
def test_names(macros, value, names):
    assert macros.parse_names(WHERE, "unique_key", value) == names


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (7, "it is neither a name nor a list of names, but 7"),
        (True, "it is neither a name nor a list of names"),
        ({"id": 1}, "it is neither a name nor a list of names"),
        ("", "'' is not the name of a column"),
        ([""], "'' is not the name of a column"),
        ([None], "'None' is not the name of a column"),
        (["id", 7], "'7' is not the name of a column"),
        ([["id"]], "is not the name of a column"),
        (["id", "id"], "it names a column twice: id, id"),
        (["id", "ID"], "it names a column twice: id, ID"),
    ],
)
def test_refused(macros, invalid, value, words):
    with invalid("unique_key", words):
        macros.parse_names(WHERE, "unique_key", value)


@pytest.mark.parametrize(
    ("value", "name"), [(None, None), ("op", "op"), (["op"], "op"), ([], None)]
)
def test_one_column(macros, value, name):
    assert macros.parse_column(WHERE, "op", value) == name


def test_several_columns(macros, invalid):
    with invalid("op", "it names several columns: op, code"):
        macros.parse_column(WHERE, "op", ["op", "code"])


@pytest.mark.parametrize("value", [True, 3, "", ["gone"]])
def test_a_new_column_has_one_name(macros, invalid, value):
    with invalid("soft_delete", "is not the name of a column that the contents get"):
        macros.parse_new_column(WHERE, "soft_delete", value, "is_deleted")


def test_choice(macros):
    assert macros.parse_choice(WHERE, "tie_handling", "LAST", ["FAIL", "LAST"]) == "LAST"


@pytest.mark.parametrize("value", ["last", "", None, True, 1])
def test_no_choice(macros, invalid, value):
    with invalid("tie_handling", f"'{value}' is not one of FAIL, LAST"):
        macros.parse_choice(WHERE, "tie_handling", value, ["FAIL", "LAST"])


@pytest.mark.parametrize("value", [True, False])
def test_flag(macros, value):
    assert macros.parse_flag(WHERE, "consume_full_deletes", value) is value


@pytest.mark.parametrize("value", ["true", "false", "", 0, 1, None])
def test_no_flag(macros, invalid, value):
    with invalid("consume_full_deletes", f"'{value}' is neither true nor false"):
        macros.parse_flag(WHERE, "consume_full_deletes", value)


@pytest.mark.parametrize(
    ("value", "duration"),
    [
        (None, None),
        (0, "0"),
        ("0", "0"),
        (" 0 ", "0"),
        ("0 seconds", "0"),
        ("1 second", "1 second"),
        ("10 minutes", "10 minutes"),
        ("2 Hours", "2 hours"),
        ("7 days", "7 days"),
        ("1 week", "1 week"),
    ],
)
def test_durations(macros, value, duration):
    assert macros.parse_duration(WHERE, "state_ttl", value) == duration


@pytest.mark.parametrize(
    "value",
    [5, 1.5, True, False, "", "5", "minutes", "-1 day", "1.5 hours", "1 month", "1 day 2 hours",
     "1 day'", "forever", [], {}],
)  # fmt: skip
def test_no_duration(macros, invalid, value):
    with invalid("state_ttl", "is not a duration"):
        macros.parse_duration(WHERE, "state_ttl", value)
