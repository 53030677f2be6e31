"""Values that refuse to be written: a macro that writes into a plan fails where it does."""

from __future__ import annotations

from typing import Any

# what a plan is made by, and all else that is given on and never written to
MAKERS = {
    *("from_changelog_plan", "to_changelog_plan", "decode_plan", "encode_plan", "evolve_plan"),
    *("next_batch", "described_batch", "from_changelog_program", "to_changelog_program"),
}
WRITERS = {
    dict: ["__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault",
           "update"],
    list: ["__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "clear", "extend",
           "insert", "pop", "remove", "reverse", "sort"],
}  # fmt: skip


class WrittenError(Exception):
    """Someone wrote into a frozen value."""


def _refuses(name: str) -> Any:
    def refuse(self: Any, *args: Any, **kwargs: Any) -> Any:
        raise WrittenError(f"{name}{args} of a value that is never written to: {self}")

    return refuse


class FrozenDict(dict):
    locals().update({name: _refuses(name) for name in WRITERS[dict]})


class FrozenList(list):
    locals().update({name: _refuses(name) for name in WRITERS[list]})


def frozen(value: Any) -> Any:
    """The same value, and all that is in it, as one that can not be written to."""
    if isinstance(value, dict):
        return FrozenDict({name: frozen(inner) for name, inner in value.items()})
    if isinstance(value, list):
        return FrozenList([frozen(inner) for inner in value])
    return tuple(map(frozen, value)) if isinstance(value, tuple) else value
