"""Models by name, and their plans: the cases that golden SQL and the tests of plans share."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from dbt.adapters.spark.relation import SparkRelation

from .render import Macros, Warehouse

CONTENTS = SparkRelation.create(schema="analytics", identifier="customers", type="view")
WHERE = "from_changelog model 'customers'"
ROW = {"id": "int", "name": "string"}
DEBEZIUM = {"c, r": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"}


@dataclass
class Model:
    """A from_changelog model: its config, and the columns of its query as Spark describes them.

    A column whose type is a dict is a struct.
    """

    config: dict[str, Any]
    columns: dict[str, Any]
    query: str = "select * from bronze.customers"
    constraints: list[dict[str, Any]] = field(default_factory=list)
    column_constraints: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def node(self) -> dict[str, Any]:
        """The model as dbt gives it in graph.nodes."""
        constraints = self.constraints or self.column_constraints
        return {
            "name": "customers",
            "unique_id": "model.shop.customers",
            "resource_type": "model",
            "language": "sql",
            "config": {
                "materialized": "from_changelog",
                "unique_key": "id",
                "sequence_by": "lsn",
                "contract": {"enforced": bool(constraints)},
                **copy.deepcopy(self.config),
            },
            "constraints": self.constraints,
            "columns": {
                name: {"name": name, "constraints": found}
                for name, found in self.column_constraints.items()
            },
        }

    @property
    def input(self) -> dict[str, str]:
        return {name: _type_text(type_) for name, type_ in self.columns.items()}

    @property
    def decoded(self) -> dict[str, str]:
        """The columns that decode gives, as Spark's analysis would find them."""
        config = self.node["config"]
        order = [config["sequence_by"]] if isinstance(config["sequence_by"], str) else (
            config["sequence_by"])
        payload: dict[str, str] = {}
        for side in ("after", "before"):
            for name, type_ in self.columns.get(config.get(side), {}).items():
                payload.setdefault(name, _type_text(type_))
        if not payload:
            payload = dict(self.input)
            payload.pop(config.get("op", "op"))
        types = [self.input.get(name, "bigint") for name in order]
        sequence = types[0] if len(types) == 1 else f"struct<_1:{',_2:'.join(types)}>"
        passed = config.get("passthrough", [])
        return {
            **{"_row_kind": "string", "_sequence": sequence, "_ordinal": "int"},
            **payload,
            **{name: self.input[name] for name in passed},
        }

    def plan(self) -> dict[str, Any]:
        return macros_of(self).from_changelog_plan(self.node, self.query, CONTENTS)


def macros_of(model: Model, **context: Any) -> Macros:
    """Macros whose Spark knows the columns of a model's query."""
    warehouse = Warehouse()
    _describes(warehouse, r"^describe query select \* from", model.input)
    for name, fields in model.columns.items():
        if isinstance(fields, dict):
            _describes(warehouse, rf"^describe query select `{name}`\.\*", fields)
    _describes(warehouse, " as _row_kind", model.decoded)
    return Macros(warehouse, **context)


def _describes(warehouse: Warehouse, pattern: str, columns: dict[str, Any]) -> None:
    rows = [(name, _type_text(type_), None) for name, type_ in columns.items()]
    warehouse.answer(pattern, rows, ["col_name", "data_type", "comment"])


def _type_text(type_: Any) -> str:
    if isinstance(type_, dict):
        return f"struct<{','.join(f'{name}:{_type_text(of)}' for name, of in type_.items())}>"
    return type_


def batch(**changes: Any) -> dict[str, Any]:
    """A second batch; what differs from it by name."""
    position = {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}
    return {
        **{"id": 2, "last": {"id": 1, "position": {}}, "position": position},
        **{"creates": False, "replaces": True, "empty": False, "rename_to": None},
        "started_at": "2026-01-02T03:04:05+00:00",
        **changes,
    }
