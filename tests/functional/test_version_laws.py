"""Law 3 for versions (SCD type 2), also of rows that come in parts (docs/concepts/laws.md).

However the events of a random log are ordered, repeated and split, the versions are what the
reference model makes of them, and the changelog folds to them. A failure names the seed;
DBT_CHANGELOG_SEED=.. runs the logs of that seed again, DBT_CHANGELOG_LOGS=.. has more keys.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

import pytest

from .changelogs import BATCHES, LOGS, reference
from .conftest import ProjectFactory
from .test_partial_laws import CODES, COLUMNS, MANY, NOT_SENT, SOFT, TRUNCATES, Log, check

sys.modules.setdefault("changelog_reference", reference)
import versions_reference  # noqa: E402

SCD = {"stored_as_scd_type": 2}
WHOLE = {"op_mapping": CODES, **SCD}
LISTED = {"track_history_columns": ["a"]}
EXCEPTED = {"track_history_columns_except": ["a", "b"]}
MODELS: dict[str, tuple[dict[str, Any], bool]] = {
    "history": (WHOLE, True),
    "history_parts": ({**SCD, "op_mapping": TRUNCATES, **NOT_SENT, **SOFT, **EXCEPTED}, True),
    "history_listed": ({**WHOLE, **LISTED}, True),
    "history_truncated": ({**SCD, "op_mapping": TRUNCATES, **LISTED}, True),
    "history_soft": ({**SCD, "op_mapping": TRUNCATES, **SOFT, **LISTED}, True),
    "history_sent": ({**SCD, "op_mapping": TRUNCATES, **NOT_SENT}, True),
    "history_nulls": ({**WHOLE, "ignore_null_updates": {"except": ["b"]}, **EXCEPTED}, True),
}


class History(Log):
    """A log, and the versions after each of its batches."""

    def expected(self) -> list[Counter[Any]]:
        names = ("soft_delete", "track_history_columns", "track_history_columns_except")
        state = versions_reference.Versions(
            "id", **{name: self.arguments.get(name) for name in names}
        )
        found = []
        for batch in BATCHES:
            state = versions_reference.apply(self.changes(batch), state).state
            versions = versions_reference.contents(state)
            found.append(Counter(self.comparable(row) for row in versions))
        return found

    def comparable(self, row: dict[str, Any]) -> Any:
        names = (
            "id",
            *COLUMNS,
            *([self.arguments[name] for name in SOFT if name in self.arguments]),
        )
        shown = {name: row.get(name) for name in (*names, "valid_from", "valid_to")}
        assert row.get("is_current", row["valid_to"] is None) is (row["valid_to"] is None)
        return reference.row_identity(shown)


def histories_of(names: Iterable[str], pairs: int = MANY) -> list[Log]:
    return [History(name, *MODELS[name], pairs) for name in names]


def laws(new_project: ProjectFactory, home: str, logs: list[Log], logged: bool = True) -> None:
    again = check(new_project, home, logs, logged).run("run")
    assert {again.nodes[log.name].message for log in logs} == {"nothing new"}


def test_versions_do_not_depend_on_order(new_project):
    laws(new_project, "delta", histories_of(["history", "history_parts"], LOGS))


@pytest.mark.thorough
def test_versions_of_other_configs_do_not_depend_on_order(new_project):
    others = [name for name in MODELS if name not in ("history", "history_parts")]
    laws(new_project, "delta", histories_of(others))


@pytest.mark.thorough
def test_versions_on_iceberg_do_not_depend_on_order(new_project):
    laws(new_project, "iceberg", histories_of(MODELS))


@pytest.mark.thorough
def test_versions_on_parquet_do_not_depend_on_order(new_project):
    laws(new_project, "parquet", histories_of(MODELS), logged=False)
