"""Random changelogs, and what the reference model makes of them.

A shape is a way of writing change events down. Each of its logs comes twice, under two numbers: as
it happened, in one batch; and shuffled, repeated and split into three. The number is the column
`log` of the key, so one model has hundreds of them. A log depends on the seed, its shape and its
number only: it can be made again alone.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from random import Random
from types import ModuleType
from typing import Any

from tests.spark import REPO

SEED = int(os.environ.get("DBT_CHANGELOG_SEED", "20261121"))
LOGS = int(os.environ.get("DBT_CHANGELOG_LOGS", "40"))
# 'SHAPE:NUMBER': only that log of that shape
ONLY = os.environ.get("DBT_CHANGELOG_LOG", "")
BATCHES = (1, 2, 3)

Event = dict[str, Any]
Row = dict[str, Any]

KEY = ("log", "id")
VALUES: dict[str, list[Any]] = {
    "name": [None, "", "ada", "Ada", 'a "b"\\', "żółw"],
    "amount": [None, 0.0, -0.0, 1.5, -2.25, math.nan, math.inf],
    "price": [None, Decimal("0"), Decimal("1.1"), Decimal("1.10"), Decimal("-3.05")],
    "tags": [None, [], ["x"], ["x", None], [None, "x"]],
    "place": [
        None,
        {"city": None, "spot": None},
        {"city": "Oslo", "spot": {"x": None}},
        {"city": "Oslo", "spot": {"x": 1}},
    ],
    "notes": [None, {}, {"a": 1, "b": 2}, {"a": None, "b": 2}, {"a": 1, "b": None}],
    "seen": [None, datetime(2026, 1, 2, 3, 4, 5), datetime(2026, 1, 2, 3, 4, 5, 1)],
}
COLUMNS = (*KEY, *VALUES)
PAYLOAD = """log int, id int, name string, amount double, price decimal({price}),
    tags array<string>, place struct<city: string, spot: struct<x: int>>, notes map<string, int>,
    seen timestamp"""
AFTER = PAYLOAD.format(price="12, 4")
# the images of a source need not have one type
BEFORE = PAYLOAD.format(price="9, 2")
HEAD = "shape string, batch int, op string, _seq int, _minor int"
TABLES = {
    "flat_events": f"{HEAD}, {AFTER}",
    "image_events": f"{HEAD}, at int, log int, id int, before struct<{BEFORE}>,"
    f" after struct<{AFTER}>",
}


@dataclass(frozen=True)
class Shape:
    """form: how an event is written. ties: sequences collide, and the events are no true history.

    loose: with what a model understands and the macro, which knows no columns, does not: before
    images of changed columns only, keys of deletes at the top level.
    """

    name: str
    form: str
    ties: bool = False
    loose: bool = False

    @property
    def has_images(self) -> bool:
        return self.form in ("images", "after", "one_image")

    @property
    def table(self) -> str:
        return "image_events" if self.has_images else "flat_events"

    def query(self, source: str) -> str:
        columns = "at, log, id, before, after" if self.has_images else ", ".join(COLUMNS)
        op = "op = 'd' as op" if self.form == "flag" else "op"
        sequence = ", ".join(sequence_of(self))
        return f"select {op}, {sequence}, {columns} from {source} where shape = '{self.name}'"


@dataclass
class Log:
    """events: as Spark gets them. read_as: the same as the reference model gets them."""

    shape: Shape
    number: int
    events: list[Event] = field(default_factory=list)
    read_as: list[Event] = field(default_factory=list)
    batches: list[int] = field(default_factory=list)

    def until(self, batch: int) -> list[Event]:
        pairs = zip(self.read_as, self.batches, strict=True)
        return [event for event, number in pairs if number <= batch]

    def rows(self, batch: int) -> list[tuple[Any, ...]]:
        """The events that arrive with a batch, as rows of the shape's table."""
        columns = ("at", "log", "id", "before", "after") if self.shape.has_images else COLUMNS
        return [
            (self.shape.name, batch, *(event.get(name) for name in ("op", "_seq", "_minor")))
            + tuple(event.get(name) for name in columns)
            for event, number in zip(self.events, self.batches, strict=True)
            if number == batch
        ]

    def __str__(self) -> str:
        events = (
            f"  batch {batch}: {event}"
            for event, batch in zip(self.events, self.batches, strict=True)
        )
        return "\n".join(events)


def logs_of(shape: Shape) -> list[Log]:
    only, _, number = ONLY.partition(":")
    if ONLY and only != shape.name:
        return []
    numbers = [int(number)] if ONLY else range(2 * LOGS)
    return [make_log(shape, number) for number in numbers]


