"""One JVM for all processes; the files that take longest begin first, so that both end together."""

import shutil
from typing import Any

import pytest

from .spark import FOLDER, session_of, start_jvm

LONG = [
    "test_materialization",
    "test_keyless",
    "test_integration_project",
    "test_laws",
    "test_feeds",
    "test_iceberg",
    "test_shop",
    "test_to_changelog",
    "test_recovery",
    "test_counters",
    "test_hostile_names",
    "test_parquet",
    "test_changes",
    "test_wrong_data",
    "test_schema_changes",
    "test_log_recovery",
    "test_concurrent_runs",
    "test_keyless_laws",
    "test_continuous_queries",
    "test_flip_to_use_cases",
    "test_key_changes",
    "test_readme",
    "test_conformance",
]


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def rank(item: pytest.Item) -> tuple[bool, int]:
        name = item.path.stem
        return "unit" in item.path.parts, LONG.index(name) if name in LONG else len(LONG)

    items.sort(key=rank)
