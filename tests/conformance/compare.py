"""Compares rows with those of a case. What differs is raised, shortened."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from .cases import Rows
from .values import Type, identity

GENERATED = ("_row_kind", "_sequence", "_ordinal", "_batch_id", "_position")
# the order of changes of equal sequence and ordinal
KINDS = ("UPDATE_BEFORE", "DELETE", "INSERT", "UPDATE_AFTER")

Row = tuple[Any, ...]


class Differs(Exception):
    """What is not as the case says."""


@dataclass
class Relation:
    """What the product made."""

    columns: list[str]
    types: list[Type]
    rows: list[Row]

    def place(self, name: str) -> int:
        """Where the column is; names match as in Spark, without regard to case."""
        lower = [column.lower() for column in self.columns]
        if name.lower() not in lower:
            raise Differs(f"there is no column {name}, but {', '.join(self.columns)}")
        return lower.index(name.lower())

    def select(self, columns: Iterable[str]) -> Relation:
        places = [self.place(name) for name in columns]
        return Relation(
            [self.columns[place] for place in places],
            [self.types[place] for place in places],
            [tuple(row[place] for place in places) for row in self.rows],
        )

    def identities(self) -> list[Row]:
        return [_identities(row, self.types) for row in self.rows]


def _identities(row: Iterable[Any], types: list[Type]) -> Row:
    try:
        return tuple(identity(value, kind) for value, kind in zip(row, types, strict=True))
    except (ArithmeticError, TypeError, ValueError) as error:
        types_text = ", ".join(kind.sql for kind in types)
        raise Differs(f"{list(row)} is not of the types {types_text}: {error}") from error


def _aligned(expected: Rows, actual: Relation, others: Iterable[str] = ()) -> Relation:
    """What was made, with the columns of the case: these and no others must be there."""
    unknown = [name for name in actual.columns if name.lower() not in others]
    if expected.columns is None:
        return actual.select(unknown)
    left = {name.lower() for name in unknown} - {name.lower() for name in expected.columns}
    if left:
        raise Differs(f"columns that the case lacks: {', '.join(sorted(left))}")
    aligned = actual.select(expected.columns)
    if expected.types:
        for name, wanted, kind in zip(expected.columns, expected.types, aligned.types, strict=True):
            if wanted != kind:
                raise Differs(f"column {name} is {kind.sql}, not {wanted.sql}")
        if [name for name in unknown if name in expected.columns] != expected.columns:
            raise Differs(f"the columns are {', '.join(unknown)}")
    return aligned


def same_bag(expected: Rows, actual: Relation, others: Iterable[str] = ()) -> None:
    """The same rows, each as often, in any order."""
    aligned = _aligned(expected, actual, others)
    _same_counts(Counter(_identities(row, aligned.types) for row in expected.rows), aligned)


def same_changes(expected: Rows, actual: Relation, key: list[str], ordered: bool) -> None:
    """The same changes: per key in order of (sequence, ordinal), across keys in any order."""
    others = [name for name in GENERATED if name not in (expected.columns or ["_row_kind"])]
    if not ordered:
        return same_bag(expected, actual, others)
    aligned = _aligned(expected, actual, others)
    changes = sorted(zip(_orders(actual), aligned.rows, strict=True), key=_order)
    aligned.rows = [row for _, row in changes]
    places = [aligned.place(name) for name in key]
    wanted = _groups((_identities(row, aligned.types) for row in expected.rows), places)
    found = _groups(aligned.identities(), places)
    for group in {**wanted, **found}:
        if wanted.get(group) != found.get(group):
            changes, got = wanted.get(group, []), found.get(group, [])
            raise Differs(f"key {_text([group])}: expected {_text(changes)}, got {_text(got)}")
    return None


def _orders(changelog: Relation) -> list[Any]:
    names = [name for name in ("_batch_id", "_sequence", "_ordinal") if name in changelog.columns]
    orders = changelog.select(names).rows
    kinds = changelog.select(["_row_kind"]).rows
    return [(*order, KINDS.index(kind)) for order, (kind,) in zip(orders, kinds, strict=True)]


def _groups(rows: Iterable[Row], places: list[int]) -> dict[Row, list[Row]]:
    groups: dict[Row, list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row[place] for place in places), []).append(row)
    return groups


def same_fold(expected: Rows, contents: Relation, key: list[str]) -> None:
    """The contents are what the changelog of the case describes."""
    columns = expected.columns[1:] if expected.columns else None
    aligned = _aligned(Rows(columns, expected.rows), contents)
    changes = [(row[0], _identities(row[1:], aligned.types)) for row in expected.rows]
    _same_counts(_fold(changes, [aligned.place(name) for name in key]), aligned)


def log_folds(log: Relation, contents: Relation, key: list[str]) -> None:
    """The changelog that the product wrote describes the contents that it wrote."""
    kinds, rows = log.select(["_row_kind"]).rows, log.select(contents.columns).identities()
    changes = sorted(zip(_orders(log), kinds, rows, strict=True), key=_order)
    places = [contents.place(name) for name in key]
    _same_counts(_fold([(kind, row) for _, (kind,), row in changes], places), contents)


def _order(change: tuple[Any, ...]) -> Any:
    return change[0]


def _fold(changes: list[tuple[str, Row]], key: list[int]) -> Counter[Row]:
    rows: dict[Row, Row] = {}
    weights: Counter[Row] = Counter()
    for kind, row in changes:
        live = kind in ("INSERT", "UPDATE_AFTER")
        weights[row] += 1 if live else -1
        place = tuple(row[number] for number in key)
        rows.update({place: row} if live else {})
        if not live:
            rows.pop(place, None)
    # a weight below zero waits for its insert
    return Counter(rows.values()) if key else +weights


def _same_counts(wanted: Counter[Row], actual: Relation) -> None:
    found = Counter(actual.identities())
    if wanted != found:
        missing, extra = wanted - found, found - wanted
        raise Differs(f"missing {_text(missing.elements())}, extra {_text(extra.elements())}")


def _text(rows: Iterable[Any], limit: int = 3) -> str:
    listed = list(rows)
    shown = ", ".join(_row_text(row) for row in listed[:limit])
    more = f", {len(listed) - limit} more" if len(listed) > limit else ""
    return f"[{shown}{more}]"


def _row_text(row: Any) -> str:
    values = row if isinstance(row, tuple) else (row,)
    return "(" + ", ".join("NULL" if value is None else str(value) for value in values) + ")"
