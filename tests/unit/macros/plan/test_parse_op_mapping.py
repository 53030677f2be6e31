"""Op mappings, in both directions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import changelog_reference as reference

from ..laws import LAW
from ..plans import WHERE
from ..render import CompilerError, Macros

KINDS = reference.KINDS
ALL_THREE = ["UPDATE_BEFORE", "INSERT", "UPDATE_AFTER"]


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
        ({"a b": "INSERT"}, {"a b": ["INSERT"]}),
        ({"'": "INSERT"}, {"'": ["INSERT"]}),
        ({"  c ,r\t": "INSERT"}, {"c": ["INSERT"], "r": ["INSERT"]}),
        ({",": "INSERT"}, {"": ["INSERT"]}),
        ({("c, r", "d"): "INSERT"}, {"c": ["INSERT"], "r": ["INSERT"], "d": ["INSERT"]}),
        ({(True, False): "INSERT"}, {"true": ["INSERT"], "false": ["INSERT"]}),
    ],
)
def test_codes(macros, mapping, codes):
    assert parsed(macros, mapping) == codes


@pytest.mark.parametrize(
    ("mapping", "words"),
    [
        ({}, "it is not a mapping with entries"),
        ([], "it is not a mapping with entries"),
        ([{"c": "INSERT"}], "it is not a mapping with entries"),
        ([{"code": "c", "kinds": "INSERT"}], "it is not a mapping with entries"),
        ([{"code": "c", "kinds": ["INSRT"]}], "it is not a mapping with entries"),
        ("c: INSERT", "it is not a mapping with entries"),
        ({"c, c": "INSERT"}, "code 'c' is mapped twice"),
        ({"c": "INSERT", " c": "DELETE"}, "code 'c' is mapped twice"),
        ({"c": "INSERT", "c,": "INSERT"}, "code 'c' is mapped twice"),
        ({True: "INSERT", "true": "DELETE"}, "code 'true' is mapped twice"),
        ({"": "INSERT", " ": "DELETE"}, "code '' is mapped twice"),
        ({"c,,r": "INSERT"}, "code 'c,,r' has an empty item"),
        ({",c": "INSERT"}, "code ',c' has an empty item"),
        ({",,": "INSERT"}, "code ',,' has an empty item"),
        ({1: "INSERT"}, "code 1 is not a string"),
        ({None: "INSERT"}, "code None is not a string"),
        ({("c", 1.5): "INSERT"}, "code 1.5 is not a string"),
        ({(("c",),): "INSERT"}, "is not a string"),
    ],
)
def test_refused(macros, invalid, mapping, words):
    with invalid("op_mapping", words):
        macros.parse_op_mapping(WHERE, mapping)


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
def test_row_kinds_in_one_order(macros, value, kinds):
    assert parsed(macros, {"c": value}) == {"c": kinds}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("insert", "unknown row kind 'insert'. Row kinds are: DELETE, INSERT, UPDATE_AFTER,"),
        ("truncate", "UPDATE_BEFORE, and TRUNCATE, which stands alone"),
        ("TRUNCATE, DELETE", "unknown row kind 'TRUNCATE'. Row kinds are: DELETE,"),
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
def test_row_kinds_that_are_refused(macros, invalid, value, words):
    with invalid("op_mapping", words):
        macros.parse_op_mapping(WHERE, {"c": value})


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


def codes_of(macros, mapping):
    entries = macros.parse_kind_mapping(WHERE, mapping)
    return {kind: (entry["code"], frozenset(entry["kinds"])) for entry in entries
            for kind in entry["kinds"]}  # fmt: skip


def test_each_kind_is_its_own_code(macros):
    assert codes_of(macros, None) == {kind: (kind, {kind}) for kind in KINDS}


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
def test_codes_of_kinds(macros, mapping, codes):
    assert {kind: code for kind, (code, _) in codes_of(macros, mapping).items()} == codes


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
def test_kinds_that_are_refused(macros, invalid, mapping, words):
    with invalid("op_mapping", words):
        macros.parse_kind_mapping(WHERE, mapping)


groups = st.builds(
    lambda items, by, end: by.join(items) + end,
    st.one_of(
        st.lists(kind, min_size=1, max_size=3),
        st.sampled_from([sorted(group) for group in reference.GROUPS]),
    ),
    st.sampled_from([",", ", "]),
    st.sampled_from(["", ","]),
)
one_code = st.one_of(st.booleans(), st.sampled_from(["c", "d", "", " x", "a,b"]), st.none())


@given(st.dictionaries(groups, one_code, min_size=1, max_size=3))
@LAW
def test_kinds_agree_with_the_reference(mapping):
    try:
        expected = reference.parse_op_mapping(mapping, "to")
    except reference.ChangelogError:
        with pytest.raises(CompilerError):
            MACROS.parse_kind_mapping(WHERE, mapping)
    else:
        assert codes_of(MACROS, mapping) == expected


def encoded(macros, **given):
    plan = macros.encode_plan(WHERE, {"unique_key": "id", **given})
    return {", ".join(entry["kinds"]): entry["code"] for entry in plan["op_mapping"]}


def test_the_codes_of_an_encoding_are_row_kinds(macros):
    assert encoded(macros, encoding="append") == {"INSERT": "INSERT"}
    assert encoded(macros, encoding="upsert") == {
        "INSERT, UPDATE_AFTER": "UPDATE_AFTER",
        "DELETE": "DELETE",
    }
    assert encoded(macros, encoding="retract") == {
        **{"INSERT": "INSERT", "UPDATE_AFTER": "INSERT"},
        **{"UPDATE_BEFORE": "DELETE", "DELETE": "DELETE"},
    }


@pytest.mark.parametrize(
    ("argument", "words", "given"),
    [
        ("encoding", "'upserts' is not one of append, upsert, retract", {"encoding": "upserts"}),
        ("encoding", "and there is one too", {"encoding": "append", "op_mapping": {"INSERT": "c"}}),
        ("unique_key", "knows rows by their key", {"encoding": "upsert", "unique_key": None}),
    ],
)
def test_encodings_that_are_refused(macros, invalid, argument, words, given):
    with invalid(argument, words):
        encoded(macros, **given)


def test_append_refuses_other_changes(macros):
    refuses = "append has no event for the change"
    assert refuses in macros.to_changelog("changes", encoding="append")
    assert refuses not in macros.to_changelog("changes", op_mapping={"INSERT": "INSERT"})
