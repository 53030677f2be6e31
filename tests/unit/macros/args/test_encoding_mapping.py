import pytest

from ..plans import WHERE


def mapping(macros, **given):
    plan = macros.encode_plan(WHERE, {"unique_key": "id", **given})
    return {", ".join(entry["kinds"]): entry["code"] for entry in plan["op_mapping"]}


def test_codes_are_row_kinds(macros):
    assert mapping(macros, encoding="append") == {"INSERT": "INSERT"}
    assert mapping(macros, encoding="upsert") == {
        "INSERT, UPDATE_AFTER": "UPDATE_AFTER",
        "DELETE": "DELETE",
    }
    assert mapping(macros, encoding="retract") == {
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
def test_refused(macros, invalid, argument, words, given):
    with invalid(argument, words):
        mapping(macros, **given)


def test_append_refuses_other_changes(macros):
    refuses = "append has no event for the change"
    assert refuses in macros.to_changelog("changes", encoding="append")
    assert refuses not in macros.to_changelog("changes", op_mapping={"INSERT": "INSERT"})
