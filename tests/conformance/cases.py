"""Both formats of case files, read into one shape. cases/README.md says what the fields mean."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .values import Type, parse_type, text_literal

KINDS = {"+I": "INSERT", "-U": "UPDATE_BEFORE", "+U": "UPDATE_AFTER", "-D": "DELETE"}
ORDERS = {"UPDATE_AFTER": 1}
# configs that ask for more than the plain kernels
FEATURES = {
    "watermark": "watermark",
    "stored_as_scd_type": "scd2",
    "track_history_columns": "scd2",
    "ignore_null_updates": "partial_rows",
    "unavailable_value": "partial_rows",
    "on_schema_change": "schema_change",
    "on_conflict": "on_conflict",
}
# words of a case's `needs` that are no feature of their own here, or have another name
NEEDS = {"ignore_null_updates": "partial_rows", "track_history_columns": "scd2"}
# formats that have another name here
FORMATS = {"debezium_mongodb": "mongodb"}
# types of Kafka Connect
CONNECT_TYPES = {"int32": "int", "int64": "bigint", "double": "double", "string": "string"}
# where a message says what its table is
PLACES = {
    "database": ["$.database", "$.source.db", "$.payload.source.db"],
    "table": ["$.table", "$.source.table", "$.payload.source.table"],
}
PLAIN_NEEDS = {"config_change", "sequence_expression", "case_insensitive_names", "quoted_names"}

Config = dict[str, Any]


@dataclass
class Rows:
    """Rows of a case file; no columns: those of the result, in its order."""

    columns: list[str] | None
    rows: list[list[Any]]
    types: list[Type] | None = None


@dataclass
class Batch:
    """What one run reads.

    image: the rows are envelopes of it, JSON texts in a column `value`. where: a condition for the
    messages that are of the case's table.
    """

    columns: dict[str, Type]
    rows: list[list[Any]]
    config: Config
    sequence: Any = None
    image: Type | None = None
    where: str = ""


@dataclass
class Case:
    name: str
    function: str
    config: Config
    batches: list[Batch]
    # whether the case is about the rows emitted, else about the contents
    emits: bool = True
    # a changelog has the row kind in its first column, `_row_kind`; to_changelog gives plain rows
    changelog: Rows | None = None
    # run -> the contents after it, any of these
    contents: dict[int, list[Rows]] = field(default_factory=dict)
    # the run that must fail, from 1, and when: planning, runtime, or '' for either
    error_run: int | None = None
    error_phase: str = ""
    # a pattern of its words, where they are known
    error_words: str = ""
    features: set[str] = field(default_factory=set)
    says_deliberate: bool = False
    # the key of the input, where its rows are an upsert changelog
    input_key: list[str] = field(default_factory=list)

    @property
    def unique_key(self) -> list[str]:
        key = self.config.get("unique_key") or []
        return [key] if isinstance(key, str) else list(key)

    @property
    def row_key(self) -> list[str]:
        """The key of the contents: of versions, with when each began."""
        return [*self.unique_key, *(["valid_from"] if "scd2" in self.features else [])]


def read_cases(folder: Path) -> list[Case]:
    """All cases in a folder and the folders below it; other JSON files are left alone."""
    cases = []
    for path in sorted(folder.rglob("*.json")):
        found = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(found, dict) and "product" in found:
            try:
                cases.append(_batches_case(found) if "batches" in found else _rows_case(found))
            except (KeyError, ValueError) as error:
                raise ValueError(f"{path} is not a case: {error!r}") from error
    return cases


def _base(case: dict[str, Any]) -> dict[str, Any]:
    product = case["product"]
    config, function = dict(product.get("config") or {}), product["function"]
    applies = function == "apply_changelog"
    if applies:
        # contents that have another key than the changelog: a model finds rows by all columns
        config = {name: config[name] for name in ("unique_key", "on_conflict")}
        config |= {"op_mapping": KINDS, "sequence_by": "_seq"}
        function = "from_changelog"
    return {
        "name": case["name"],
        "function": function,
        "config": config,
        "emits": not applies,
        "says_deliberate": bool(product.get("deliberate")),
        "features": set(_features(function, config)),
    }


def _features(function: str, config: Config) -> Iterator[str]:
    if function != "from_changelog":
        yield function
    for step in (config, config.get("first") or {}, config.get("then") or {}):
        yield from (FEATURES[name] for name in step if name in FEATURES)
        if "TRUNCATE" in json.dumps(step.get("op_mapping")):
            yield "truncate"


# --- one run, rows with a row kind ----------------------------------------------------------------


def _rows_case(case: dict[str, Any]) -> Case:
    made = Case(batches=[], **_base(case))
    table = case["input_tables"][0]
    made.batches = [_input(made, table)]
    if table.get("input_mode") == "upsert":
        made.input_key = table.get("key") or []
    if made.batches[0].image and {"op", "op_mapping"} <= set(made.config):
        # the case spells out what the format means: then the query parses the lines
        del made.config["format"]
    made.batches[0].config = made.config
    if case.get("expected_rows") is None:
        made.error_run = 1
        phase = (case.get("expected_error") or {}).get("phase") or ""
        made.error_phase = {"plan": "planning"}.get(phase, phase)
        return made
    schema = case.get("output_schema") or []
    names = [column["name"] for column in schema] or case.get("output_columns")
    if case.get("output_mode") == "insert_into":
        names = schema = None  # those of the sink
    types = [parse_type(column["type"]) for column in schema] if schema else None
    if made.function == "to_changelog" or made.config.get("then", {}).get("function") == (
        "to_changelog"
    ):
        rows = [row["row"] for row in case["expected_rows"]]
    else:
        rows = [[KINDS[row["op"]], *row["row"]] for row in case["expected_rows"]]
        names = ["_row_kind", *names] if names else None
        types = [Type("string"), *types] if types else None
    made.changelog = Rows(names, rows, types)
    if "watermark" in made.config:
        _wait(made)
    return made


def _wait(case: Case) -> None:
    """One run per event, as the watermark follows each; a time that no row shows is not stored."""
    (batch,), time = case.batches, case.config["sequence_by"]
    if case.changelog and time not in (case.changelog.columns or [time]):
        renamed = {f"_{name}" if name == time else name: of for name, of in batch.columns.items()}
        case.config = {**case.config, "sequence_by": f"_{time}"}
        batch = Batch(renamed, batch.rows, case.config)
    case.batches = [Batch(batch.columns, [row], case.config) for row in batch.rows]


def _input(case: Case, table: dict[str, Any]) -> Batch:
    """The input table: events, or a changelog whose row kinds stand in the column that fits."""
    columns = {
        column["name"]: parse_type(column["type"])
        for column in table["schema"]
        if not column["type"].startswith("KEY ")
    }
    if table.get("input_mode") == "format":
        return _lines(case, columns, table["lines"])
    mode, kinds = table.get("input_mode"), [KINDS[row["op"]] for row in table["rows"]]
    rows = [list(row["row"]) for row in table["rows"]]
    if case.function == "from_changelog" and not case.emits:
        # a time that the recorded engine had its watermark by is no column of its table
        times = [list(columns).index(name) for name in (table.get("watermark") or [])[:1]]
        columns = {n: of for place, (n, of) in enumerate(columns.items()) if place not in times}
        rows = [[v for place, v in enumerate(row) if place not in times] for row in rows]
    if case.function == "from_changelog" and (mode != "append" or not case.emits):
        columns = {"op": Type("string"), **columns}
        rows = [[row["op"], *values] for row, values in zip(table["rows"], rows, strict=True)]
    elif not _reads_events(case):
        columns = {
            "_row_kind": Type("string"),
            "_sequence": Type("bigint"),
            "_ordinal": Type("int"),
            **columns,
        }
        rows = [
            [kind, place, ORDERS.get(kind, 0), *values]
            for place, kind, values in zip(_places(kinds), kinds, rows, strict=True)
        ]
    return Batch(*_numbered(case.config, columns, rows), case.config)


def _reads_events(case: Case) -> bool:
    first = case.config.get("first", {}).get("function", case.function)
    return bool(first == "from_changelog")


def _places(kinds: list[str]) -> Iterator[int]:
    """Number the changes of a changelog; both halves of an update are one change."""
    place = -1
    for number, kind in enumerate(kinds):
        whole = kind == "UPDATE_AFTER" and number and kinds[number - 1] == "UPDATE_BEFORE"
        place += 0 if whole else 1
        yield place


def _lines(case: Case, columns: dict[str, Type], lines: list[str]) -> Batch:
    rows = [[line] for line in lines if line]
    names, rows = _numbered(case.config, {"value": Type("string")}, rows)
    return Batch(names, rows, case.config, image=Type("struct", parts=tuple(columns.items())))


def _numbered(
    config: Config, columns: dict[str, Type], rows: list[list[Any]]
) -> tuple[dict[str, Type], list[list[Any]]]:
    """Number the rows in a column `_seq` where a config orders by it and the input lacks it."""
    steps = (config, config.get("first") or {}, config.get("then") or {})
    orders = [step.get("sequence_by") for step in steps]
    if "_seq" in columns or not any(order in ("_seq", ["_seq"]) for order in orders):
        return columns, rows
    numbered = [[*row, number] for number, row in enumerate(rows)]
    return {**columns, "_seq": Type("bigint")}, numbered


# --- several runs, plain rows ---------------------------------------------------------------------


def _batches_case(case: dict[str, Any]) -> Case:
    made = Case(batches=[], **_base(case))
    for need in case.get("needs") or []:
        if need.startswith("preset:"):
            made.config["format"] = FORMATS.get(need[7:], need[7:])
        elif need not in PLAIN_NEEDS:
            made.features.add(NEEDS.get(need, need))
    for run, batch in enumerate(case["batches"]):
        columns = {column["name"]: parse_type(column["type"]) for column in batch["columns"]}
        config = batch.get("config", made.config)
        if "format" in made.config:
            config = {**config, "payload_schema": _payload_schema(case, run)}
        where = _where(case["product"].get("filter") or {})
        batch_of_run = Batch(columns, batch["rows"], config, batch.get("sequence"), where=where)
        made.batches.append(batch_of_run)
    expected = case["expected"]
    made.emits = expected.get("changelog") is not None
    if expected.get("error"):
        made.error_run = expected.get("error_run") or len(made.batches)
    if made.emits:
        made.changelog = Rows(expected["changelog_columns"], expected["changelog"])
    last = len(made.batches)
    for run, rows in enumerate(expected.get("contents_after") or [], 1):
        made.contents[run] = [_rows(rows)]
    for name in ("history", "contents"):
        if expected.get(name) is not None:
            made.contents[last] = [_rows(expected[name])]
    if expected.get("contents_one_of"):
        made.contents[last] = [_rows(rows) for rows in expected["contents_one_of"]]
    return made


def _where(wanted: dict[str, str]) -> str:
    """The messages of one table; a tombstone does not say whose it is."""
    terms = []
    for name, value in wanted.items():
        found = ", ".join(f"get_json_object(value, '{place}')" for place in PLACES[name])
        terms.append(f"coalesce({found}) = {text_literal(value)}")
    return f" where value is null or ({' and '.join(terms)})" if terms else ""


def _payload_schema(case: dict[str, Any], run: int) -> str:
    """The columns of the row in messages: as the case says, or as their own schema does."""
    schema = case["product"].get("row_schema")
    if schema is None:
        fields = json.loads(case["batches"][run]["rows"][0][0])["schema"]["fields"]
        (after,) = (field["fields"] for field in fields if field["field"] == "after")
        return ", ".join(f"{field['field']} {CONNECT_TYPES[field['type']]}" for field in after)
    if re.match("all columns STRING", schema):
        names = case["expected"]["contents_after"][run]["columns"]
        return ", ".join(f"{name} string" for name in names)
    return str(schema)


def _rows(found: dict[str, Any]) -> Rows:
    return Rows(found["columns"], found["rows"])
