"""The files that take longest begin first, so that two processes end at about the same time."""

import pytest

LONG = [
    "test_recovery",
    "test_keyless",
    "test_changes",
    "test_to_changelog",
    "test_integration_project",
    "test_feeds",
    "test_log_recovery",
    "test_laws",
    "test_shop_log",
    "test_materialization",
    "test_schema_changes",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def rank(item: pytest.Item) -> tuple[bool, int]:
        name = item.path.stem
        return "unit" in item.path.parts, LONG.index(name) if name in LONG else len(LONG)

    items.sort(key=rank)
