import pytest

from ..plans import WHERE


@pytest.mark.parametrize(
    ("value", "duration"),
    [
        (None, None),
        (0, "0"),
        ("0", "0"),
        (" 0 ", "0"),
        ("0 seconds", "0"),
        ("1 second", "1 second"),
        ("10 minutes", "10 minutes"),
        ("2 Hours", "2 hours"),
        ("7 days", "7 days"),
        ("1 week", "1 week"),
    ],
)
def test_durations(macros, value, duration):
    assert macros.parse_duration(WHERE, "state_ttl", value) == duration


@pytest.mark.parametrize(
    "value",
    [5, 1.5, True, False, "", "5", "minutes", "-1 day", "1.5 hours", "1 month", "1 day 2 hours",
     "1 day'", "forever", [], {}],
)  # fmt: skip
def test_refused(macros, invalid, value):
    with invalid("state_ttl", "is not a duration"):
        macros.parse_duration(WHERE, "state_ttl", value)
