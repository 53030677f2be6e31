"""dbt-changelog stream, killed with -9 at random moments while events keep coming: nothing is lost
and nothing is there twice.

A failure names the seed and the moments; DBT_CHANGELOG_SEED=.. draws other ones. It kills three
times, or six times DBT_CHANGELOG_KILLS: thirty times in `make test-thorough`.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections import Counter, deque
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Any

import pytest

from .changelogs import SEED
from .service import PROJECT, Service, kill

KILLS = 6 * int(os.environ.get("DBT_CHANGELOG_KILLS", "0")) or 3
KEYS = 300
DBT_PROJECT = (
    PROJECT
    + """
models:
  service:
    delta: {+file_format: delta, +schema: killed}
    iceberg: {+file_format: iceberg, +schema: lake.killed}
"""
)
EVENTS = """{{ dbt_changelog.stream(format='json', schema='op string, id int, name string, lsn int',
    options={'path': 'ROOT/events', 'maxFilesPerTrigger': FILES}) }}"""
CUSTOMERS = """
{{ config(materialized='changelog_stream', function='from_changelog', unique_key='id',
          sequence_by='lsn', changelog=true, state_ttl='0',
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}) }}
select * from EVENTS
"""
NAMES = """
{{ config(materialized='changelog_stream', function='from_changelog', changelog=true,
          op_mapping={'c, u': 'INSERT', 'd': 'DELETE'}) }}
select op, name from EVENTS
"""
HISTORY = CUSTOMERS.replace("state_ttl='0'", "stored_as_scd_type=2")
# files are seen out of order, but not that far
WAITING = CUSTOMERS.replace("'lsn'", "'_at', watermark='2000 minutes'").replace(
    "select *", "select *, timestamp_seconds(lsn) as _at"
)
PARTS = CUSTOMERS.replace("state_ttl='0'", "ignore_null_updates=true").replace(
    "select *", "select op, id, if(name < 'd', name, null) as name, lsn"
)
APPENDED = CUSTOMERS.replace("changelog=true, state_ttl='0'", "merge='on_read'").replace(
    "'UPDATE_BEFORE, UPDATE_AFTER'", "'UPDATE_AFTER'"
)
SCHEMAS = {"delta": "killed", "iceberg": "lake.killed"}
LOG = """{{ dbt_changelog.stream(
    ref('customers_STORAGE').include(identifier=false) ~ '.customers_STORAGE__changelog',
    {'maxFilesPerTrigger': 2, 'streaming-max-files-per-micro-batch': 2}) }}"""
CHANGES = """
{{ config(materialized='changelog_stream', function='to_changelog', unique_key='id') }}
select * from LOG
"""
# a change that came twice would leave a row too many
LISTS = """
{{ config(materialized='changelog_stream', function='from_changelog', unique_key='id',
          sequence_by='_place', on_conflict='DEDUPLICATE') }}
