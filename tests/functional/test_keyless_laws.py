"""Law 3 (docs/concepts/laws.md) without a key: however the events of a random log are ordered and
split, the contents are what the reference model makes of them. Each event counts, so none is
repeated.

A failure names the seed and the log; DBT_CHANGELOG_SEED=.. runs all logs of that seed again.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from .changelogs import (
    AFTER,
    BATCHES,
    LOGS,
    SEED,
    VALUES,
    Row,
    comparable,
    fold,
    reference,
    with_map_turned,
)

COLUMNS = ("log", "id", *VALUES)
SIGNS = {"+I": "INSERT", "-U": "UPDATE_BEFORE", "+U": "UPDATE_AFTER", "-D": "DELETE"}
CODES = {"c": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"}
IMAGES = {"before": "before", "after": "after"}
FORMS: dict[str, dict[str, Any]] = {
    "flat": {"op_mapping": SIGNS},
    "images": {"op_mapping": CODES, **IMAGES},
}
TABLES = {
    "flat": f"batch int, op string, {AFTER}",
    "images": f"batch int, op string, before struct<{AFTER}>, after struct<{AFTER}>",
}
MODELS = {
    "flat_rows": ("flat", False),
    "flat_rows_logged": ("flat", True),
    "image_rows": ("images", False),
    "image_rows_logged": ("images", True),
}
MODEL = """
{{{{ config(materialized='from_changelog', changelog={logged}, {arguments},
          read={{'column': 'batch', 'strict': True}}) }}}}
select * except (batch) from {{{{ dbt_changelog.new_rows(source('bronze', '{form}')) }}}}
"""

Event = dict[str, Any]


class Log:
    """Its events and the batch of each. Of an odd number it is the log before, disturbed."""

    def __init__(self, form: str, number: int) -> None:
        chance = Random(f"{SEED}:keyless:{form}:{number // 2}")
        rows = list(few_rows(chance, number))
        events = [event(chance, form, rows) for _ in range(chance.randrange(1, 14))]
        batches = sorted(chance.choice(BATCHES) for _ in events)
        if number % 2:
            chance.shuffle(events)
            chance.shuffle(batches)
        self.form, self.number = form, number
        self.events = list(zip(batches, events, strict=True))

    def rows(self, batch: int) -> list[tuple[Any, ...]]:
        return [(n, *found.values()) for n, found in self.events if n == batch]

    def contents(self, batch: int) -> Counter[Any]:
        until = [plain(found) for number, found in self.events if number <= batch]
        changes = reference.decode(until, **FORMS[self.form]).changes
        state = reference.apply(changes, reference.State("multiset")).state
        return Counter(map(comparable, reference.contents(state)))

    def __str__(self) -> str:
        return "\n".join(f"  batch {batch}: {found}" for batch, found in self.events)


def few_rows(chance: Random, log: int) -> Any:
    """Rows that differ in one column, so that they are met often and mixed up easily."""
    row = {"log": log, "id": 1} | {name: chance.choice(pool) for name, pool in VALUES.items()}
    yield row
    for name in chance.sample(list(VALUES), 2):
        yield row | {name: chance.choice(VALUES[name])}


def event(chance: Random, form: str, rows: list[Row]) -> Event:
    old, new = (written(chance, chance.choice(rows)) for _ in range(2))
    if form == "flat":
        return {"op": chance.choice(list(SIGNS)), **new}
    code = chance.choice(list(CODES))
    return {
        "op": code,
        "before": None if code == "c" else old,
        "after": None if code == "d" else new,
    }


def written(chance: Random, row: Row) -> Row:
    """The same row in one of its spellings."""
    row = with_map_turned(row) if chance.random() < 0.5 else row
    return row | {"amount": -row["amount"]} if row["amount"] == 0 else row


def plain(found: Any) -> Any:
    """An event as the reference model gets it: it tells -0.0 from 0.0, Spark does not."""
    if not isinstance(found, dict):
        return found
    plain_zero = {"amount": 0.0} if found.get("amount") == 0 else {}
    return {name: plain(value) for name, value in found.items()} | plain_zero


class Laws:
    def __init__(self, project: Any) -> None:
        self.logs = {form: [Log(form, n) for n in range(2 * LOGS)] for form in FORMS}
        self.found: dict[tuple[str, int], dict[int, Counter[Any]]] = {}
        self.folded: dict[tuple[str, int], dict[int, Counter[Any]]] = {}
        for batch in BATCHES:
            for form, logs in self.logs.items():
                rows = [row for log in logs for row in log.rows(batch)]
                project.table(form, rows, TABLES[form] if batch == 1 else None)
            project.run("run")
            for name, (_, logged) in MODELS.items():
                self.found[name, batch] = by_log(project, name, bag)
                if logged:
                    self.folded[name, batch] = by_log(project, f"{name}__changelog", weigh)


def by_log(project: Any, table: str, count: Any) -> dict[int, Counter[Any]]:
    rows: dict[int, list[Row]] = {}
    for row in project.sql(f"select * from {table}"):
        values = row.asDict(recursive=True)
        rows.setdefault(values["log"], []).append(values)
    return {log: count(of_log) for log, of_log in rows.items()}


def bag(rows: list[Row]) -> Counter[Any]:
    return Counter(map(comparable, rows))


def weigh(rows: list[Row]) -> Counter[Any]:
    """What a changelog folds to; a row below zero waits."""
    changes = [
        reference.Change(row["_row_kind"], {name: row[name] for name in COLUMNS}) for row in rows
    ]
    return +fold(changes)


@pytest.fixture(scope="module")
def laws(new_project, home):
    print(f"DBT_CHANGELOG_SEED={SEED}")
    files = {}
    for name, (form, logged) in MODELS.items():
        arguments = ", ".join(f"{argument}={value!r}" for argument, value in FORMS[form].items())
        files[f"models/{name}.sql"] = MODEL.format(form=form, logged=logged, arguments=arguments)
    tables = ", ".join(f"{{name: {form}}}" for form in FORMS)
    files["models/sources.yml"] = f"""
    sources:
      - name: bronze
        schema: "{{{{ target.schema }}}}"
        tables: [{tables}]
    """
    return Laws(new_project(files, name="keyless_laws", threads=2, home=home))


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("name", MODELS)
def test_contents_and_changelog_after_each_batch(laws, name, batch):
    form, logged = MODELS[name]
    sides = [laws.found[name, batch]] + ([laws.folded[name, batch]] if logged else [])
    for log in laws.logs[form]:
        expected = log.contents(batch)
        for found in sides:
            assert found.get(log.number, Counter()) == expected, (
                f"log {log.number} of {form}, DBT_CHANGELOG_SEED={SEED}\n{log}"
            )


@pytest.mark.parametrize("name", MODELS)
def test_order_and_splits_do_not_matter(laws, name):
    logs, found = laws.logs[MODELS[name][0]], laws.found[name, BATCHES[-1]]
    assert any(count > 1 for rows in found.values() for count in rows.values())
    for log, disturbed in zip(logs[::2], logs[1::2], strict=True):
        sides = [without_log(found.get(other.number)) for other in (log, disturbed)]
        assert sides[0] == sides[1], f"DBT_CHANGELOG_SEED={SEED}\n{disturbed}"


def without_log(rows: Counter[Any] | None) -> Counter[Any]:
    counted: Counter[Any] = Counter()
    for row, count in (rows or Counter()).items():
        counted[frozenset(item for item in row if item[0] != "log")] += count
    return counted
