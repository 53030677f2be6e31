"""Models by name, and their plans: the cases that golden SQL and the tests of plans share."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from dbt.adapters.spark.relation import SparkRelation

from .lake import Lake, Table, described
from .render import Macros, Warehouse, table

CONTENTS = SparkRelation.create(schema="analytics", identifier="customers", type="view")
STATE = "analytics.customers__state"
CHANGELOG = "analytics.customers__changelog"
STAGED = "analytics.customers__changes"
BATCHES = "analytics.dbt_changelog_batches"
SOURCE = "bronze.customers"
WHERE = "from_changelog model 'customers'"
ROW = {"id": "int", "name": "string"}
DEBEZIUM = {"c, r": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"}
OWN = {"_row_kind": "string", "_sequence": "bigint", "_ordinal": "int"}


@dataclass
class Model:
    """A from_changelog model: its config, and the columns of its query as Spark describes them.

    A column whose type is a dict is a struct. `kept`: columns of its state that not all have.
    """

    config: dict[str, Any]
    columns: dict[str, Any]
    query: str = f"select * from {SOURCE}"
    constraints: list[dict[str, Any]] = field(default_factory=list)
    column_constraints: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    kept: dict[str, Any] = field(default_factory=dict)

    relation = CONTENTS
    make_plan = "from_changelog_plan"
    make_program = "from_changelog_program"

    @property
    def node(self) -> dict[str, Any]:
        """The model as dbt gives it in graph.nodes."""
        constraints = self.constraints or self.column_constraints
        config = {
            "materialized": "from_changelog",
            "unique_key": "id",
            "sequence_by": "lsn",
            "contract": {"enforced": bool(constraints)},
            **copy.deepcopy(self.config),
        }
        return {
            "name": "customers",
            "alias": "customers",
            "unique_id": "model.shop.customers",
            "package_name": "shop",
            "fqn": ["shop", "silver", "customers"],
            "schema": CONTENTS.schema,
            "resource_type": "model",
            "language": "sql",
            "config": config,
            "unrendered_config": config,
            "config_call_dict": config,
            "constraints": self.constraints,
            "columns": {
                name: {"name": name, "constraints": found}
                for name, found in self.column_constraints.items()
            },
        }

    def compiled(self, macros: Macros, end: int) -> str:
        """The query as dbt compiles it: it reads on, up to `end`, if the config says by what."""
        read = self.config.get("read")
        if not isinstance(read, dict):
            return self.query
        macros.warehouse.answer(r"^select max\(`", lambda: table([(end,)], ["end"]))
        return self.query.replace(SOURCE, macros.new_rows(SOURCE))

    @property
    def input(self) -> dict[str, str]:
        return {name: _type_text(type_) for name, type_ in self.columns.items()}

    @property
    def source(self) -> dict[str, str]:
        """The columns of what the query reads: it may leave out the one that the model reads by."""
        return {"lsn": "bigint", "seen": "bigint", **self.input}

    @property
    def decoded(self) -> dict[str, str]:
        """The columns that decode gives, as Spark's analysis would find them."""
        config = self.node["config"]
        payload: dict[str, str] = {}
        for side in ("after", "before"):
            for name, type_ in (_look_up(self.columns, config.get(side)) or {}).items():
                if _look_up(payload, name) is None:
                    payload[name] = _type_text(type_)
        order = config["sequence_by"] or []
        order = [order] if isinstance(order, str) else order
        passed = {}
        if payload:
            passed = {n: _look_up(self.input, n) for n in config.get("passthrough", [])}
        else:
            read_only = {config.get("op", "op"), *(name for name in order if name[0] == "_")}
            payload = {n: of for n, of in self.input.items() if n not in read_only}
        if flag := config.get("soft_delete"):
            payload = {**payload, flag: "boolean"}
        types = [_look_up(self.input, name) or "bigint" for name in order]
        sequence = f"struct<_1:{',_2:'.join(types)}>" if types[1:] else (*types, "bigint")[0]
        return {**OWN, "_sequence": sequence, **payload, **passed}

    def layout(self, identifier: str) -> dict[str, str]:
        """The columns of its tables."""
        row = {name: type_ for name, type_ in self.decoded.items() if name not in OWN}
        has_key = bool(self.node["config"]["unique_key"])
        conflicts = "on_conflict" in self.config
        own = {**OWN, "_sequence": self.decoded["_sequence"]}
        found = {
            "changes": {**own, **row, "_dbtc_arrived": "boolean", "_image_hash": "bigint"},
            "changelog": {**own, **row, "_batch_id": "bigint"},
            "state": {
                **row,
                **{name: _type_text(type_) for name, type_ in self.kept.items()},
                **{"_image_hash": "bigint", "_batch_id": "bigint", "_changed_at": "timestamp"},
                **(
                    {"_sequence": own["_sequence"], "_row_kind": "string", "_was_live": "boolean"}
                    if has_key and not conflicts
                    else {"_sequence": own["_sequence"], **PLACES}
                    if has_key
                    else {"_weight": "bigint", "_weight_before": "bigint"}
                ),
            },
        }
        if self.config.get("watermark"):
            judged = {"_dbtc_batch_id": "bigint", "_dbtc_watermark": "timestamp"}
            found |= {"buffer": self.input, "late": {**self.input, **judged}}
        if self.config.get("stored_as_scd_type"):
            begins = self.config.get("valid_from", "valid_from")
            ends = {begins: own["_sequence"], "valid_to": own["_sequence"]}
            found["changelog"] |= {**ends, "is_current": "boolean"}
        if conflicts or not has_key:
            found["changes"] = {**own, **row}
        if self.config.get("unavailable_value") and "string" in row.values():
            values = [f"{name}:{own['_sequence']}" for name, of in row.items() if of == "string"]
            found["state"].setdefault("_sequences", f"struct<{','.join(values)}>")
        return found[identifier.removeprefix("customers__").split("_")[0]]

    def plan(self, **context: Any) -> dict[str, Any]:
        """Its plan, which can not be written to."""
        return macros_of(self, **context).from_changelog_plan(self.node, self.query, CONTENTS)


