import re

import pytest

from ..plans import FLAT, TRUNCATES, UPSERT, Model
from ..render import CompilerError


@pytest.mark.parametrize(
    ("config", "argument", "words"),
    [
        ({"unavailable_value": 7}, "unavailable_value", "it is not a text, but 7"),
        ({"columns_not_sent": ["a"]}, "columns_not_sent", "it is not a text, but ['a']"),
        ({"ignore_null_updates": {"but": "name"}}, "ignore_null_updates", "it has but"),
        ({"ignore_null_updates": ["nome"]}, "ignore_null_updates", "column 'nome' is not in"),
        (
            {"soft_delete": "gone", "state_ttl": "1 day"},
            "state_ttl",
            "here the row before a change is needed for ever",
        ),
        ({"soft_delete": "Name"}, "soft_delete", "'Name' is also a column of the input"),
        (
            {"unique_key": None, "soft_delete": "gone"},
            "unique_key",
            "soft_delete is of the rows of a key, and no key was set",
        ),
        (
            {"unique_key": None, "op_mapping": {"c": "INSERT", "t": "TRUNCATE"}},
            "op_mapping",
            "TRUNCATE deletes keys, and no key was set",
        ),
    ],
)
def test_what_does_not_go_with_partial_rows(invalid, config, argument, words):
    with invalid(argument, words):
        Model(config, FLAT).plan()


WHOLE = "; or, if every event has the whole of its row, set "
PARTS = [
    ({"ignore_null_updates": True}, ""),
    ({"columns_not_sent": "array('name')"}, ""),
    ({"soft_delete": "gone"}, ""),
    ({"op_mapping": TRUNCATES}, WHOLE + "an op_mapping without TRUNCATE"),
    ({"unavailable_value": "?"}, WHOLE + "unavailable_value=''"),
    (
        {"op_mapping": TRUNCATES, "unavailable_value": "?"},
        WHOLE + "unavailable_value='' and an op_mapping without TRUNCATE",
    ),
]


@pytest.mark.parametrize(("config", "way_out"), PARTS)
def test_which_of_two_parts_of_a_row_is_the_last_is_not_known(config, way_out):
    fix = f"leave it out, and add a column to sequence_by that orders them{way_out}."
    with pytest.raises(CompilerError, match=f"'tie_handling'.*\nTo fix: {re.escape(fix)}$"):
        Model({"tie_handling": "LAST", **config}, FLAT).plan()


@pytest.mark.parametrize(
    ("config", "kernel"),
    [
        ({}, "last_write_wins"),
        ({"ignore_null_updates": False, "unavailable_value": ""}, "last_write_wins"),
        ({"ignore_null_updates": True}, "partial_rows"),
        ({"ignore_null_updates": {"except": "name"}}, "partial_rows"),
        ({"unavailable_value": "?"}, "partial_rows"),
        ({"columns_not_sent": "array('name')"}, "partial_rows"),
        ({"soft_delete": "gone"}, "partial_rows"),
        ({"op_mapping": TRUNCATES}, "partial_rows"),
        # the ways out of the refusal of 'LAST'
        ({"op_mapping": UPSERT, "tie_handling": "LAST"}, "last_write_wins"),
        ({"unavailable_value": "", "tie_handling": "LAST"}, "last_write_wins"),
    ],
)
def test_the_kernel_that_a_config_chooses(config, kernel):
    assert Model(config, FLAT).plan()["kernel"] == kernel
