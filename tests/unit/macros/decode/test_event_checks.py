"""The advice in an error of the data: nobody is told to lose an event."""

import re

import pytest

from ..plans import DEBEZIUM, FLAT, IMAGES, UPSERT, Model, macros_of

SIDES = {"before": "before", "after": "after"}
KEYLESS = {"unique_key": None, "sequence_by": None}
FULL = {**SIDES, "op_mapping": {"c": "INSERT", "d": "DELETE"}, "consume_full_deletes": True}
LONE = {"c": "INSERT", "b": "UPDATE_BEFORE", "u": "UPDATE_AFTER"}
IN_SOURCE = "let the source write the row before (Postgres: replica identity full)"
LEAVES_OUT = "leave consume_full_deletes out: then the key is enough"


def errors(config, columns):
    """The errors of a model's events, [(what is wrong, the way out)]."""
    model = Model(config, columns)
    sql = macros_of(model).decode_ctes(model.plan(), "events")
    text = r"'((?:[^'\\]|\\.)*)'"
    found = re.findall(rf"raise_error\(concat\({text}, .*, {text}\)\)", sql)
    assert len(found) == sql.count("raise_error(")
    return [
        (problem.replace("\\'", "'"), fix.replace("\\'", "'").partition("To fix: ")[2])
        for problem, fix in found
    ]


def fixes(config, columns, words):
    """The ways out of the errors whose problem has these words."""
    return [fix for problem, fix in errors(config, columns) if words in problem]


@pytest.mark.parametrize(
    ("config", "problem", "words"),
    [
        ({**SIDES, "op_mapping": DEBEZIUM}, "before", "map the code to UPDATE_AFTER alone"),
        ({**SIDES, "op_mapping": DEBEZIUM}, "before", "state_ttl='0'"),
        ({**SIDES, **KEYLESS, "op_mapping": DEBEZIUM}, "before", "set unique_key"),
        (FULL, "before", f"{LEAVES_OUT}; or {IN_SOURCE}"),
        ({**FULL, **KEYLESS}, "before", IN_SOURCE),
        ({**SIDES, "op_mapping": LONE}, "before", "each has an UPDATE_AFTER"),
        ({**SIDES, **KEYLESS, "op_mapping": LONE}, "before", IN_SOURCE),
        ({**SIDES, "op_mapping": DEBEZIUM}, "after", "from_json"),
    ],
)
def test_a_missing_image(config, problem, words):
    found = fixes(config, IMAGES, f"the {problem} image is NULL")
    assert [fix for fix in found if words in fix], found


def test_deletes_and_updates_without_an_image_have_their_own_ways_out():
    config = {**SIDES, "op_mapping": DEBEZIUM, "consume_full_deletes": True}
    sql = macros_of(Model(config, IMAGES)).decode_ctes(Model(config, IMAGES).plan(), "events")
    delete, update = re.findall(
        r"in \(('[du]')\)\s+and `before` is null then\s+raise_error\((.*)\)", sql
    )
    assert delete[0] == "'d'" and LEAVES_OUT in delete[1] and "state_ttl" not in delete[1]
    assert update[0] == "'u'" and LEAVES_OUT not in update[1] and "UPDATE_AFTER alone" in update[1]


@pytest.mark.parametrize(
    ("config", "columns"),
    [
        ({"op_mapping": UPSERT}, FLAT),
        ({**SIDES, "op_mapping": DEBEZIUM}, IMAGES),
        ({**SIDES, **KEYLESS, "op_mapping": DEBEZIUM}, IMAGES),
        ({**FULL}, IMAGES),
    ],
)
def test_no_event_is_filtered_out(config, columns):
    for problem, fix in errors(config, columns):
        assert "filter" not in fix, problem
        assert fix.endswith(".") and not fix.endswith(".."), problem


def test_a_null_op_code_is_a_null_record_or_a_mistake():
    (fix,) = fixes({"op": "kind"}, {**FLAT, "kind": "string"}, "the op code is NULL")
    assert "where kind is not null" in fix


def test_a_skipped_code_must_change_no_row():
    (fix,) = [fix for _, fix in errors({}, FLAT) if "op_mapping" in fix]
    assert "invalid_op_handling='SKIP' if such events change no row" in fix
    assert "truncate" in fix
