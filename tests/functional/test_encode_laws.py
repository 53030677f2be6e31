"""Laws 1 and 2 (docs/concepts/laws.md) for random changelogs and tables: encode, and back; diff,
and applied.

Hundreds of logs go through each macro call at once, as in test_laws: a failure names the seed and
the log. The changelogs are those of its shapes `kinds`, with and without their UPDATE_BEFORE.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from . import changelogs
from .changelogs import AFTER, COLUMNS, HEAD, KEY, LOGS, SEED, Log, Row, Shape, comparable
from .changelogs import reference as ref

SHAPES = {"keyed": Shape("kinds", "kinds"), "ties": Shape("kinds_ties", "kinds", ties=True)}
CHANGELOG = """
select op as _row_kind, SEQUENCE as _sequence, int(op = 'UPDATE_AFTER') as _ordinal,
  COLUMNS
from {{ source('bronze', 'flat_events') }}
where shape = 'SHAPE'
""".replace("COLUMNS", ", ".join(COLUMNS))

APART_BY = 1_000_000

PAIR = {"INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u", "DELETE": "d"}
UPSERT = {"INSERT": "c", "UPDATE_AFTER": "u", "DELETE": "d"}
FLAG = {"INSERT, UPDATE_AFTER": "false", "DELETE": "true"}
APART = {"INSERT": "+", "UPDATE_AFTER": "+", "UPDATE_BEFORE": "-", "DELETE": "-"}
BOTH = {"before": "before", "after": "after"}
ONE = {"before": "row", "after": "row"}
# nothing was before the logs: so the reference model sees them
KEYED = {"unique_key": list(KEY), "state_ttl": "0"}
MIDDLE = {"unique_key": list(KEY)}
LAST = {**KEYED, "tie_handling": "LAST"}

# call: (changelogs, arguments of encode, op_mapping of decode)
CALLS: dict[str, tuple[str, dict[str, Any], dict[str, str]]] = {
    "flat": ("keyed", KEYED, {}),
    "flat_upsert": ("keyed", {**KEYED, "op_mapping": UPSERT}, {}),
    "flat_flag": ("keyed", {**KEYED, "op_mapping": FLAG}, {"false": "UPDATE_AFTER"}),
    "flat_key_only": ("keyed", {**KEYED, "op_mapping": UPSERT, "produces_full_deletes": False}, {}),
    "pairs": ("keyed", {**KEYED, "op_mapping": PAIR, **BOTH}, {}),
    "pairs_upsert": ("keyed", {**KEYED, "op_mapping": UPSERT, **BOTH}, {}),
    "pairs_hour": ("keyed", {**KEYED, "op_mapping": PAIR, "state_ttl": "1 hour", **BOTH}, {}),
    "pairs_key_only": (
        "keyed",
        {**KEYED, "op_mapping": PAIR, "produces_full_deletes": False, **BOTH},
        {},
    ),
    "one_image": ("keyed", {**KEYED, "op_mapping": UPSERT, **ONE}, {}),
    "apart": ("keyed", {**KEYED, "op_mapping": APART, **BOTH}, {"+": "INSERT", "-": "DELETE"}),
    "middle_flat": ("keyed", {**MIDDLE, "op_mapping": UPSERT}, {}),
    "middle_pairs": ("keyed", {**MIDDLE, "op_mapping": PAIR, **BOTH}, {}),
    "middle_ties": ("ties", {**MIDDLE, "tie_handling": "LAST", "op_mapping": PAIR, **BOTH}, {}),
    "ties_flat": ("ties", LAST, {}),
    "ties_pairs": ("ties", {**LAST, "op_mapping": PAIR, **BOTH}, {}),
    "no_key_flat": ("keyed", {}, {}),
    "no_key_pairs": ("keyed", {"op_mapping": PAIR, **BOTH}, {}),
    "no_key_apart": ("keyed", {"op_mapping": APART, **BOTH}, {"+": "INSERT", "-": "DELETE"}),
    "no_key_ties": ("ties", {"op_mapping": PAIR, **BOTH}, {}),
}
KEYED_CALLS = [name for name in CALLS if not name.startswith("no_key")]
# where the reference model writes the same events; it takes a log for whole
COMPARED = [name for name in CALLS if CALLS[name][0] == "keyed" and not name.startswith("middle")]
NO_KEY_CALLS = [name for name in CALLS if name.startswith("no_key")]


def arguments(given: dict[str, Any]) -> str:
    return "".join(f", {name}={value!r}" for name, value in given.items())


def decoding(name: str) -> dict[str, Any]:
    """The arguments of from_changelog that read what a call wrote."""
    _, given, kinds = CALLS[name]
    mapping = {code: kind for kind, code in given.get("op_mapping", {}).items()} | kinds
    back = {n: given[n] for n in ("unique_key", "tie_handling", "before", "after") if n in given}
    return back | ({"op_mapping": mapping} if mapping else {})


def models(name: str) -> tuple[str, str]:
    shape, given, _ = CALLS[name]
    order = "['_sequence', '_ordinal']"
    # without a key a pair is what is alone at its sequence, so logs must not meet there
    sequence = "_seq" if "unique_key" in given else f"log * {APART_BY} + _seq"
    changelog = CHANGELOG.replace("SHAPE", SHAPES[shape].name).replace("SEQUENCE", sequence)
    return (
        f"""
