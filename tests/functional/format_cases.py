"""formats/: events of each format, and the rows that they leave."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import from_json

FOLDER = Path(__file__).parent / "formats"


@dataclass
class Case:
    """row: the columns of rows that come as text; columns: those of events that do not."""

    name: str
    format: str
    config: dict[str, Any]
    events: list[str]
    expected: list[dict[str, Any]]
    row: dict[str, str]
    columns: dict[str, str]
    keys: bool

    @classmethod
    def read(cls, folder: Path) -> Case:
        found = yaml.safe_load((folder / "case.yml").read_text(encoding="utf-8"))
        return cls(
            name=folder.name,
            format=found["format"],
            config=found["config"],
            events=lines_of(folder / "events.jsonl"),
            expected=rows(lines_of(folder / "expected.jsonl")),
            row=found.get("row", {}),
            columns=found.get("columns", {}),
            keys=found.get("keys", False),
        )

    def settings(self, **changed: str) -> dict[str, Any]:
        """The config of a model; changed: columns of the row that have another type."""
        schema = {"payload_schema": schema_of(self.row | changed)} if self.row else {}
        return {"format": self.format, **self.config, **schema}

    def frame(self, spark: SparkSession) -> DataFrame:
        """The events, the last one first."""
        if self.columns:
            texts = spark.createDataFrame([(event,) for event in self.events[::-1]], "value string")
            parsed = from_json("value", schema_of(self.columns)).alias("event")
            return texts.select(parsed).select("event.*")
        found = [(place, *event.split("\t")) for place, event in enumerate(self.events)]
        names = "place int, key string, value string" if self.keys else "place int, value string"
        return spark.createDataFrame(found[::-1], names)


def lines_of(path: Path) -> list[str]:
    """Its lines; a text may have a line separator of Unicode in it."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def rows(lines: Iterable[str]) -> list[dict[str, Any]]:
    found = [json.loads(line, parse_float=Decimal) for line in lines]
    return sorted(found, key=lambda row: str(list(row.values())[:2]))


def schema_of(columns: dict[str, str]) -> str:
    return ", ".join(f"`{name}` {type_}" for name, type_ in columns.items())


CASES = [Case.read(folder) for folder in sorted(FOLDER.glob("*/"))]
