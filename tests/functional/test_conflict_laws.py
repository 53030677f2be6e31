"""on_conflict against the reference model: random logs, cut into batches.

Rows of several keys are added and taken away at random, also those that are not there, several at
one sequence. Within a batch the order of the rows in the table does not matter; where the cuts are
does not matter either, as long as what comes later has a later sequence. A run again changes
nothing.

A failure names the seed and the log; DBT_CHANGELOG_SEED=.. runs all logs of that seed again.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from .changelogs import BATCHES, SEED, VALUES, Row, comparable, reference, text_of
from .test_keyless_laws import FORMS, TABLES, by_log, event, few_rows, plain, without_log

pytestmark = pytest.mark.thorough

LOGS = 1000  # of a form

KEY = ("log", "id")
COLUMNS = (*KEY, *VALUES)
# form, on_conflict, with a changelog
MODELS = {
    "last_flat": ("flat", "DEDUPLICATE", True),
    "first_flat": ("flat", "NOTHING", False),
    "last_images": ("images", "DEDUPLICATE", False),
    "first_images": ("images", "NOTHING", True),
}
MODEL = """
{{{{ config(materialized='from_changelog', unique_key=['log', 'id'], sequence_by='_seq',
          on_conflict='{on_conflict}', tie_handling='LAST', changelog={logged}, {arguments},
          counters='full', read={{'column': 'batch', 'strict': True}}) }}}}
