import pytest

from ..plans import WHERE


@pytest.mark.parametrize("value", [True, False])
def test_flag(macros, value):
    assert macros.parse_flag(WHERE, "consume_full_deletes", value) is value


@pytest.mark.parametrize("value", ["true", "false", "", 0, 1, None])
def test_refused(macros, invalid, value):
    with invalid("consume_full_deletes", f"'{value}' is neither true nor false"):
        macros.parse_flag(WHERE, "consume_full_deletes", value)
