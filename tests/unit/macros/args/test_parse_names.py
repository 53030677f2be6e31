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
