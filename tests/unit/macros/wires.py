"""Formats without Spark: what a plan makes of one, and the events as SQL."""

from __future__ import annotations

import re
from typing import Any

from .lake import described
from .plans import WHERE
from .render import Macros, Warehouse

TEXT = {"value": "string"}
SCHEMA = r"^describe query select json\.\* from \(select from_json\('', '(.*)'\) as json\)$"
QUERY = "select * from bronze.customers"


class Schemas(Warehouse):
    """Spark knows the columns of the query, and says which fields a schema has."""

    def __init__(self, columns: dict[str, str]) -> None:
        super().__init__()
        self.answer(r"^describe query select \* from \(", lambda: described(columns))

    def answer_itself(self, sql: str) -> Any:
        found = re.match(SCHEMA, sql, re.S)
        return described(fields_of(found[1])) if found else super().answer_itself(sql)


def fields_of(schema: str) -> dict[str, str]:
    """{name: type} of 'id int, price decimal(10, 2)', written as Spark writes types."""
    fields = re.findall(r"(?:[^,<(]|<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>|\([^)]*\))+", schema)
    pairs = (field.strip().split(" ", 1) for field in fields)
    return {name.strip("`"): re.sub(r"`?(\w+)`?:? ", r"\1:", kind).replace(", ", ",")
            for name, kind in pairs}  # fmt: skip


def parsed(
    columns: dict[str, str], yml: list[dict[str, Any]] | None = None, **config: Any
) -> dict[str, Any]:
    """What parse_format gives: {wire, defaults}; yml: the columns of the model."""
    described_in = {column["name"]: column for column in yml or []}
    node = {"config": {"unique_key": "id", **config}, "columns": described_in}
    return Macros(Schemas(columns)).parse_format(WHERE, node, QUERY)


def events(columns: dict[str, str], **config: Any) -> str:
    """The events of a format as SQL."""
    macros = Macros()
    ctes = macros.events_ctes({"wire": parsed(columns, **config)["wire"]}, QUERY)
    return macros.chain_sql([ctes], "events")
