"""Law 3 (docs/concepts/laws.md) for rows that come in parts: columns that were not sent, truncates,
soft deletes, and tombstones that are forgotten.

However the events of a random log are ordered, repeated and split, the contents are what the
reference model makes of them, and the changelog folds to them. A failure names the seed;
DBT_CHANGELOG_SEED=.. runs the logs of that seed again, DBT_CHANGELOG_LOGS=.. has more keys.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import Any

import pytest

from tests.spark import REPO

from .changelogs import BATCHES, LOGS, SEED, reference
from .conftest import ProjectFactory
from .project import Project

sys.modules.setdefault("changelog_reference", reference)
sys.path.append(str(REPO / "tests" / "reference"))
import rows_reference  # noqa: E402

COLUMNS = ("a", "b", "c")
PLACEHOLDER = "__unavailable"
VALUES: dict[str, list[Any]] = {
    "a": [None, "x", "y", ""],
    "b": [None, 1.5, -2.25, 0.0],
    "c": [None, [], ["x"], ["x", None]],
}
EVENTS = "model string, batch int, op string, id int, a string, b double, c array<string>,"
EVENTS += " _unsent array<string>, _seq int"
CODES = {"c": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"}
TRUNCATES = CODES | {"t": "TRUNCATE"}
NOT_SENT = {"columns_not_sent": "_unsent"}
SOFT = {"soft_delete": "is_deleted"}
# model: its arguments, and whether it writes its changelog
MODELS: dict[str, tuple[dict[str, Any], bool]] = {
    "parts": ({"op_mapping": TRUNCATES, **NOT_SENT}, True),
    "soft_parts": ({"op_mapping": TRUNCATES, **NOT_SENT, **SOFT}, True),
    "nulls": ({"op_mapping": CODES, "ignore_null_updates": {"except": ["b"]}}, False),
    "soft_rows": ({"op_mapping": TRUNCATES, **SOFT}, True),
    "rows": ({"op_mapping": TRUNCATES}, True),
    "placeholder": ({"op_mapping": TRUNCATES, "unavailable_value": PLACEHOLDER}, False),
}
# a batch a day; where each run writes its state anew it forgets what is old enough, and no more
RETENTION = {"tombstone_retention": "1 day"}
FORGETTING: dict[str, tuple[dict[str, Any], bool]] = {
    "short_parts": ({"op_mapping": TRUNCATES, **NOT_SENT, **RETENTION}, False),
    "short_soft_parts": ({"op_mapping": TRUNCATES, **NOT_SENT, **SOFT, **RETENTION}, False),
    "short_rows": ({"op_mapping": TRUNCATES, **RETENTION}, False),
    "short_plain": ({"op_mapping": CODES, **RETENTION}, False),
}
MODEL = """
{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='_seq', changelog={logged},
          read={{'column': 'batch', 'strict': {strict}}}, {arguments}) }}}}
select * except ({hidden})
from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
where model = '{name}'
"""
SOURCES = """
sources:
  - name: bronze
    schema: SCHEMA
    tables: [{name: events}]
