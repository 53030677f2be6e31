import pytest

from ..plans import DEBEZIUM, WHERE


def test_defaults(macros):
    args = macros.decode_args(WHERE, {})
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
    args = macros.decode_args(WHERE, given)
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
        macros.decode_args(WHERE, {argument: value})


@pytest.mark.parametrize("argument", ["tie_handling", "invalid_op_handling", "op"])
def test_empty_text_is_not_the_default(macros, invalid, argument):
    with invalid(argument):
        macros.decode_args(WHERE, {argument: ""})