def make_log(shape: Shape, number: int) -> Log:
    """Even numbers: as it happened. The odd number after one: the same, disturbed."""
    chance = Random(f"{SEED}:{shape.name}:{number // 2}")
    steps = (random_steps if shape.ties else true_steps)(chance, number)
    events = [event for step in steps for event in written(chance, shape, *step)]
    if shape.form in ("codes", "images"):
        events += [stranger(shape, number) for _ in range(chance.randrange(2))]
    log = Log(shape, number)
    if number % 2:
        events = events + [again(chance, shape, event) for event in events if chance.random() < 0.3]
        chance.shuffle(events)
    for event in events:
        log.batches.append(chance.choice(BATCHES) if number % 2 else 1)
        log.events.append(event)
        log.read_as.append(with_whole_key(event))
    return log


# --- what happens --------------------------------------------------------------------------------

Step = tuple[str, "Row | None", "Row | None", int]


def true_steps(chance: Random, log: int) -> Iterable[Step]:
    """(code, row before, row after, sequence) of a table that is written to, keys and all."""
    table: dict[int, Row] = {}
    sequence = chance.choice([-3, 0, 7])
    for _ in range(chance.randrange(1, 12)):
        sequence += chance.randrange(1, 4)
        key = chance.randrange(1, 4)
        old = table.pop(key, None)
        if old is None:
            table[key] = random_row(chance, log, key)
            yield "c", None, table[key], sequence
        elif chance.random() < 0.7:
            free = [new for new in range(1, 4) if new not in table and new != key]
            new = chance.choice(free) if chance.random() < 0.5 and free else key
            table[new] = changed(chance, old, new)
            yield "u", old, table[new], sequence
        else:
            yield "d", old, None, sequence


def random_steps(chance: Random, log: int) -> Iterable[Step]:
    """Steps that no table could have taken, many at one sequence."""
    for _ in range(chance.randrange(2, 9)):
        code, sequence = chance.choice("cuud"), chance.randrange(3)
        old = random_row(chance, log, chance.randrange(1, 3))
        new = changed(chance, old, chance.randrange(1, 3))
        yield code, None if code == "c" else old, None if code == "d" else new, sequence


def random_row(chance: Random, log: int, key: int) -> Row:
    values = {name: chance.choice(pool) for name, pool in VALUES.items()}
    return {"log": log, "id": key, **values}


def changed(chance: Random, row: Row, key: int) -> Row:
    """The row with none, one or two other values."""
    names = chance.sample(list(VALUES), chance.choice([0, 1, 1, 2]))
    return row | {"id": key} | {name: chance.choice(VALUES[name]) for name in names}


# --- how it is written ---------------------------------------------------------------------------


