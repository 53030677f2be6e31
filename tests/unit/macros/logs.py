"""to_changelog models by name, and their plans: the cases that golden SQL and the tests share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dbt.adapters.spark.relation import SparkRelation

from .plans import ROW, answer_catalog, answer_columns
from .render import Macros, Warehouse

LOG = SparkRelation.create(schema="analytics", identifier="customers_log", type="table")
WHERE = "to_changelog model 'customers_log'"
TABLE = {**ROW, "tags": "map<string,string>"}
CHANGES = {
    **{"_row_kind": "string", "_sequence": "bigint", "_ordinal": "int"},
    **{**ROW, "_batch_id": "bigint"},
}
DEBEZIUM = {
    "op_mapping": {"INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u", "DELETE": "d"},
    **{"before": "before", "after": "after"},
}


@dataclass
class Log:
    """A to_changelog model: its config, and the columns of its query and of its events."""

    config: dict[str, Any]
    columns: dict[str, str]
    events: dict[str, str] = field(default_factory=dict)

    @property
    def node(self) -> dict[str, Any]:
        config = {"materialized": "to_changelog", "unique_key": "id", **self.config}
        return {
            "name": "customers_log",
            "unique_id": "model.shop.customers_log",
            "package_name": "shop",
            "fqn": ["shop", "customers_log"],
            "schema": LOG.schema,
            "resource_type": "model",
            "language": "sql",
            "config": config,
            "unrendered_config": config,
            "config_call_dict": config,
        }

    @property
    def event_columns(self) -> dict[str, str]:
        row = {name: of for name, of in self.columns.items() if name[0] != "_"}
        fields = ",".join(f"{name}:{of}" for name, of in row.items())
        images = {name: f"struct<{fields}>" for name in ("before", "after") if name in self.config}
        place = {"_batch_id": "bigint", "_position": "int"}
        return {self.config.get("op", "op"): "string", **(images or row), **place}

    def plan(self) -> dict[str, Any]:
        query = "select * from analytics.customers"
        return macros_of(self).to_changelog_plan(self.node, query, LOG)


def macros_of(log: Log, /, **context: Any) -> Macros:
    warehouse = Warehouse()
    answer_catalog(warehouse)
    answer_columns(warehouse, r"^describe query select \* from \(", log.columns)
    answer_columns(warehouse, r"^describe query with changes", log.event_columns)
    return Macros(warehouse, **context)


LOGS = {
    "table_input": Log({}, TABLE),
    "table_without_key": Log({"unique_key": None, "encoding": "append"}, ROW),
    "small_numbers": Log({"file_format": "iceberg"}, {**ROW, "size": "smallint"}),
    "changes_input": Log(DEBEZIUM, CHANGES),
    "changes_without_key": Log({"unique_key": None, "encoding": "retract"}, CHANGES),
}
