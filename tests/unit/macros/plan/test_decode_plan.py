import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import changelog_reference as reference

from ..laws import LAW
from ..plans import DEBEZIUM, ROW, UPSERT, WHERE, Model
from ..render import Macros

MACROS = Macros()


def test_defaults(macros):
    args = macros._parsed_args(WHERE, {})
    assert [entry["code"] for entry in args.pop("op_mapping")] == [
        "DELETE", "INSERT", "UPDATE_AFTER", "UPDATE_BEFORE",
    ]  # fmt: skip
    assert args == {
        **{"op": "op", "before": None, "after": None, "passthrough": [], "uid": None},
        **{"unique_key": [], "sequence_by": [], "state_ttl": None, "consume_full_deletes": False},
        **{"tie_handling": "FAIL", "invalid_op_handling": "FAIL"},
    }


def test_given(macros):
    given = {
        **{"op": "code", "op_mapping": DEBEZIUM, "before": "old", "after": "new", "uid": "u"},
        **{"passthrough": "ts", "unique_key": ["a", "b"], "sequence_by": "lsn"},
        **{"tie_handling": "LAST", "invalid_op_handling": "SKIP", "state_ttl": "1 day"},
        "consume_full_deletes": True,
    }
    args = macros._parsed_args(WHERE, given)
    expected = {**given, "passthrough": ["ts"], "sequence_by": ["lsn"]}
    expected["op_mapping"] = macros.parse_op_mapping(WHERE, DEBEZIUM)
    assert args == expected
    assert set(args) == set(macros.decode_defaults())


@pytest.mark.parametrize(
    ("argument", "value"),
    [
        ("op", ["op", "code"]),
        ("op", 7),
        ("op_mapping", {"c": "CREATE"}),
        ("op_mapping", {}),
        ("before", ["b", "c"]),
        ("after", True),
        ("passthrough", 7),
        ("unique_key", ["id", "ID"]),
        ("sequence_by", 7),
        ("tie_handling", "FIRST"),
        ("invalid_op_handling", "skip"),
        ("consume_full_deletes", "yes"),
        ("consume_full_deletes", ""),
        ("state_ttl", "soon"),
        ("uid", 7),
    ],
)
def test_refused(macros, invalid, argument, value):
    with invalid(argument):
        macros._parsed_args(WHERE, {argument: value})


@pytest.mark.parametrize("argument", ["tie_handling", "invalid_op_handling", "op"])
def test_empty_text_is_not_the_default(macros, invalid, argument):
    with invalid(argument):
        macros._parsed_args(WHERE, {argument: ""})


KEY = {"unique_key": "id", "sequence_by": "lsn"}
IMAGES = {"before": "before", "after": "after"}
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
def test_refused_together(macros, invalid, argument, words, given):
    with invalid(argument, words):
        macros.decode_plan(WHERE, given)


def test_a_flat_passthrough_without_a_key_is_a_column_as_any_other(macros):
    given = {"op_mapping": {"c": "INSERT", "d": "DELETE"}, "passthrough": "ts"}
    assert macros.decode_plan(WHERE, given)["passthrough"] == ["ts"]


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
def test_accepted_together(macros, given):
    macros.decode_plan(WHERE, given)


SIDES = [(None, None), ("before", "after"), (None, "after"), ("before", None), ("image", "image")]
kinds = st.sampled_from([*reference.KINDS, *(", ".join(sorted(g)) for g in reference.GROUPS)])
mappings = st.none() | st.dictionaries(st.sampled_from("cruxd"), kinds, min_size=1)


def is_state_backed(macros, op_mapping, before=None, after=None, state_ttl=None):
    given = {"op_mapping": op_mapping, "before": before, "after": after, "state_ttl": state_ttl}
    return macros._is_state_backed(macros._parsed_args(WHERE, given))


@given(mappings, st.sampled_from(SIDES), st.sampled_from([None, "0", "1 hour"]))
@LAW
def test_agrees_with_the_reference(op_mapping, sides, state_ttl):
    mapping = reference.parse_op_mapping(op_mapping, "from")
    expected = reference.needs_state(mapping, *sides, state_ttl)
    assert is_state_backed(MACROS, op_mapping, *sides, state_ttl) == expected


@pytest.mark.parametrize(
    ("op_mapping", "before", "after", "expected"),
    [
        (None, None, None, False),
        ({"u": "UPDATE_BEFORE, UPDATE_AFTER"}, None, None, True),
        ({"u": "UPDATE_BEFORE, UPDATE_AFTER"}, "before", "after", False),
        ({"u": "UPDATE_BEFORE, UPDATE_AFTER"}, "row", "row", True),
        ({"u": "INSERT, UPDATE_AFTER"}, "before", "after", True),
        ({"u": "UPDATE_BEFORE"}, None, "after", True),
        ({"u": "UPDATE_BEFORE"}, "row", "row", False),
        ({"u": "UPDATE_AFTER"}, None, "after", False),
    ],
)
def test_named_mappings(macros, op_mapping, before, after, expected):
    assert is_state_backed(macros, op_mapping, before, after) == expected


MOVING = {"op_mapping": DEBEZIUM, "before": "before", "after": "after"}
COLUMNS = {"op": "string", "before": ROW, "after": ROW, "lsn": "bigint"}


@pytest.mark.parametrize(
    ("config", "before", "expected"),
    [
        (MOVING, ROW, True),
        (MOVING, {"ID": "int", "name": "string"}, True),
        (MOVING, {"name": "string"}, False),
        ({**MOVING, "op_mapping": {"c": "INSERT", "d": "DELETE"}}, ROW, False),
        ({**MOVING, "before": None}, ROW, False),
        ({**MOVING, "before": "after"}, ROW, False),
    ],
)
def test_moves_of_a_model(config, before, expected):
    assert Model(config, {**COLUMNS, "before": before}).plan()["moves"] is expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({**MOVING, "unique_key": "id", "sequence_by": "lsn"}, True),
        (MOVING, False),
        ({"unique_key": "id", "sequence_by": "lsn"}, False),
    ],
)
def test_moves_of_a_macro(macros, given, expected):
    assert macros.decode_plan("from_changelog(...)", given)["moves"] is expected
