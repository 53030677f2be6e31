import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import changelog_reference as reference

from ..laws import LAW
from ..plans import WHERE
from ..render import CompilerError, Macros

KINDS = reference.KINDS


def parsed(macros, mapping):
    entries = macros.parse_op_mapping(WHERE, mapping)
    assert [entry["code"] for entry in entries] == sorted(entry["code"] for entry in entries)
    return {entry["code"]: entry["kinds"] for entry in entries}


def test_default_is_the_four_names(macros):
    assert parsed(macros, None) == {kind: [kind] for kind in KINDS}


@pytest.mark.parametrize(
    ("mapping", "codes"),
    [
        (
            {"c, r": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"},
            {
                "c": ["INSERT"],
                "r": ["INSERT"],
                "u": ["UPDATE_BEFORE", "UPDATE_AFTER"],
                "d": ["DELETE"],
            },
        ),
        ({"c": "INSERT", "r": "INSERT"}, {"c": ["INSERT"], "r": ["INSERT"]}),
        ({"c": "INSERT", "C": "DELETE"}, {"c": ["INSERT"], "C": ["DELETE"]}),
        ({"c,": "INSERT,"}, {"c": ["INSERT"]}),
        ({"": "INSERT"}, {"": ["INSERT"]}),
        ({"": "INSERT", "d": "DELETE"}, {"": ["INSERT"], "d": ["DELETE"]}),
        ({True: "DELETE", False: "INSERT"}, {"true": ["DELETE"], "false": ["INSERT"]}),
        ({"true": "DELETE", "false": "INSERT"}, {"true": ["DELETE"], "false": ["INSERT"]}),
        ({"u": ["UPDATE_AFTER", "INSERT"]}, {"u": ["INSERT", "UPDATE_AFTER"]}),
        ({"a b": "INSERT"}, {"a b": ["INSERT"]}),
    ],
)
def test_codes(macros, mapping, codes):
    assert parsed(macros, mapping) == codes


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({}, "it is not a mapping with entries"),
        ([], "it is not a mapping with entries"),
        ("c: INSERT", "it is not a mapping with entries"),
        ({"c, c": "INSERT"}, "code 'c' is mapped twice"),
        ({"c": "INSERT", " c": "DELETE"}, "code 'c' is mapped twice"),
        ({"c": "INSERT", "c,": "INSERT"}, "code 'c' is mapped twice"),
        ({True: "INSERT", "true": "DELETE"}, "code 'true' is mapped twice"),
        ({"": "INSERT", " ": "DELETE"}, "code '' is mapped twice"),
        ({"c,,r": "INSERT"}, "code 'c,,r' has an empty item"),
        ({",c": "INSERT"}, "code ',c' has an empty item"),
        ({1: "INSERT"}, "code 1 is not a string"),
        ({None: "INSERT"}, "code None is not a string"),
        ({"c": "INSERT, DELETE"}, "'INSERT, DELETE' is not a group of row kinds"),
        ({"c": "insert"}, "unknown row kind 'insert'"),
        ({"c": "INSERT,,DELETE"}, "has an empty item"),
        ({"c": None}, "is not a string"),
        ({"c": []}, "is not a group"),
    ],
)
def test_refused(macros, invalid, mapping, words):
    with invalid("op_mapping", words):
        macros.parse_op_mapping(WHERE, mapping)


item = st.sampled_from(["c", "C", "r", "u", "d", "+I", "", "'", "a b"])
separator = st.sampled_from([",", ", ", " ,"])
code_list = st.lists(item, min_size=1, max_size=3)
codes = st.one_of(
    st.booleans(),
    st.builds(
        lambda items, by, end: by.join(items) + end,
        code_list,
        separator,
        st.sampled_from(["", ",", " ,", " "]),
    ),
)
kind = st.sampled_from([*KINDS, *KINDS, "insert", ""])
kind_list = st.lists(kind, min_size=1, max_size=4)
group = st.sampled_from([sorted(group) for group in reference.GROUPS])
kinds = st.one_of(
    st.sampled_from(KINDS),
    group,
    group.map(", ".join),
    kind_list,
    st.builds(lambda items, by: by.join(items), kind_list, separator),
    st.booleans(),
)
mappings = st.dictionaries(codes, kinds, min_size=1, max_size=4)
MACROS = Macros()


@given(mappings)
@LAW
def test_agrees_with_the_reference(mapping):
    try:
        expected = reference.parse_op_mapping(mapping, "from")
    except reference.ChangelogError:
        with pytest.raises(CompilerError):
            MACROS.parse_op_mapping(WHERE, mapping)
    else:
        assert {code: frozenset(k) for code, k in parsed(MACROS, mapping).items()} == expected
