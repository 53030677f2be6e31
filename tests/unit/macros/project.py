"""Macros of an operation on a project of two models."""

from __future__ import annotations

from typing import Any

from .lake import Lake
from .plans import CASES, macros_of
from .render import Macros

MODEL = CASES["default_op_mapping"]


def operation(config: dict[str, Any] | None = None, **context: Any) -> tuple[Macros, list[str]]:
    """The macros, and what they print."""
    node = {**MODEL.node, "schema": "analytics", "alias": "customers", "raw_code": MODEL.query}
    node["config"].update(config or {})
    other = {"config": {"materialized": "table"}, "name": "other"}
    printed: list[str] = []
    macros = macros_of(
        MODEL,
        Lake(),
        **{
            "graph": {"nodes": {"model.shop.customers": node, "model.shop.other": other}},
            "selected_resources": ["model.shop.customers", "model.shop.other"],
            **{"render": lambda text: text, "print": printed.append, **context},
        },
    )
    return macros, printed