with changes as ({changelog})
{{{{ dbt_changelog.to_changelog('changes'{arguments(given)}) }}}}
""",
        f"""
{{{{ dbt_changelog.from_changelog(ref('encoded_{name}'), sequence_by={order}
   {arguments(decoding(name))}) }}}}
""",
    )


class Project:
    def __init__(self, new_project: Any, home: str) -> None:
        self.logs = {name: changelogs.logs_of(shape) for name, shape in SHAPES.items()}
        self.tables = [random_tables(number) for number in range(2 * LOGS)]
        files = {"models/sources.yml": SOURCES}
        for name in CALLS:
            encoded, decoded = models(name)
            files[f"models/encoded_{name}.sql"] = encoded
            files[f"models/decoded_{name}.sql"] = decoded
        for name, key in (("keyed", list(KEY)), ("bags", None)):
            files[f"models/diff_{name}.sql"] = DIFF.format(name=name, key=key)
            files[f"models/same_{name}.sql"] = SAME.format(name=name, key=key)
        self.project = new_project(files, name="encode_laws", threads=2, home=home)
        rows = [row for logs in self.logs.values() for log in logs for row in log.rows(1)]
        rows += [row for logs in self.logs.values() for log in logs for row in log.rows(2)]
        rows += [row for logs in self.logs.values() for log in logs for row in log.rows(3)]
        self.project.table("flat_events", rows, f"{HEAD}, {AFTER}")
        for side, place in (("before", 0), ("after", 1)):
            for name, unique in (("keyed", True), ("bags", False)):
                of_side = [row for tables in self.tables for row in tables[place]]
                kept = with_one_row_a_key(of_side) if unique else of_side
                values = [tuple(row[column] for column in COLUMNS) for row in kept]
                self.project.table(f"{name}_{side}", values, AFTER)
        self.project.run("run")

    def rows(self, name: str) -> list[Row]:
        return [row.asDict(recursive=True) for row in self.project.sql(f"select * from {name}")]


SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables:
      - {name: flat_events}
      - {name: keyed_before}
      - {name: keyed_after}
      - {name: bags_before}
      - {name: bags_after}
"""
DIFF = """
{{{{ dbt_changelog.diff_tables(source('bronze', '{name}_before'), source('bronze', '{name}_after'),
    unique_key={key!r}, sequence='7') }}}}
"""
SAME = DIFF.replace("_before", "_after")


def random_tables(number: int) -> tuple[list[Row], list[Row]]:
    """A table, and what became of it; rows may be there several times, in any order."""
    chance = Random(f"{SEED}:tables:{number}")
    before = [
        changelogs.random_row(chance, number, chance.randrange(1, 4))
        for _ in range(chance.randrange(4))
    ]
    after = [row for row in before if chance.random() < 0.8]
    after += [changelogs.changed(chance, row, row["id"]) for row in before if chance.random() < 0.5]
    after += [changelogs.random_row(chance, number, 4) for _ in range(chance.randrange(3))]
    turned = [changelogs.with_map_turned(row) for row in after]
    chance.shuffle(turned)
    return before, turned


def with_one_row_a_key(rows: list[Row]) -> list[Row]:
    return list({(row["log"], row["id"]): row for row in rows}.values())


@pytest.fixture(scope="module")
def laws(new_project, home):
    print(f"DBT_CHANGELOG_SEED={SEED}")
    return Project(new_project, home)


def changes_of(log: Log) -> list[Any]:
    """The changelog of a log, as the model reads it."""
    return [
        ref.Change(
            event["op"],
            {name: event[name] for name in COLUMNS},
            event["_seq"],
            int(event["op"] == "UPDATE_AFTER"),
        )
        for event in log.events
    ]


def whole(name: str, log: Log) -> list[Any]:
    """What encode gets to write: with a key the changes that are none are gone."""
    _, given, _ = CALLS[name]
    changes = changes_of(log)
    if "unique_key" not in given:
        apart = APART_BY * log.number
        changes = [replace(change, sequence=apart + change.sequence) for change in changes]
        return sorted(changes, key=lambda change: (change.sequence, change.ordinal))
    ties, ttl = given.get("tie_handling", "FAIL"), given.get("state_ttl", "0")
    return ref.normalize(changes, KEY, tie_handling=ties, state_ttl=ttl).changes


