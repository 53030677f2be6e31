"""to_changelog models by name, and their plans: the cases that golden SQL and the tests share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dbt.adapters.spark.relation import SparkRelation

from .lake import Lake
from .plans import CHANGELOG, OWN, ROW, answer_catalog, answer_columns
from .render import Macros

LOG = SparkRelation.create(schema="analytics", identifier="customers_log", type="table")
WHERE = "to_changelog model 'customers_log'"
TABLE = {**ROW, "tags": "map<string,string>"}
CHANGES = {**OWN, **ROW, "_batch_id": "bigint"}
DEBEZIUM = {
    "op_mapping": {"INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u", "DELETE": "d"},
    **{"before": "before", "after": "after"},
}


@dataclass
class Log:
    """A to_changelog model: its config, and the columns of its query."""

    config: dict[str, Any]
    columns: dict[str, str]

    query = "select * from analytics.customers"
    relation = LOG
    make_plan = "to_changelog_plan"
    make_program = "to_changelog_program"

    @property
    def node(self) -> dict[str, Any]:
        config = {"materialized": "to_changelog", "unique_key": "id", **self.config}
        config = {"contract": {"enforced": False}, **config}
        return {
            "name": "customers_log",
            "alias": "customers_log",
            "unique_id": "model.shop.customers_log",
            "package_name": "shop",
            "fqn": ["shop", "customers_log"],
            "schema": LOG.schema,
            "resource_type": "model",
            "language": "sql",
            "config": config,
            "unrendered_config": config,
            "config_call_dict": config,
            "columns": {},
        }

    def compiled(self, macros: Macros, end: int) -> str:
        """The query as dbt compiles it: of a changelog it reads the batches up to `end`."""
        if "_row_kind" not in self.columns:
            return self.query
        last = macros.last_position(CHANGELOG)
        place = {"column": "_batch_id", "type": "bigint", "value": str(end), "born": "run-0"}
        rows = macros.strict_range_sql(WHERE, CHANGELOG, "_batch_id", last, place)
        return f"select * from {rows}"

    def layout(self, identifier: str) -> dict[str, str]:
        """The columns of its tables."""
        row = {name: of for name, of in self.columns.items() if name not in CHANGES or name in ROW}
        if self.config.get("file_format") == "iceberg":
            row = {name: of.replace("smallint", "int") for name, of in row.items()}
        if identifier == "customers_log__state":
            return {**row, "_batch_id": "bigint", "_changed_at": "timestamp"}
        if identifier == "customers_log__changes":
            return {**OWN, **row}
        fields = ",".join(f"{name}:{of}" for name, of in row.items())
        images = {name: f"struct<{fields}>" for name in ("before", "after") if name in self.config}
        place = {"_batch_id": "bigint", "_position": "int"}
        return {self.config.get("op", "op"): "string", **(images or row), **place}

    def plan(self, **context: Any) -> dict[str, Any]:
        """Its plan, which can not be written to."""
        return macros_of(self, **context).to_changelog_plan(self.node, self.query, LOG)


def macros_of(log: Log, lake: Lake | None = None, /, **context: Any) -> Macros:
    warehouse = lake or Lake(layout=log.layout)
    answer_catalog(warehouse)
    answer_columns(warehouse, r"^describe query select \* from \(", log.columns)
    return Macros(warehouse, **{"model": log.node, "this": LOG, **context})


LOGS = {
    "table_input": Log({}, TABLE),
    "table_without_key": Log({"unique_key": None, "encoding": "append"}, ROW),
    "small_numbers": Log({"file_format": "iceberg"}, {**ROW, "size": "smallint"}),
    "changes_input": Log(DEBEZIUM, CHANGES),
    "changes_without_key": Log({"unique_key": None, "encoding": "retract"}, CHANGES),
}
