"""Few cases that have in them what all have: those that make test runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from .cases import Batch, Case, Config
from .models import models_of
from .runner import Lists
from .values import Type

KINDS = ("INSERT", "UPDATE_BEFORE", "UPDATE_AFTER", "DELETE")


def sample(cases: list[Case], lists: Lists) -> list[Case]:
    """A few of the cases that are not skipped, with each feature of all of them.

    The case that adds most is taken first, of equal ones that with the fewest runs, then by name.
    In the end those go to which the later ones left nothing of their own.
    """
    runnable = [case for case in cases if not waits(case, lists)]
    found = {case.name: features(case, lists) for case in runnable}
    missing = set().union(*found.values())
    chosen: list[Case] = []

    def rank(case: Case) -> tuple[int, int, str]:
        return -len(found[case.name] & missing), len(case.batches), case.name

    while missing:
        chosen.append(min(runnable, key=rank))
        missing -= found[chosen[-1].name]
    for case in list(chosen):
        others = [found[other.name] for other in chosen if other is not case]
        if found[case.name] <= set().union(*others):
            chosen.remove(case)
    return sorted(chosen, key=lambda case: case.name)


def waits(case: Case, lists: Lists) -> bool:
    """Whether the case is skipped, since what it needs is not built yet."""
    models = models_of(lists.expected(case), quick=True)
    return any(model.features & {*lists.pending} for model in models if model.primary)


def features(case: Case, lists: Lists) -> set[str]:
    """What the case has in it, each with the function that it calls."""
    found = {*_of_case(lists.expected(case))}
    found |= {"deliberate"} if case.name in lists.deliberate else set()
    return {f"{case.function}: {feature}" for feature in found}


def _of_case(case: Case) -> Iterator[str]:
    yield from case.features
    yield "several runs" if len(case.batches) > 1 else "one run"
    if case.error_run:
        yield f"error {case.error_phase}".strip()
    elif case.changelog is None:
        yield "contents only"
    for batch in case.batches:
        yield from _of_batch(batch)
        for step in (batch.config, batch.config.get("first"), batch.config.get("then")):
            yield from _of_config(step or {})


def _of_config(config: Config) -> Iterator[str]:
    key = config.get("unique_key") or []
    several = isinstance(key, list) and len(key) > 1
    yield "key of several columns" if several else "key" if key else "no key"
    yield " and ".join(name for name in ("before", "after") if name in config) or "flat"
    for name, value in config.items():
        # a value in capitals, a number and a boolean are a choice; others are the case's own names
        chosen = re.fullmatch(r"[A-Z_]+|\d+|True|False", str(value))
        yield f"{name} {value}" if chosen else name
    for side in (config.get("op_mapping") or {}).items():
        yield from (f"op_mapping {kinds}" for kinds in map(_kinds, side) if kinds)


def _kinds(text: Any) -> str:
    """The row kinds that share a code, if this is the side of the mapping that has them."""
    kinds = {kind.strip() for kind in str(text).split(",")}
    return ", ".join(kind for kind in KINDS if kind in kinds)


def _of_batch(batch: Batch) -> Iterator[str]:
    if batch.image:
        yield "envelopes as text"
    if not batch.rows:
        yield "no rows"
    if any(value is None for row in batch.rows for value in row):
        yield "NULL"
    for name, kind in batch.columns.items():
        yield from _of_type(kind)
        if not re.fullmatch(r"\w+", name):
            yield "quoted name"
    yield from _of_type(batch.image) if batch.image else ()


def _of_type(kind: Type) -> Iterator[str]:
    yield kind.name
    for _, part in kind.parts:
        yield from _of_type(part)