def macros_of(model: Model, lake: Lake | None = None, /, **context: Any) -> Macros:
    """Macros whose Spark knows the columns of a model's query."""
    warehouse = lake or Lake(layout=model.layout)
    answer_catalog(warehouse)
    _describes(warehouse, r"^describe query select \* from \(", lambda: model.input)
    _describes(warehouse, rf"^describe query select \* from {SOURCE}$", lambda: model.source)
    _describes(warehouse, r"(?s)^describe query with .* as _row_kind", lambda: model.decoded)
    return Macros(warehouse, **{"model": model.node, "this": CONTENTS, **context})


def lake_of(model: Any) -> Lake:
    """Tables as a project has them before the model's first run."""
    return Lake(layout=model.layout, tables={BATCHES: Table({"uid": "string"})})


def _describes(warehouse: Warehouse, pattern: str, columns: Callable[[], dict[str, Any]]) -> None:
    warehouse.answer(
        pattern, lambda: described({name: _type_text(of) for name, of in columns().items()})
    )


def answer_catalog(warehouse: Warehouse, implementation: str = "com.example.Catalog") -> None:
    """What Spark says of the session's catalog; one that is not known may hold any format."""
    namespace, setting = [("spark_catalog", "default")], [("key", implementation)]
    warehouse.answer("^show current namespace", lambda: table(namespace, ["catalog", "namespace"]))
    warehouse.answer("^set `spark.sql.catalog", lambda: table(setting, ["key", "value"]))


def answer_columns(warehouse: Warehouse, pattern: str, columns: dict[str, Any]) -> None:
    """What Spark says of a query in which the pattern is found."""
    _describes(warehouse, pattern, lambda: columns)


def _type_text(type_: Any) -> str:
    if isinstance(type_, dict):
        return f"struct<{','.join(f'{name}:{_type_text(of)}' for name, of in type_.items())}>"
    return type_


