"""Make integration_tests/fixtures/shop from a Debezium capture.

    python scripts/trim_capture.py CAPTURE integration_tests/fixtures/shop

CAPTURE holds shop.jsonl (one event a line) and shop_cuts/N/TABLE.csv (each table after the first N
events). Written are the events between two cuts, of customers and orders in batch_1.jsonl to
batch_6.jsonl and of the other tables in others_1.jsonl to others_6.jsonl, and each table after each
batch, customers_1.jsonl and so on. The README beside them says what is left out.
"""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

TABLES = {"batch": ("customers", "orders"), "others": ("inventory", "sessions")}
ENVELOPE = ("before", "after", "source", "op", "ts_ms")
SOURCE = ("lsn", "txId", "ts_ms", "snapshot", "table")


def read_events(capture: Path) -> list[dict[str, Any]]:
    # not splitlines(): values hold U+2028
    lines = (capture / "shop.jsonl").read_text(encoding="utf-8").rstrip("\n").split("\n")
    return [json.loads(line) for line in lines]


def trim_event(event: dict[str, Any]) -> dict[str, Any]:
    value = event["value"]
    if value is not None:
        value = {name: value[name] for name in ENVELOPE}
        value["source"] = {name: value["source"][name] for name in SOURCE}
    return {"topic": event["topic"], "key": event["key"], "value": value}


def read_table(file: Path) -> list[dict[str, str | None]]:
    """The rows with every value as Postgres printed it."""
    with file.open(encoding="utf-8", newline="") as lines:
        return [
            {name: None if value == r"\N" else value for name, value in row.items()}
            for row in csv.DictReader(lines)
        ]


def write_lines(file: Path, records: Iterable[dict[str, Any]]) -> None:
    lines = (json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in records)
    file.write_text("".join(lines), encoding="utf-8", newline="\n")


def main(capture: Path, fixture: Path) -> None:
    events = read_events(capture)
    cuts = sorted(int(folder.name) for folder in capture.glob("shop_cuts/*[0-9]"))
    start = 0
    for batch, end in enumerate(cuts, start=1):
        for name, tables in TABLES.items():
            kept = (e for e in events[start:end] if e["topic"].rsplit(".", 1)[-1] in tables)
            write_lines(fixture / f"{name}_{batch}.jsonl", map(trim_event, kept))
            for table in tables:
                rows = read_table(capture / "shop_cuts" / str(end) / f"{table}.csv")
                write_lines(fixture / f"{table}_{batch}.jsonl", rows)
        start = end


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), Path(sys.argv[2]))
