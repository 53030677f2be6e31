import pytest

from ..plans import WHERE


@pytest.mark.parametrize("value", [None, "full"])
def test_full(macros, value):
    assert macros.parse_read(WHERE, value) == {"mode": "full", "strict": False}


@pytest.mark.parametrize(
    ("value", "lookback"),
    [
        ({}, None),
        ({"lookback": None}, None),
        ({"lookback": "1 hour"}, "1 hour"),
        ({"lookback": "0"}, None),
        ({"lookback": 100}, 100),
        ({"lookback": 0.5}, 0.5),
    ],
)
def test_column(macros, value, lookback):
    read = macros.parse_read(WHERE, {"column": "lsn", **value})
    assert read == {"mode": "column", "column": "lsn", "lookback": lookback, "strict": False}


@pytest.mark.parametrize("value", ["lsn", "FULL", "", {}, {"lookback": "1 hour"}, 7, True, []])
def test_neither(macros, invalid, value):
    with invalid("read", "is neither 'full' nor a column"):
        macros.parse_read(WHERE, value)


def test_wrong_lookback(macros, invalid):
    with invalid("read.lookback", "'an hour' is not a duration"):
        macros.parse_read(WHERE, {"column": "lsn", "lookback": "an hour"})


@pytest.mark.parametrize("lookback", [-1, -0.5, True, False])
def test_lookback_that_is_no_distance(macros, invalid, lookback):
    with invalid("read.lookback"):
        macros.parse_read(WHERE, {"column": "lsn", "lookback": lookback})


def test_strict(macros):
    read = macros.parse_read(WHERE, {"column": "lsn", "strict": True, "lookback": "0"})
    assert read == {"mode": "column", "column": "lsn", "lookback": None, "strict": True}


@pytest.mark.parametrize("lookback", ["1 hour", 3])
def test_strict_with_a_lookback(macros, invalid, lookback):
    with invalid("read.lookback", "a strict range reads each row once"):
        macros.parse_read(WHERE, {"column": "lsn", "strict": True, "lookback": lookback})


def test_strict_is_true_or_false(macros, invalid):
    with invalid("read.strict", "'yes' is neither true nor false"):
        macros.parse_read(WHERE, {"column": "lsn", "strict": "yes"})