def _look_up(columns: dict[str, Any], name: str | None) -> Any:
    """Names match without regard to case, as in Spark."""
    return next((of for found, of in columns.items() if found.lower() == str(name).lower()), None)


FLAT = {"op": "string", **ROW, "lsn": "bigint"}
UNSTORED = {"op": "string", **ROW, "_lsn": "bigint"}
IMAGES = {"op": "string", "before": ROW, "after": ROW, "lsn": "bigint"}
KEYLESS = {"unique_key": None, "sequence_by": None}
BY_LSN = {"column": "lsn"}
STRICT = {**BY_LSN, "strict": True}
TRUNCATES = {"c": "INSERT", "u": "UPDATE_AFTER", "d": "DELETE", "t": "TRUNCATE"}
UPSERT = {"c": "INSERT", "u": "UPDATE_AFTER", "d": "DELETE"}
ENDS = {"_upserted": "bigint", "_removed": "bigint"}
PLACE = "array<struct<_batch_id:bigint,_sequence:bigint,_kind:bigint>>"
PLACES = {"_places": PLACE, "_places_before": PLACE}
HOSTILE = {"o p'`": "string", "i`d": "int", "select": "string", "*/--": "string", "l.s": "int"}

CASES = {
    "default_op_mapping": Model({}, FLAT),
    "custom_op_name": Model(
        {"op": "Change Type"}, {"Change Type": "string", **ROW, "lsn": "bigint"}
    ),
    "boolean_op": Model(
        {"op": "is_deleted", "op_mapping": {False: "UPDATE_AFTER", True: "DELETE"}},
        {"is_deleted": "boolean", **ROW, "lsn": "bigint"},
    ),
    "many_to_one_codes": Model({"op_mapping": {"c, r": "INSERT", "d, t": "DELETE"}}, FLAT),
    "images": Model({"op_mapping": DEBEZIUM, "before": "before", "after": "after"}, IMAGES),
    "one_image": Model(
        {"op_mapping": DEBEZIUM, "before": "data", "after": "data"},
        {"op": "string", "data": ROW, "lsn": "bigint"},
    ),
    "key_change": Model(
        {
            "op_mapping": {"I": "INSERT", "-U": "UPDATE_BEFORE", "+U": "UPDATE_AFTER"},
            **{"before": "before", "after": "after"},
        },
        IMAGES,
    ),
    "partial_delete": Model(
        {"op_mapping": UPSERT, "after": "after"},
        {"op": "string", "id": "int", "after": ROW, "lsn": "bigint"},
    ),
    "passthrough": Model(
        {
            **{"op_mapping": DEBEZIUM, "before": "before", "after": "after"},
            "passthrough": ["ts"],
        },
        {**IMAGES, "ts": "timestamp"},
    ),
    "composite_key": Model(
        {"unique_key": ["order_id", "line"]},
        {"op": "string", "order_id": "int", "line": "int", "amount": "decimal(10,2)", "lsn": "int"},
    ),
    "several_sequence_columns": Model(
        {"sequence_by": ["_file", "source.pos", "-lsn"]},
        {**FLAT, "source": {"pos": "bigint"}, "_file": "string"},
    ),
    "state_backed": Model({"op_mapping": DEBEZIUM}, FLAT),
    "iceberg": Model(
        {
            "file_format": "iceberg",
            **{
                "partition_by": "bucket(4, id)",
                "tblproperties": {"write.merge.mode": "merge-on-read"},
            },
        },
        FLAT,
    ),
    "parquet": Model({"file_format": "parquet"}, FLAT),
    "partitioned": Model({"partition_by": ["name", "at"]}, {**FLAT, "at": "timestamp"}),
    "tie_last": Model({"tie_handling": "LAST"}, FLAT),
    "invalid_op_skip": Model({"op_mapping": UPSERT, "invalid_op_handling": "SKIP"}, FLAT),
    "map_payload": Model(
        {}, {**FLAT, "tags": "map<string,string>", "items": "array<int>", "extra": "variant"}
    ),
    "watermark": Model(
        {
            **{"watermark": "5 minutes", "late_handling": "KEEP", "changelog": True},
            **{"sequence_by": "_at", "read": {"column": "seen"}, "passthrough": "seen"},
        },
        {"op": "string", **ROW, "_at": "timestamp", "seen": "bigint"},
    ),
    "keyless": Model(
        {**KEYLESS, "read": STRICT},
        {"op": "string", **ROW, "tags": "map<string,string>", "extra": "variant"},
    ),
    "keyless_changelog": Model(
        {
            **{**KEYLESS, "read": STRICT, "changelog": True, "op_mapping": DEBEZIUM},
            **{"before": "before", "after": "after"},
        },
        IMAGES,
    ),
    "hostile_names": Model(
        {
            **{"op": "o p'`", "op_mapping": {"'": "INSERT", "\\": "DELETE"}},
            **{"unique_key": "i`d", "sequence_by": "l.s"},
        },
        HOSTILE,
    ),
    "changelog": Model(
        {"op_mapping": DEBEZIUM, "before": "before", "after": "after", "changelog": True}, IMAGES
    ),
    "changelog_against_state": Model(
        {"op_mapping": UPSERT, "state_ttl": "1 hour", "changelog": True}, FLAT
    ),
    "counted": Model(
        {"op_mapping": UPSERT, "read": BY_LSN, "counters": "full", "invalid_op_handling": "LOG"},
        FLAT,
    ),
    "grouped": Model(
        {
            "read": {**BY_LSN, "strict": True},
            "consistent_group": {"name": "shop", "transaction": "tx"},
        },
        FLAT,
    ),
    "lookback": Model({"read": {**BY_LSN, "lookback": 5}}, FLAT),
    "appended": Model({"merge": "on_read", "read": {**BY_LSN, "strict": True}}, FLAT),
    "appended_ties": Model(
        {"merge": "on_read", "read": BY_LSN, "tie_handling": "LAST", "changelog": True}, FLAT
    ),
    "parts": Model(
        {"op_mapping": TRUNCATES, "unavailable_value": "?", "changelog": True},
        FLAT,
        kept={**ENDS, "_sequences": {"name": "bigint"}},
    ),
    "soft_delete": Model({"op_mapping": UPSERT, "soft_delete": "is_deleted"}, FLAT, kept=ENDS),
    "soft_parts": Model(
        {
            **{"op_mapping": UPSERT, "soft_delete": "is_deleted"},
            **{"unavailable_value": "?", "ignore_null_updates": True},
        },
        FLAT,
        kept={
            **{"_upserted": "bigint", "_removed": "array<bigint>"},
            "_sequences": {"lsn": "bigint", "name": "bigint"},
        },
    ),
    "upsert_materialize": Model(
        {"on_conflict": "DEDUPLICATE", "sequence_by": "_lsn", "read": STRICT},
        {**UNSTORED, "tags": "map<string,string>"},
    ),
    "first_of_several": Model(
        {
            **{"on_conflict": "NOTHING", "tie_handling": "LAST", "read": STRICT},
            **{"changelog": True, "counters": "full", "op_mapping": DEBEZIUM},
            **{"before": "before", "after": "after", "passthrough": ["ts"]},
        },
        {**IMAGES, "ts": "timestamp"},
    ),
    "one_row_per_key": Model(
        {"on_conflict": "ERROR", "sequence_by": "_lsn", "read": STRICT}, UNSTORED
    ),
    "versions": Model(
        {"stored_as_scd_type": 2, "track_history_columns": "name", "changelog": True}, FLAT
    ),
    "parts_of_versions": Model(
        {
            **{"op_mapping": TRUNCATES, "unavailable_value": "?", "soft_delete": "is_deleted"},
            **{"stored_as_scd_type": 2, "valid_from": "since", "changelog": True},
        },
        FLAT,
        kept={**ENDS, "_sequences": {"name": "bigint"}},
    ),
    "constraints": Model(
        {},
        FLAT,
        constraints=[{"type": "check", "columns": [], "expression": "length(name) < 20"}],
        column_constraints={"name": [{"type": "not_null"}]},
    ),
}