"""

# pairs of keys in thorough tests; a key is a log of its own: more than a thousand of all models
MANY = LOGS * 5 // 2


class Log:
    """Events in order of arrival, each with its batch; of a key none share a sequence."""

    def __init__(self, name: str, arguments: dict[str, Any], logged: bool, pairs: int) -> None:
        chance = Random(f"{SEED}:parts:{name}")
        self.name, self.arguments, self.logged = name, arguments, logged
        self.events: list[tuple[int, dict[str, Any]]] = []
        keys = range(1, 2 * pairs + 1)
        for key in keys:
            for sequence in chance.sample(range(100), chance.randrange(1, 9)):
                self.events.append((chance.choice(BATCHES), self.event(chance, key, sequence)))
        if "t" in self.arguments["op_mapping"]:
            for sequence in chance.sample(range(100), 3):
                event = {"op": "t", "id": None, **dict.fromkeys(COLUMNS), "_unsent": None}
                self.events.append((chance.choice(BATCHES), event | {"_seq": sequence}))
        again = chance.sample(self.events, len(self.events) // 4)
        self.events += [(chance.choice(BATCHES), event) for _, event in again]
        chance.shuffle(self.events)

    def event(self, chance: Random, key: int, sequence: int) -> dict[str, Any]:
        op = chance.choice("cuuuud")
        row = {name: chance.choice(pool) for name, pool in VALUES.items()}
        unsent = [name for name in COLUMNS if chance.random() < 0.4]
        if "unavailable_value" in self.arguments and chance.random() < 0.5:
            row |= {"a": PLACEHOLDER} | ({"c": [PLACEHOLDER]} if chance.random() < 0.5 else {})
        return {"op": op, "id": key, **row, "_unsent": unsent, "_seq": sequence}

    def rows(self, batch: int) -> list[tuple[Any, ...]]:
        return [(self.name, n, *event.values()) for n, event in self.events if n == batch]

    def changes(self, batch: int) -> list[Any]:
        """Those of a batch, with what was sent."""
        events = [event for number, event in self.events if number == batch]
        unsent = {(event["id"], event["_seq"]): event["_unsent"] or () for event in events}
        plain = [{n: v for n, v in event.items() if n != "_unsent"} for event in events]
        changes = rows_reference.decode(
            plain,
            op_mapping=self.arguments["op_mapping"],
            unique_key="id",
            sequence_by="_seq",
        )
        given: dict[str, Any] = {
            name: self.arguments[name]
            for name in ("unavailable_value", "ignore_null_updates")
            if name in self.arguments
        }
        if "columns_not_sent" in self.arguments:
            given["unsent"] = lambda change: unsent[change.row.get("id"), change.sequence]
        return rows_reference.sent(changes, unique_key="id", columns=COLUMNS, **given)

    def expected(self) -> list[Counter[Any]]:
        """The contents after each batch."""
        state = rows_reference.Rows("id", soft_delete=self.arguments.get("soft_delete"))
        found = []
        for batch in BATCHES:
            state = rows_reference.apply(self.changes(batch), state, now=day(batch)).state
            if retention := self.arguments.get("tombstone_retention"):
                # after the batch, not before the next one
                state, _ = rows_reference.forget(
                    replace(state, tombstone_retention=retention), day(batch)
                )
                state = replace(state, tombstone_retention=None)
            contents = rows_reference.contents(state)
            found.append(Counter(self.comparable(row) for row in contents))
        return found

    def comparable(self, row: dict[str, Any]) -> Any:
        names = ("id", *COLUMNS, *(["is_deleted"] if "soft_delete" in self.arguments else []))
        return reference.row_identity({name: row.get(name) for name in names})


def day(batch: int) -> datetime:
    return datetime(2026, 1, batch)


def logs_of(names: Iterable[str], pairs: int = MANY) -> list[Log]:
    models = MODELS | FORGETTING
    return [Log(name, *models[name], pairs) for name in names]


def check(new_project: ProjectFactory, home: str, logs: list[Log], logged: bool = True) -> Project:
    """The contents after each batch, and what the changelog folds to."""
    files = {
        f"models/{home}/{log.name}.sql": MODEL.format(
            name=log.name,
            logged=logged and log.logged,
            # an event that is read again after its tombstone is gone makes a row
            strict="tombstone_retention" in log.arguments,
            arguments=", ".join(f"{name}={value!r}" for name, value in log.arguments.items()),
            hidden="model, batch" + ("" if "columns_not_sent" in log.arguments else ", _unsent"),
        )
        for log in logs
    }
    project = new_project({**files, "models/sources.yml": SOURCES}, name=f"parts_{home}")
    schema = project.schema
    (project.root / "models/sources.yml").write_text(SOURCES.replace("SCHEMA", schema))
    project.spark.sql(f"create table {schema}.events ({EVENTS}) using delta")
    expected = {log.name: log.expected() for log in logs}
    place = f"ice.{schema}" if home == "iceberg" else schema
    for batch in BATCHES:
        rows = [row for log in logs for row in log.rows(batch)]
        project.spark.createDataFrame(rows, EVENTS).write.insertInto(f"{schema}.events")
        project.run("run", vars={"dbt_changelog_now": str(day(batch))})
        for log in logs:
            truth, table = expected[log.name][batch - 1], f"{place}.{log.name}"
            found = contents(project.spark.table(table), log)
            lost, more = truth - found, found - truth
            said = f"{log.name}, batch {batch}, DBT_CHANGELOG_SEED={SEED}"
            assert not lost and not more, f"{said}: lost {lost}, too many {more}"
            if logged and log.logged:
                assert folded(project.spark.table(f"{table}__changelog"), log) == truth, said
    return project


def contents(frame: Any, log: Log) -> Counter[Any]:
    return Counter(log.comparable(row.asDict()) for row in frame.collect())


def folded(frame: Any, log: Log) -> Counter[Any]:
    """What the changes leave, in the order of their batches."""
    left: Counter[Any] = Counter()
    for row in frame.collect():
        sign = 1 if row["_row_kind"] in ("INSERT", "UPDATE_AFTER") else -1
        left[log.comparable(row.asDict())] += sign
    assert min(left.values()) >= 0
    return Counter({row: count for row, count in left.items() if count})


def test_parts_of_rows_in_any_order_make_the_same_rows(new_project):
    check(new_project, "delta", logs_of(["parts", "soft_parts"], LOGS))


@pytest.mark.thorough
def test_parts_of_rows_in_any_order_make_the_same_rows_of_other_configs(new_project):
    check(new_project, "delta", logs_of(["nulls", "soft_rows", "rows", "placeholder"]))


@pytest.mark.thorough
def test_parts_of_rows_in_any_order_make_the_same_rows_on_iceberg(new_project):
    check(new_project, "iceberg", logs_of(MODELS))


@pytest.mark.thorough
def test_parts_of_rows_in_any_order_make_the_same_rows_on_parquet(new_project):
    check(new_project, "parquet", logs_of(MODELS), logged=False)


@pytest.mark.thorough
def test_parts_of_rows_whose_tombstones_are_forgotten_make_the_same_rows(new_project):
    """What is late for a tombstone that is gone makes a row, as in the reference."""
    check(new_project, "parquet", logs_of(FORGETTING), logged=False)