def event_text(event: Row) -> Any:
    """An event as something to compare; images are rows."""
    return tuple(
        sorted(
            (name, comparable(value) if isinstance(value, dict) and "id" in value
             else comparable({name: value}))
            for name, value in event.items()
        )
    )  # fmt: skip


def check(name: str, logs: list[Log], found: dict[int, Counter[Any]], expected_of: Any) -> None:
    wrong = [
        (len(log.events), log)
        for log in logs
        if Counter(expected_of(log)) != found.get(log.number, Counter())
    ]
    if wrong:
        log = min(wrong, key=lambda item: item[0])[1]
        expected, got = Counter(expected_of(log)), found.get(log.number, Counter())
        pytest.fail(
            f"{len(wrong)} of {len(logs)} logs differ in {name}, seed {SEED}, log {log.number}\n"
            f"arguments: {CALLS[name][1]}\nevents:\n{log}\n"
            f"only expected: {expected - got}\nonly found: {got - expected}",
            pytrace=False,
        )


@pytest.mark.parametrize("name", COMPARED)
def test_encoded_events(laws, name):
    shape, given, _ = CALLS[name]
    known = {n: value for n, value in given.items() if n not in ("tie_handling", "state_ttl")}
    found: dict[int, Counter[Any]] = defaultdict(Counter)
    for event in laws.rows(f"encoded_{name}"):
        image = event.get("before") or event.get("after") or event.get("row") or event
        found[image["log"]][event_text(event)] += 1
    logs = laws.logs[shape]
    if "unique_key" not in given:
        # what comes twice without a key is two changes: which half is whose then is not said
        logs = logs[::2]
    check(
        name,
        logs,
        found,
        lambda log: map(event_text, ref.encode(whole(name, log), **known)),
    )


@pytest.mark.parametrize("name", KEYED_CALLS)
def test_law_1_with_a_key(laws, name):
    shape, given, _ = CALLS[name]
    found: dict[int, Counter[Any]] = defaultdict(Counter)
    last: dict[Any, Row] = {}
    for row in laws.rows(f"decoded_{name}"):
        key = (row["log"], row["id"])
        order = (*row["_sequence"].values(), row["_ordinal"])
        if key not in last or order > last[key]["order"]:
            last[key] = {"order": order, "row": row}
    for entry in last.values():
        row = entry["row"]
        if row["_row_kind"] in ref.UPSERTS:
            found[row["log"]][comparable({column: row[column] for column in COLUMNS})] += 1
    ties = given.get("tie_handling", "FAIL")

    def contents(log: Log) -> Any:
        state = ref.State("last_write_wins")
        result = ref.apply(changes_of(log), state, unique_key=KEY, tie_handling=ties)
        return map(comparable, ref.contents(result.state))

    check(name, laws.logs[shape], found, contents)


def weights(changes: Any) -> Counter[Any]:
    rows: Counter[Any] = Counter()
    for kind, row in changes:
        rows[comparable({name: row[name] for name in COLUMNS})] += 1 if kind in ref.UPSERTS else -1
    return Counter({row: count for row, count in rows.items() if count})


@pytest.mark.parametrize("name", NO_KEY_CALLS)
def test_law_1_without_a_key(laws, name):
    decoded: dict[int, list[Any]] = defaultdict(list)
    for row in laws.rows(f"decoded_{name}"):
        decoded[row["log"]].append((row["_row_kind"], row))
    for log in laws.logs[CALLS[name][0]]:
        expected = weights((change.kind, change.row) for change in changes_of(log))
        assert weights(decoded[log.number]) == expected, f"seed {SEED}, log {log.number}\n{log}"


@pytest.mark.parametrize("kind", ["keyed", "bags"])
def test_law_2(laws, kind):
    key = KEY if kind == "keyed" else None
    found: dict[int, list[Any]] = defaultdict(list)
    for row in laws.rows(f"diff_{kind}"):
        found[row["log"]].append(row)
    changed = 0
    for number, tables in enumerate(laws.tables):
        before, after = map(with_one_row_a_key, tables) if key else tables
        expected = Counter(
            (change.kind, 7, change.ordinal, comparable(change.row))
            for change in ref.diff(before, after, key, sequence=7)
        )
        got = Counter(
            (row["_row_kind"], row["_sequence"], row["_ordinal"],
             comparable({name: row[name] for name in COLUMNS}))
            for row in found[number]
        )  # fmt: skip
        assert got == expected, f"seed {SEED}, tables {number}: {before} -> {after}"
        steps = [("INSERT", row) for row in before]
        steps += [(row["_row_kind"], row) for row in found[number]]
        assert weights(steps) == weights([("INSERT", row) for row in after])
        changed += bool(expected)
    assert 0 < changed < len(laws.tables)


@pytest.mark.parametrize("kind", ["keyed", "bags"])
def test_a_table_does_not_differ_from_itself(laws, kind):
    assert laws.rows(f"same_{kind}") == []