select _row_kind as op, id, name, lsn, _sequence as _place from LOG
"""
SCHEMA_NAME = """
{% macro generate_schema_name(name, node) -%} {{ name or target.schema }} {%- endmacro %}
"""
# the columns of every table that are compared
TABLES = {
    "customers_STORAGE": "id, name, lsn",
    "customers_STORAGE__changelog": "_row_kind, id, name, lsn, _sequence",
    "names_STORAGE": "name",
    "names_STORAGE__changelog": "_row_kind, name",
    "changes_STORAGE": "op, id, name, lsn",
    "history_STORAGE": "id, name, valid_from, coalesce(valid_to, -1) as valid_to",
    "waiting_STORAGE": "id, name, lsn",
    "parts_STORAGE": "id, coalesce(name, '-') as name, lsn",
    "lists_STORAGE": "id, name, lsn",
    "appended_STORAGE": "id, name, lsn",
}


class Writer(Thread):
    """Adds files of events until it is told to stop; what they should come to.

    Events of a key are some files apart: Spark may see a file before an older one.
    """

    def __init__(self, folder: Path, chance: Random) -> None:
        super().__init__(daemon=True)
        self.folder, self.chance, self.stop = folder, chance, Event()
        self.rows: dict[int, tuple[str, int]] = {}
        self.changes: list[tuple[Any, ...]] = []
        self.names: list[tuple[str, str]] = []
        self.points: dict[int, list[tuple[str | None, int]]] = {}
        self.sent: list[dict[str, Any]] = []
        self.recent: deque[set[int]] = deque(maxlen=4)
        self.files = 0

    def run(self) -> None:
        while not self.stop.wait(self.chance.uniform(0.2, 5)):
            self.add_file()

    def add_file(self) -> None:
        free = [key for key in range(KEYS) if not any(key in keys for keys in self.recent)]
        keys = self.chance.sample(free, self.chance.randint(1, 30))
        self.recent.append(set(keys))
        events = [event for key in keys for event in self.of_key(key)]
        # a change may be delivered again; without a key it is one more
        old = [event for event in self.sent[-500:] if event["op"] != "d"]
        events += self.chance.sample(old, min(len(old), self.chance.randrange(3)))
        self.names += [("DELETE" if e["op"] == "d" else "INSERT", e["name"]) for e in events]
        self.sent += events
        self.files += 1
        hidden = self.folder / f".{self.files:05}.json"
        hidden.write_text("".join(json.dumps(event) + "\n" for event in events))
        hidden.rename(self.folder / f"{self.files:05}.json")

    def of_key(self, key: int) -> list[dict[str, Any]]:
        """One to three events of a key, with the changes that they are."""
        events = []
        for _ in range(self.chance.choice([1, 1, 2, 3])):
            lsn = len(self.sent) * 100 + key * 3 + len(events)
            old = self.rows.pop(key, None)
            op = "c" if old is None else self.chance.choice("uud")
            name = old[0] if op == "d" and old else self.chance.choice("abcdefg")
            if op != "d":
                self.rows[key] = (name, lsn)
            if old is not None:
                kind = "DELETE" if op == "d" else "UPDATE_BEFORE"
                self.changes.append((kind, key, *old, lsn))
            if op != "d":
                kind = "INSERT" if op == "c" else "UPDATE_AFTER"
                self.changes.append((kind, key, name, lsn, lsn))
            self.points.setdefault(key, []).append((None if op == "d" else name, lsn))
            events.append({"op": op, "id": key, "name": name, "lsn": lsn})
        return events

    def expected(self) -> dict[str, Counter[tuple[Any, ...]]]:
        """The rows of each table: a plain fold of all events."""
        rows = Counter((key, *row) for key, row in self.rows.items())
        versions: Counter[tuple[Any, ...]] = Counter()
        for key, points in self.points.items():
            ends = [lsn for _, lsn in points[1:]] + [-1]
            for (name, begins), ends_at in zip(points, ends, strict=True):
                versions.update([] if name is None else [(key, name, begins, ends_at)])
        parts: Counter[tuple[Any, ...]] = Counter()
        for key, points in self.points.items():
            set_name = "-"
            for name, _ in points:
                set_name = "-" if name is None else name if name < "d" else set_name
            parts.update([] if points[-1][0] is None else [(key, set_name, points[-1][1])])
        names = Counter(name for kind, name in self.names if kind == "INSERT")
        names.subtract(name for kind, name in self.names if kind == "DELETE")
        return {
            "customers_STORAGE": rows,
            "waiting_STORAGE": rows,
            "parts_STORAGE": parts,
            "lists_STORAGE": rows,
            "appended_STORAGE": rows,
            "history_STORAGE": versions,
            "customers_STORAGE__changelog": Counter(self.changes),
            "names_STORAGE": Counter({(name,): count for name, count in names.items() if count}),
            "names_STORAGE__changelog": Counter(self.names),
            "changes_STORAGE": Counter(change[:-1] for change in self.changes),
        }


class KilledStreams(Service):
    """Of each storage streams of events, and two that follow the changelog of the first."""

    def __init__(self, root: Path, chance: Random) -> None:
        texts = {"customers": (CUSTOMERS, 40), "names": (NAMES, 30), "changes": (CHANGES, 0)}
        texts |= {"history": (HISTORY, 30), "waiting": (WAITING, 30)}
        texts |= {"parts": (PARTS, 30), "lists": (LISTS, 0), "appended": (APPENDED, 30)}
        models = {
            f"models/{storage}/{name}_{storage}.sql": text.replace("EVENTS", EVENTS)
            .replace("LOG", LOG)
            .replace("FILES", str(files))
            .replace("STORAGE", storage)
            .replace("ROOT", str(root))
            for storage in SCHEMAS
            for name, (text, files) in texts.items()
        }
        macros = {"macros/generate_schema_name.sql": SCHEMA_NAME}
        super().__init__(root, {"dbt_project.yml": DBT_PROJECT, **macros, **models})
        self.events = root / "events"
        self.events.mkdir()
        self.chance, self.moments = chance, list[str]()

    def kill(self) -> None:
        """Kill streams, one of each storage, while they start, in a batch or between two."""
        models = []
        for storage in SCHEMAS:
            # what the changelog of a stream is read by runs without that stream
            has_changelog = any(
                self.root.glob(f"work/**/_checkpoints/customers_{storage}/*/commits/0")
            )
            names = ["customers", "names", "history", "waiting", "parts", "appended"]
            names += ["changes", "lists"] if has_changelog else []
            models.append(f"{self.chance.choice(names)}_{storage}")
        statements, delay = self.chance.randint(20, 120), self.chance.uniform(0, 1)
        if self.chance.random() < 0.2:
            statements, delay = 0, self.chance.uniform(0, 15)
        self.moments.append(f"{' '.join(models)}: {statements} statements and {delay:.2f} s")
        more = ["--every", "1 second", "--log-level", "debug", "--target", "iceberg"]
        process = self.start("dbt_changelog._cli", "stream", "--select", *models, *more)
        self.wait_for_statements(statements, process)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=delay)
        ended = process.poll()
        with suppress(ProcessLookupError):
            kill(process)
        said = self.said()
        assert ended is None, f"it ended by itself\n{said[-6000:]}"
        assert not re.search(r"\d of \d ERROR", said), said[-6000:]

    def wait_for_statements(self, count: int, process: subprocess.Popen[bytes]) -> None:
        """Until so many have run, or none runs any more because nothing comes."""
        found, since = 0, time.monotonic()
        while found < count and process.poll() is None:
            said = self.said()
            now, runs = said.count("SQL status: "), " START sql changelog_stream" in said
            if now != found:
                found, since = now, time.monotonic()
            if time.monotonic() - since > (30 if runs else 240):
                break
            time.sleep(0.05)

    def drain(self) -> None:
        self.dbt("run", "--target", "iceberg", timeout=1800)
        flush = ["--vars", "{dbt_changelog_flush: true}", "--select", "waiting_*"]
        self.dbt("run", "--target", "iceberg", *flush)

    def found(self) -> dict[tuple[str, str], Counter[tuple[Any, ...]]]:
        """The rows of each table of each storage."""
        tables = [(storage, table) for storage in SCHEMAS for table in TABLES]
        rows = " union all ".join(
            f"select '{storage}' as storage, '{table}' as name, to_json(struct({TABLES[table]}))"
            f" as row from {SCHEMAS[storage]}.{table.replace('STORAGE', storage)}"
            for storage, table in tables
        )
        shown = ["--inline", rows, "--limit", "-1", "--output", "json", "--target", "iceberg"]
        text = self.dbt("--quiet", "show", *shown)
        found: dict[tuple[str, str], Counter[tuple[Any, ...]]] = {of: Counter() for of in tables}
        for line in json.loads(text[text.index('{\n  "show"') :])["show"]:
            found[line["storage"], line["name"]][tuple(json.loads(line["row"]).values())] += 1
        return found


@pytest.mark.thorough
def test_killed_streams_lose_nothing_and_say_nothing_twice(tmp_path):
    print(f"DBT_CHANGELOG_SEED={SEED}")
    streams = KilledStreams(tmp_path, Random(f"{SEED}:kills"))
    writer = Writer(streams.events, Random(f"{SEED}:events"))
    writer.start()
    try:
        for _ in range(KILLS):
            streams.kill()
        writer.stop.set()
        writer.join()
        streams.drain()
        expected = writer.expected()
        for (storage, table), found in streams.found().items():
            lost, more = expected[table] - found, found - expected[table]
            assert not lost and not more, (
                f"{table} of {storage}: lost {list(lost.items())[:5]},"
                f" too many {list(more.items())[:5]}"
            )
        print(f"{KILLS} kills, {writer.files} files, {len(writer.sent)} events")
    except AssertionError as error:
        moments = "\n".join(streams.moments)
        raise AssertionError(f"seed {SEED}, killed after\n{moments}\n{error}") from error
    finally:
        writer.stop.set()
