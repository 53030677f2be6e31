import pytest

from ..plans import WHERE


def test_choice(macros):
    assert macros.parse_choice(WHERE, "tie_handling", "LAST", ["FAIL", "LAST"]) == "LAST"


@pytest.mark.parametrize("value", ["last", "", None, True, 1])
def test_refused(macros, invalid, value):
    with invalid("tie_handling", f"'{value}' is not one of FAIL, LAST"):
        macros.parse_choice(WHERE, "tie_handling", value, ["FAIL", "LAST"])
