"""One JVM for all processes; the files that take longest begin first, so that both end together."""

import shutil
from typing import Any

import pytest

from .spark import FOLDER, start_jvm

LONG = [
    "test_materialization",
    "test_keyless",
    "test_integration_project",
    "test_feeds",
    "test_laws",
    "test_iceberg",
    "test_shop",
    "test_recovery",
    "test_wrong_data",
    "test_shop_log",
    "test_log_recovery",
    "test_to_changelog",
    "test_changes",
    "test_conformance",
    "test_parquet",
    "test_hostile_names",
    "test_schema_changes",
    "test_keyless_laws",
    "test_flip_to_use_cases",
    "test_monitoring",
]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """All processes of pytest-xdist get the same JVM."""
    if not hasattr(node.config, "jvm"):
        node.config.jvm = start_jvm()
    node.workerinput["jvm"] = node.config.jvm


def pytest_unconfigure() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def rank(item: pytest.Item) -> tuple[bool, int]:
        name = item.path.stem
        return "unit" in item.path.parts, LONG.index(name) if name in LONG else len(LONG)

    items.sort(key=rank)