select * except (batch) from {{{{ dbt_changelog.new_rows(source('bronze', '{form}')) }}}}
"""

Event = dict[str, Any]


class Log:
    """Its events and the batch of each. One of an odd number is the log before, cut elsewhere.

    Every third pair comes in no order at all: a batch may be older than the one before it.
    """

    def __init__(self, form: str, number: int) -> None:
        chance = Random(f"{SEED}:conflicts:{form}:{number // 2}")
        pool = list(few_rows(chance, number))
        pool += [row | {"id": 2} for row in chance.sample(pool, 2)]
        self.ordered = number // 2 % 3 > 0
        self.form, self.number = form, number
        sequences = [chance.randrange(6) for _ in range(chance.randrange(1, 16))]
        self.events: list[tuple[int, Event]] = []
        events = [event(chance, form, pool) | {"_seq": sequence} for sequence in sequences]
        if number % 2 and self.ordered:
            chance = Random(f"{SEED}:conflicts:{form}:{number}")
        cuts = sorted(chance.randrange(7) for _ in BATCHES[1:])
        for found in events:
            cut = 1 + sum(found["_seq"] >= cut for cut in cuts)
            self.events.append((cut if self.ordered else chance.choice(BATCHES), found))
        chance.shuffle(self.events)

    def rows(self, batch: int) -> list[tuple[Any, ...]]:
        return [(n, *found.values()) for n, found in self.events if n == batch]

    def apply(self, batch: int, on_conflict: str) -> tuple[Any, int]:
        """The state after a batch, and how many retractions of that batch took nothing away."""
        state, ignored = reference.State("upsert_materialize", on_conflict=on_conflict), 0
        for one in range(1, batch + 1):
            events = [plain(found) for number, found in self.events if number == one]
            changes = reference.decode(events, sequence_by="_seq", **FORMS[self.form]).changes
            changes = [reference.replace(change, row=payload(change.row)) for change in changes]
            result = reference.apply(sorted(changes, key=arrival), state, unique_key=KEY)
            state, ignored = result.state, result.counters["noops"]
        return state, ignored

    def __str__(self) -> str:
        return "\n".join(f"  batch {batch}: {found}" for batch, found in self.events)


def payload(row: Row) -> Row:
    return {name: row[name] for name in COLUMNS}


def arrival(change: Any) -> Any:
    """The order of arrival within a batch; at one sequence rows are ordered by their text."""
    notes = change.row["notes"]
    row = change.row | {"notes": dict(sorted(notes.items())) if notes else notes}
    return change.sequence, reference.RANK[change.kind], text_of(row)


class Laws:
    def __init__(self, project: Any) -> None:
        self.logs = {form: [Log(form, n) for n in range(LOGS)] for form in FORMS}
        self.found: dict[tuple[str, int], dict[int, Counter[Any]]] = {}
        self.folded: dict[tuple[str, int], dict[int, Counter[Any]]] = {}
        self.counters: dict[tuple[str, int], Any] = {}
        for batch in BATCHES:
            for form, logs in self.logs.items():
                rows = [row for log in logs for row in log.rows(batch)]
                project.table(form, rows, f"{TABLES[form]}, _seq int" if batch == 1 else None)
            project.run("run")
            for name, (_, _, logged) in MODELS.items():
                self.found[name, batch] = by_log(project, name, bag)
                if logged:
                    self.folded[name, batch] = by_log(project, f"{name}__changelog", fold)
        again = project.run("run")
        assert all("nothing new" in again.nodes[name].message for name in MODELS)
        for row in project.sql("select * from dbt_changelog_batches"):
            self.counters[row.uid.rpartition(".")[2], row.batch_id] = row


def bag(rows: list[Row]) -> Counter[Any]:
    return Counter(map(comparable, rows))


def fold(rows: list[Row]) -> Counter[Any]:
    """What a changelog leaves of each key; its kinds must fit what was there."""
    found: dict[Any, Any] = {}
    rank = reference.RANK
    order = sorted(rows, key=lambda r: (r["_batch_id"], r["_sequence"], rank[r["_row_kind"]]))
    for row in order:
        key, there = row["id"], comparable(payload(row))
        if row["_row_kind"] in ("UPDATE_BEFORE", "DELETE"):
            assert found.pop(key) == there, row
        else:
            assert key not in found, row
            found[key] = there
    return Counter(found.values())


@pytest.fixture(scope="module")
def laws(new_project, home):
    print(f"DBT_CHANGELOG_SEED={SEED}")
    files = {}
    for name, (form, on_conflict, logged) in MODELS.items():
        arguments = ", ".join(f"{argument}={value!r}" for argument, value in FORMS[form].items())
        files[f"models/{name}.sql"] = MODEL.format(
            form=form, on_conflict=on_conflict, logged=logged, arguments=arguments
        )
    files["models/sources.yml"] = f"""
    sources:
      - name: bronze
        schema: "{{{{ target.schema }}}}"
        tables: [{", ".join(f"{{name: {form}}}" for form in FORMS)}]
    """
    return Laws(new_project(files, name="conflict_laws", threads=2, home=home))


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("name", MODELS)
def test_contents_and_changelog_after_each_batch(laws, name, batch):
    form, on_conflict, logged = MODELS[name]
    held, ignored = 0, 0
    for log in laws.logs[form]:
        state, of_batch = log.apply(batch, on_conflict)
        expected = Counter(map(comparable, reference.contents(state)))
        sides = [laws.found[name, batch]] + ([laws.folded[name, batch]] if logged else [])
        for found in sides:
            assert found.get(log.number, Counter()) == expected, (
                f"log {log.number} of {form}, DBT_CHANGELOG_SEED={SEED}\n{log}"
            )
        held += sum(max(len(rows) - 1, 0) for rows in state.entries.values())
        ignored += of_batch
    counters = laws.counters[name, batch]
    assert counters.rows_hidden == held > 0
    # the batch that makes the state has nothing to be counted beside
    assert counters.events_ignored == (ignored if batch > 1 else None)


@pytest.mark.parametrize("name", MODELS)
def test_cuts_do_not_matter(laws, name):
    logs, found = laws.logs[MODELS[name][0]], laws.found[name, BATCHES[-1]]
    for log, other in zip(logs[::2], logs[1::2], strict=True):
        if log.ordered:
            sides = [without_log(found.get(one.number)) for one in (log, other)]
            assert sides[0] == sides[1], f"DBT_CHANGELOG_SEED={SEED}\n{other}"
