import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import changelog_reference as reference

from ..laws import LAW
from ..plans import WHERE
from ..render import CompilerError, Macros

KINDS = reference.KINDS


def parsed(macros, mapping):
    entries = macros.parse_kind_mapping(WHERE, mapping)
    return {kind: (entry["code"], frozenset(entry["kinds"])) for entry in entries
            for kind in entry["kinds"]}  # fmt: skip


def test_default_is_the_four_names(macros):
    assert parsed(macros, None) == {kind: (kind, {kind}) for kind in KINDS}


def test_the_order_of_entries_does_not_matter(macros):
    entries = [("DELETE", "d"), ("INSERT, UPDATE_AFTER", "c"), ("UPDATE_BEFORE", "c")]
    assert macros.parse_kind_mapping(WHERE, dict(entries)) == macros.parse_kind_mapping(
        WHERE, dict(reversed(entries))
    )


@pytest.mark.parametrize(
    ("mapping", "codes"),
    [
        ({"INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u"},
         {"INSERT": "c", "UPDATE_BEFORE": "u", "UPDATE_AFTER": "u"}),
        ({"INSERT,": "c"}, {"INSERT": "c"}),
        ({"INSERT": "x", "UPDATE_AFTER": "x"}, {"INSERT": "x", "UPDATE_AFTER": "x"}),
        ({"INSERT": " c ", "DELETE": ""}, {"INSERT": " c ", "DELETE": ""}),
        ({"INSERT": "a, b"}, {"INSERT": "a, b"}),
        ({"INSERT": False, "DELETE": True}, {"INSERT": "false", "DELETE": "true"}),
        ({("INSERT", "UPDATE_AFTER"): "c"}, {"INSERT": "c", "UPDATE_AFTER": "c"}),
    ],
)  # fmt: skip
def test_codes(macros, mapping, codes):
    assert {kind: code for kind, (code, _) in parsed(macros, mapping).items()} == codes


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({}, "it is not a mapping with entries"),
        ("INSERT: c", "it is not a mapping with entries"),
        ({"INSERT": "c", "INSERT, UPDATE_AFTER": "u"}, "row kind 'INSERT' is mapped twice"),
        ({"INSERT": "c", "INSERT,": "c"}, "row kind 'INSERT' is mapped twice"),
        ({"INSERT": 1}, "code 1 is not a string"),
        ({"INSERT": None}, "code None is not a string"),
        ({"INSERT": ["c", "r"]}, "code ['c', 'r'] is not a string"),
        ({"INSERT": ["c"]}, "code ['c'] is not a string"),
        ({"INSERT": ("c",)}, "is not a string"),
        ({"INSERT, DELETE": "x"}, "'INSERT, DELETE' is not a group of row kinds"),
        ({"": "x"}, "unknown row kind ''"),
        ({"+I": "x"}, "unknown row kind '+I'"),
        ({"INSERT,,DELETE": "x"}, "has an empty item"),
        ({"c": "INSERT"}, "unknown row kind 'c'"),
    ],
)
def test_refused(macros, invalid, mapping, words):
    with invalid("op_mapping", words):
        macros.parse_kind_mapping(WHERE, mapping)


kind = st.sampled_from([*KINDS, *KINDS, "insert", ""])
kinds = st.builds(
    lambda items, by, end: by.join(items) + end,
    st.one_of(
        st.lists(kind, min_size=1, max_size=3),
        st.sampled_from([sorted(group) for group in reference.GROUPS]),
    ),
    st.sampled_from([",", ", "]),
    st.sampled_from(["", ","]),
)
codes = st.one_of(st.booleans(), st.sampled_from(["c", "d", "", " x", "a,b"]), st.none())
MACROS = Macros()


@given(st.dictionaries(kinds, codes, min_size=1, max_size=3))
@LAW
def test_agrees_with_the_reference(mapping):
    try:
        expected = reference.parse_op_mapping(mapping, "to")
    except reference.ChangelogError:
        with pytest.raises(CompilerError):
            MACROS.parse_kind_mapping(WHERE, mapping)
    else:
        assert parsed(MACROS, mapping) == expected
