"""One JVM for all processes; the files that take longest begin first, so that both end together."""

from __future__ import annotations

import argparse
import re
import shutil
from typing import Any
from zlib import crc32

import pytest

from .spark import FOLDER, session_of, start_jvm

LONG = [
    "test_materialization",
    "test_keyless",
    "test_integration_project",
    "test_presets",
    "test_streams",
    "test_laws",
    "test_consistent_group",
    "test_watermark",
    "test_log_recovery",
    "test_readme",
    "test_conformance",
    "test_history",
    "test_maintain",
    "test_erase",
    "test_shop_text",
    "test_partial_rows",
    "test_recovery",
    "test_redelivery",
    "test_to_changelog",
    "test_schema_changes",
]
# fixtures of a module that take no time
QUICK = {"home", "processes"}


def pytest_addoption(parser: pytest.Parser) -> None:
    text = "of the thorough tests those of part K of N, counted from 0, and no others"
    parser.addoption("--part", type=part_of_text, metavar="K/N", help=text)


def part_of_text(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or int(found[1]) >= int(found[2]):
        raise argparse.ArgumentTypeError(f"'{text}' is not K/N with K below N, for example 0/4")
    return int(found[1]), int(found[2])


def is_in_part(item: pytest.Item, part: tuple[int, int]) -> bool:
    """The same answer in every process and at every commit, whatever other tests there are.

    The cases of a test that share a set-up, which takes longer than they do, stay together.
    """
    number, parts = part
    made = item._fixtureinfo.name2fixturedefs  # type: ignore[attr-defined]
    shares = any(
        found[-1].scope == "module" for name, found in made.items() if found and name not in QUICK
    )
    name = item.nodeid.split("[")[0] if shares else item.nodeid
    thorough = item.get_closest_marker("thorough") is not None
    return thorough and crc32(name.encode()) % parts == number


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """All processes of pytest-xdist get the same JVM."""
    if not hasattr(node.config, "jvm"):
        node.config.jvm = start_jvm()
        # the first use of this catalog makes its database: two processes at once would fail
        session_of(node.config.jvm).sql("show namespaces in ice")
    node.workerinput["jvm"] = node.config.jvm


def pytest_unconfigure() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    part = config.getoption("part")
    if part:
        config.hook.pytest_deselected(items=[i for i in items if not is_in_part(i, part)])
        items[:] = [item for item in items if is_in_part(item, part)]

    def rank(item: pytest.Item) -> tuple[bool, int]:
        name = item.path.stem
        return "unit" in item.path.parts, LONG.index(name) if name in LONG else len(LONG)

    items.sort(key=rank)
