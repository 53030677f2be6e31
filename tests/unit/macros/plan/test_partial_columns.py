import pytest

from ..plans import FLAT, TRUNCATES, Model


@pytest.mark.parametrize(
    ("config", "argument", "words"),
    [
        ({"unavailable_value": 7}, "unavailable_value", "it is not a text, but 7"),
        ({"columns_not_sent": ["a"]}, "columns_not_sent", "it is not a text, but ['a']"),
        ({"ignore_null_updates": {"but": "name"}}, "ignore_null_updates", "it has but"),
        ({"ignore_null_updates": ["nome"]}, "ignore_null_updates", "column 'nome' is not in"),
        (
            {"ignore_null_updates": True, "tie_handling": "LAST"},
            "tie_handling",
            "'LAST' takes whole rows in an order",
        ),
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
    ],
)
def test_the_kernel_that_a_config_chooses(config, kernel):
    assert Model(config, FLAT).plan()["kernel"] == kernel
