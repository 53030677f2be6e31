"""Models with a watermark against the reference model: random logs, with runs that fail anywhere.

However a run ends, and however events were split into runs, the contents after a batch are what the
reference model makes of the same batches. A failure names the seed; DBT_CHANGELOG_SEED=.. runs it
again.
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from .changelogs import SEED, reference
from .conftest import ProjectFactory
from .project import Project

NOON = datetime(2024, 1, 1, 12)
ROUNDS = 4
DELAY = timedelta(minutes=10)
KEYED = {"unique_key": "id", "read": {"column": "seen", "lookback": 1}, "passthrough": "seen"}
# without a key each event counts, so none may be read twice
MODELS: dict[str, dict[str, Any]] = {
    "rows": KEYED,
    "rows_logged": {**KEYED, "changelog": True},
    "bag": {"read": {"column": "seen", "strict": True}, "changelog": True},
    "history": {**KEYED, "stored_as_scd_type": 2, "changelog": True},
}
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
MODEL = """
{{{{ config(materialized='from_changelog', sequence_by='_event_time', watermark='10 minutes',
    {config}) }}}}
select {columns}, id, name, event_time as _event_time
from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
"""
KEYLESS = "if(op = 'UPDATE_AFTER', 'INSERT', op) as op"
COLUMNS = "op string, id int, name string, event_time timestamp, seen int"
STAGED = ("append changelog", "write state")
COMMITTED = ("commit batch", "count rows", "contents view")
STEPS = ("buffer events", "count waiting events", "stage changes", *STAGED, *COMMITTED)

Event = dict[str, Any]


class Expected:
    """What the reference model has of one model, and what was read and is not committed."""

    def __init__(self, name: str) -> None:
        self.name, self.has_batch = name, False
        self.waiting = reference.Watermark(DELAY)
        self.read: list[Event] = []
        self.begun: list[Event] | None = None
        kernel = {"bag": "multiset", "history": "versions"}.get(name, "last_write_wins")
        self.state = reference.State(kernel)

    def ended(self, events: list[Event], failed_after: str | None) -> None:
        """A run read these events, too, and ended, or failed after a step."""
        if self.begun is not None:
            self._commit(self.begun)
        self.begun = None
        self.read += events
        creates = not self.has_batch and failed_after == "write state"
        if failed_after is None or failed_after in COMMITTED or creates:
            self._commit(self.read)
        elif failed_after in STAGED and self.name != "rows":
            self.begun = self.read
        else:
            return
        self.read = []

    def _commit(self, events: list[Event]) -> None:
        self.has_batch = True
        due, self.waiting = reference.advance(
            self.waiting, events, lambda event: event["_event_time"]
        )
        self._apply(due)

    def flush(self) -> None:
        self._apply(list(self.waiting.buffer))

    def _apply(self, due: list[Event]) -> None:
        keys = {} if self.name == "bag" else {"unique_key": "id"}
        if self.name == "bag":
            due = [e | {"op": e["op"].replace("UPDATE_AFTER", "INSERT")} for e in due]
        changes = reference.decode(due, sequence_by="_event_time", **keys).changes
        self.state = reference.apply(changes, self.state, **keys).state

    def contents(self) -> Counter[Any]:
        return Counter(map(reference.row_identity, reference.contents(self.state)))


def arriving(chance: Random, run: int) -> list[Event]:
    """Events of a few keys whose times are up to half an hour apart, some of them long ago."""
    events = []
    for _ in range(chance.randrange(0, 9)):
        late = chance.choice([0, 0, 0, 5, 12, 25])
        time = NOON + timedelta(minutes=8 * run - late, microseconds=chance.randrange(10**9))
        kind = chance.choice(["INSERT", "UPDATE_AFTER", "UPDATE_AFTER", "DELETE"])
        name = chance.choice(["ada", "eve", None])
        events.append({"op": kind, "id": chance.randrange(3), "name": name, "_event_time": time})
    return events


def found(project: Project, name: str) -> Counter[Any]:
    columns = "id, name" + (", valid_from, valid_to" if name == "history" else "")
    rows = project.sql(f"select {columns} from {name}")
    return Counter(reference.row_identity(row.asDict()) for row in rows)


def check_changelog(project: Project, name: str) -> None:
    """It folds to the contents; with a key a batch has one change of it, or both of an update."""
    key = ("id", "valid_from") if name == "history" else ("id",)
    rows = project.sql(f"select * from {name}__changelog order by _batch_id, _sequence, _ordinal")
    changes = [row.asDict() for row in rows]
    if name == "bag":
        weights: Counter[Any] = Counter()
        for change in changes:
            live = change["_row_kind"] in ("INSERT", "UPDATE_AFTER")
            weights[change["id"], change["name"]] += 1 if live else -1
        shown = project.sql("select id, name, count(*) from bag group by all")
        assert +weights == Counter({(row[0], row[1]): row[2] for row in shown}), name
        return
    kinds: dict[Any, list[str]] = {}
    left: dict[Any, Any] = {}
    for change in changes:
        place = tuple(change[column] for column in key)
        kinds.setdefault((change["_batch_id"], place), []).append(change["_row_kind"])
        if change["_row_kind"] in ("INSERT", "UPDATE_AFTER"):
            left[place] = change["name"]
        else:
            left.pop(place, None)
    shown = project.sql(f"select {', '.join(key)}, name from {name}")
    assert left == {tuple(row[:-1]): row[-1] for row in shown}, name
    several = {place: of for place, of in kinds.items() if len(of) > 1}
    assert all(of == ["UPDATE_BEFORE", "UPDATE_AFTER"] for of in several.values()), several


def laws(new_project: ProjectFactory, home: str, number: int) -> None:
    print(f"seed {SEED}, log {number}")
    chance = Random(f"{SEED}:watermark:{number}")
    files = {"models/sources.yml": SOURCES}
    for name, config in MODELS.items():
        settings = ", ".join(f"{option}={value!r}" for option, value in config.items())
        columns = KEYLESS if name == "bag" else "op, seen"
        files[f"models/{name}.sql"] = MODEL.format(config=settings, columns=columns)
    project = new_project(files, f"watermark_laws_{number}", home=home)
    expected = {name: Expected(name) for name in MODELS}
    for run in range(1, 2 * ROUNDS + 1):
        step = chance.choice(STEPS) if run % 2 else None
        events = arriving(chance, run)
        rows = [(*event.values(), run) for event in events]
        project.table("events", rows, COLUMNS if run == 1 else None)
        given = {"dbt_changelog_fail_after": step} if step else None
        nodes = project.run("run", vars=given, expect_failure=None if step else False).nodes
        for name, model in expected.items():
            failed = nodes[name].status != "success"
            assert not failed or "Failed on purpose" in (nodes[name].message or "")
            model.ended(events, step if failed else None)
        for name, model in expected.items() if run % 2 == 0 else ():
            assert found(project, name) == model.contents(), f"{name} after run {run}"
            if name != "rows":
                check_changelog(project, name)
    project.run("run", vars={"dbt_changelog_flush": True})
    for name, model in expected.items():
        model.flush()
        assert found(project, name) == model.contents(), f"{name} after the flush"


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize("place", ["delta", "iceberg"])
def test_runs_that_fail_anywhere_lose_nothing_that_waits(new_project, place, number):
    laws(new_project, place, number)
