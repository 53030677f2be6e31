import pytest

from ..plans import WHERE


@pytest.mark.parametrize(
    ("value", "items"),
    [
        ("c", ["c"]),
        ("c, r", ["c", "r"]),
        ("  c ,r\t", ["c", "r"]),
        ("c,", ["c"]),
        ("c, ", ["c"]),
        ("", [""]),
        ("  ", [""]),
        (",", [""]),
        (["c", "r"], ["c", "r"]),
        (["c, r", "d"], ["c", "r", "d"]),
        (("c",), ["c"]),
        ([""], [""]),
        (True, ["true"]),
        ([True, False], ["true", "false"]),
        ("a b", ["a b"]),
        ("'", ["'"]),
    ],
)
def test_items(macros, value, items):
    assert macros.parse_items(WHERE, "op_mapping", value, "code") == items


@pytest.mark.parametrize("value", [",c", "c,,r", "c,,", ",,", " , ,c"])
def test_empty_item(macros, invalid, value):
    with invalid("op_mapping", "has an empty item"):
        macros.parse_items(WHERE, "op_mapping", value, "code")


@pytest.mark.parametrize("value", [[1], [None], [["c"]], [{"c": "d"}]])
def test_not_a_string(macros, invalid, value):
    with invalid("op_mapping", "is not a string"):
        macros.parse_items(WHERE, "op_mapping", value, "code")


@pytest.mark.parametrize("value", [1, None, 1.5])
def test_neither_text_nor_list(macros, invalid, value):
    with invalid("op_mapping", "is not a string"):
        macros.parse_items(WHERE, "op_mapping", value, "code")