def written(
    chance: Random, shape: Shape, code: str, old: Row | None, new: Row | None, sequence: int
) -> Iterable[Event]:
    head = {"_seq": sequence // 2, "_minor": sequence % 2}
    if sequence_of(shape) == ["_seq"]:
        head = {"_seq": sequence, "_minor": 0}
    if shape.has_images:
        yield image_event(chance, shape, code, old, new, sequence) | head
        return
    moved = old is not None and new is not None and old["id"] != new["id"]
    if shape.form == "kinds":
        if code == "u" and (moved or chance.random() < 0.8):
            yield {"op": "UPDATE_BEFORE", **head, **(old or {})}
        code = {"c": "INSERT", "u": "UPDATE_AFTER", "d": "DELETE"}[code]
    elif moved and old is not None:
        # an upsert names one key only: the source tells the other one too
        yield {"op": "d", **head, **old}
    row = new or old or {}
    if new is None and chance.random() < 0.5:
        row = {name: row[name] if name in KEY else None for name in COLUMNS}
    yield {"op": code, **head, **row}


def image_event(
    chance: Random, shape: Shape, code: str, old: Row | None, new: Row | None, sequence: int
) -> Event:
    row = new or old or {}
    key = {name: row[name] for name in KEY}
    only_key = {name: row[name] if name in KEY else None for name in COLUMNS}
    event = {"op": code, "at": sequence * 100, **key, "before": old, "after": new}
    if shape.form == "one_image":
        return event | {
            "after": only_key if code == "d" and chance.random() < 0.5 else row,
            "before": None,
        }
    if shape.form == "after":
        return event | {"before": None, "after": new or only_key}
    if code == "d" and chance.random() < 0.4:
        at_top = shape.loose and chance.random() < 0.5
        return event | {"before": None, "after": None if at_top else only_key}
    if code == "u" and old and new and shape.loose and chance.random() < 0.3:
        partial = {name: None if old[name] == new[name] else old[name] for name in COLUMNS}
        return event | {"before": partial}
    return event


def stranger(shape: Shape, number: int) -> Event:
    """An event of an unknown code: nothing else of it may matter."""
    event = {"op": "?", "_seq": None, "_minor": None, "log": number, "id": None}
    more = ("at", "before", "after") if shape.has_images else tuple(VALUES)
    return event | dict.fromkeys(more)


def again(chance: Random, shape: Shape, event: Event) -> Event:
    """The event delivered once more: from another place, and with its maps turned round."""
    event = dict(event)
    if event.get("at") is not None:
        event["at"] += chance.randrange(1, 100)
    if shape.ties and not shape.loose:
        return event
    if shape.has_images:
        return event | {side: with_map_turned(event[side]) for side in ("before", "after")}
    return with_map_turned(event)


def with_map_turned(row: Row) -> Row:
    return row | {"notes": dict(reversed(row["notes"].items()))} if row and row["notes"] else row


def with_whole_key(event: Event) -> Event:
    """A before image of changed columns only has the key that the after image has."""
    before, after = event.get("before"), event.get("after")
    if before and after:
        missing = {name: after[name] for name in KEY if before[name] is None}
        event = event | {"before": before | missing}
    return event


def sequence_of(shape: Shape) -> list[str]:
    return ["_seq", "_minor"] if shape.form in ("codes", "one_image") else ["_seq"]


# --- what it means -------------------------------------------------------------------------------


def load_reference() -> ModuleType:
    """The reference model with a total order of ties: the greatest (row kind, text) comes first.

    And 0.0 equals -0.0, as in Spark.
    """
    path = REPO / "tests" / "reference" / "changelog_reference.py"
    spec = importlib.util.spec_from_file_location("reference_for_laws", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    # dataclasses look for their module
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    normalize: Callable[..., Any] = module.normalize

    def order(change: Any) -> tuple[int, str]:
        row = {name: value for name, value in change.row.items() if name not in change.carried}
        return module.RANK[change.kind], text_of(row)

    def normalize_in_order(changelog: Any, *args: Any, **kwargs: Any) -> Any:
        return normalize(sorted(changelog, key=order, reverse=True), *args, **kwargs)

    identity: Callable[[Any], Any] = module.identity

    def identity_of_spark(value: Any) -> Any:
        return identity(0.0 if isinstance(value, float) and value == 0 else value)

    module.identity = identity_of_spark  # type: ignore[attr-defined]
    module.row_text = text_of  # type: ignore[attr-defined]
    module.normalize = normalize_in_order  # type: ignore[attr-defined]
    return module


def text_of(value: Any) -> str:
    """What Spark's to_json gives for a value of VALUES, or for a row of them."""
    if isinstance(value, dict):
        items = (f"{json.dumps(name)}:{text_of(item)}" for name, item in value.items())
        return "{" + ",".join(items) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(text_of, value)) + "]"
    if isinstance(value, float):
        special = "NaN" if math.isnan(value) else "Infinity" if math.isinf(value) else None
        return f'"{special}"' if special else repr(value + 0.0)
    if isinstance(value, Decimal):
        return str(value.quantize(Decimal("0.0001")))
    if isinstance(value, datetime):
        return f'"{value:%Y-%m-%d %H:%M:%S.%f}Z"'
    return json.dumps(value, ensure_ascii=False)


reference = load_reference()


def decode(shape: Shape, events: list[Event], config: dict[str, Any]) -> list[Any]:
    if shape.form == "flag":
        events = [event | {"op": event["op"] == "d"} for event in events]
    if not shape.has_images:
        # all columns of a flat event but these would be its row
        names = ("op", *config["sequence_by"], *COLUMNS)
        events = [{name: event[name] for name in names} for event in events]
    return reference.decode(events, **config).changes


def contents(shape: Shape, events: list[Event], config: dict[str, Any]) -> list[Row]:
    ties = config.get("tie_handling", "FAIL")
    state = reference.State("last_write_wins")
    changes = decode(shape, events, config)
    result = reference.apply(changes, state, unique_key=KEY, tie_handling=ties)
    return reference.contents(result.state)


def comparable(row: Row) -> Any:
    """Equal if the rows are, as Spark sees it; of `at` it is only from which change it comes."""
    row = dict(row)
    if row.get("at") is not None:
        row["at"] //= 100
    return reference.row_identity(row)


def fold(changes: list[Any], carried: str = "at") -> Counter[Any]:
    """The bag of rows that a changelog with UPDATE_BEFORE leaves.

    Without what is carried: an equal row emits nothing, so of it the changelog has the first value,
    the contents have the last.
    """
    rows: Counter[Any] = Counter()
    for change in changes:
        rows[without(change.row, carried)] += 1 if change.kind in reference.UPSERTS else -1
    return Counter({row: count for row, count in rows.items() if count})


def fold_by_key(changes: list[Any], carried: str = "at") -> Counter[Any]:
    """The same of any changelog with a key: its last change tells."""
    last = {}
    for change in sorted(changes, key=lambda change: (change.sequence, change.ordinal)):
        last[reference.key_of(change.row, KEY)] = change
    live = (change for change in last.values() if change.kind in reference.UPSERTS)
    return Counter(without(change.row, carried) for change in live)


def without(row: Row, carried: str = "at") -> Any:
    return comparable({name: value for name, value in row.items() if name != carried})
