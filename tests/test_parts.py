"""The parts of the thorough tests, of which each run of .ci/run takes one."""

from __future__ import annotations

import argparse
from types import SimpleNamespace
from typing import Any

import pytest

from .conftest import is_in_part, part_of_text


def items(thorough: bool, scope: str = "function") -> list[Any]:
    marks = {"thorough": True} if thorough else {}
    fixtures = {"tmp_path": [], "project": [SimpleNamespace(scope=scope)]}
    return [
        SimpleNamespace(
            nodeid=f"t.py::t[{n}]",
            get_closest_marker=marks.get,
            _fixtureinfo=SimpleNamespace(name2fixturedefs=fixtures),
        )
        for n in range(99)
    ]


def test_each_thorough_test_is_in_one_part_and_no_other_test_in_any() -> None:
    counts = [sum(is_in_part(item, (n, 4)) for item in items(True)) for n in range(4)]
    assert sum(counts) == 99 and min(counts) > 9
    for item in items(True):
        assert sum(is_in_part(item, (n, 4)) for n in range(4)) == 1
        assert is_in_part(item, (0, 1))
    assert not any(is_in_part(item, (n, 4)) for item in items(False) for n in range(4))


def test_cases_that_share_a_setup_are_in_one_part() -> None:
    shared = items(True, "module")
    counts = [sum(is_in_part(item, (n, 4)) for item in shared) for n in range(4)]
    assert sorted(counts) == [0, 0, 0, 99]


@pytest.mark.parametrize("text", ["", "3", "4/4", "1/0", "-1/4", "1/4/2", "a/b"])
def test_a_part_is_a_number_below_that_of_the_parts(text: str) -> None:
    assert part_of_text("3/4") == (3, 4)
    with pytest.raises(argparse.ArgumentTypeError, match="is not K/N"):
        part_of_text(text)
