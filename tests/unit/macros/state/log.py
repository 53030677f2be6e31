"""Macros that find a batch log."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dbt.adapters.spark.relation import SparkRelation

from ..plans import CASES, Model, batch, macros_of
from ..render import Macros, Warehouse, table

MODEL = CASES["default_op_mapping"]
POSITION = batch()["position"]
CHANGED = {"rows_inserted": 1, "rows_updated": 0, "rows_deleted": 0}
IDLE = {"rows_inserted": 0, "rows_updated": 0, "rows_deleted": 0}


def macros_with_log(
    log_batch: dict[str, Any] | None = None,
    model: Model = MODEL,
    /,
    stored: dict[str, str] | None = None,
    relations: Iterable[SparkRelation] = (),
    version: int | None = None,
    **context: Any,
) -> Macros:
    """Macros that find the state of a model, as the run of `log_batch` left it; none, if none."""
    macros = macros_of(model, **context)
    warehouse: Warehouse = macros.warehouse
    warehouse.relations.update({str(relation): relation for relation in relations})
    found = [("analytics", "customers__state", False)] if log_batch or stored else []
    names = ["namespace", "tableName", "isTemporary"]
    warehouse.answer("^show tables in analytics like", lambda: table(found, names))
    written = model.plan() | ({"version": version} if version else {})
    properties = macros.log_properties(written, log_batch) if log_batch else {"owner": "ada"}
    properties["delta.minReaderVersion"] = "1"
    rows = sorted(properties.items())
    warehouse.answer(
        "^show tblproperties analytics.customers__state", lambda: table(rows, ["key", "value"])
    )
    columns = stored or {
        **{column["name"]: column["type"] for column in model.plan()["state_columns"]},
        **{"_row_kind": "string", "_image_hash": "bigint", "_batch_id": "bigint"},
    }
    described = [(name, type_, None) for name, type_ in columns.items()]
    warehouse.answer(
        r"^describe query select \* from analytics.customers__state",
        lambda: table(described, ["col_name", "data_type", "comment"]),
    )
    return macros
