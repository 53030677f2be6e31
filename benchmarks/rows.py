"""What text, rows that come in parts, and truncates cost beside flat events without them."""

from __future__ import annotations

from functools import partial
from itertools import count

from .contestants import BARE, BARE_LOAD, OURS, Turn
from .events import EVENT, PAYLOAD, json_events
from .sections import Bench, add_batch, ratios, unwritten

WHOLE, PARSED = "flat events", "from_json alone"
BY_QUERY, BY_FORMAT, ALL_SENT = "query", "format", "format, all sent"
EMPTY = ", ".join(f"{name} = null" for name in PAYLOAD if name not in ("id", "lsn"))
UPDATE = f"""
    update {{bare}} set op = 'd', {EMPTY}
    where op <> 'd' and lsn <= {{start}}
"""


def json_strings(bench: Bench) -> None:
    """Envelopes as JSON text: by a query of from_json, and by their format.

    With and without a look at each value, whether it was sent.
    """
    name = bench.events(bench.sizes)
    table = f"bench.{name}_json"
    bench.spark.sql(f"drop table if exists {table}")
    json_events(bench.spark.table(f"bench.{name}")).write.format("delta").saveAsTable(table)
    parse = f"select from_json(value, '{EVENT}') as event from {table}"
    with bench.contest(events=name) as flat, bench.contest(events=f"{name}_json") as json:

        def turn(_: int) -> Turn:
            flat.drop()
            json.drop()
            return {
                BY_QUERY: json.model("ours_json"),
                BY_FORMAT: json.model("ours_preset"),
                ALL_SENT: json.model("ours_preset_whole"),
                WHOLE: flat.model("ours_full"),
                PARSED: unwritten(bench, parse),
            }

        turns = bench.turns(turn)
    bench.times("JSON envelopes", turns)
    for contestant, most in {BY_QUERY: 1.3, BY_FORMAT: 1.1, ALL_SENT: 1.1}.items():
        ratios = (turn[contestant].node / (turn[WHOLE].node + turn[PARSED].node) for turn in turns)
        bench.ratio(f"JSON envelopes, {contestant}: to {PARSED} and {WHOLE}", ratios, most)


def partial_rows(bench: Bench) -> None:
    """NULL keeps a value: first loads, then batches of both key ranges."""
    name = bench.events(bench.sizes)
    models = {OURS: "ours_partial", WHOLE: "ours"}
    rounds, numbers = count(), count()
    with bench.contest(events=name) as contest:

        def turn() -> Turn:
            # who comes second finds the events in memory
            order = list(models) if next(rounds) % 2 else list(reversed(models))
            found = {contestant: contest.model(models[contestant]) for contestant in order}
            return {contestant: found[contestant] for contestant in models}

        def load(_: int) -> Turn:
            contest.drop()
            return turn()

        def batch(_: int, key_range: str) -> Turn:
            sizes = bench.sizes.of(key_range=key_range)
            add_batch(bench, sizes, next(numbers), name)
            return turn()

        sections = {"first load": bench.turns(load)}
        for key_range in "uniform", "narrow":
            turns = bench.turns(partial(batch, key_range=key_range))
            sections[f"batch, {key_range} keys"] = turns
    for what, turns in sections.items():
        section = f"rows in parts, {what}"
        bench.times(section, turns)
        bench.ratio(f"{section}: to whole rows", ratios(turns, OURS, WHOLE), 1.5)


def truncates(bench: Bench) -> None:
    """One event that deletes every key, and the UPDATE that does it."""
    sizes = bench.sizes.of(keys=bench.sizes.events)
    name = bench.events(sizes)
    with bench.contest(events=name) as contest:
        contest.model("ours_truncated")
        contest.bare(BARE_LOAD, 0)
        tables = [
            f"{contest.project.schema}.{table}" for table in ("ours_truncated__state", "bare")
        ]
        history = (bench.spark.sql(f"describe history {table} limit 1") for table in tables)
        loaded = [entry.collect()[0].version for entry in history]
        bench.spark.sql(f"insert into bench.{name} (op, lsn) values ('t', {sizes.events})")

        def turn(_: int) -> Turn:
            for table, version in zip(tables, loaded, strict=True):
                bench.spark.sql(f"restore table {table} to version as of {version}")
            found = {
                OURS: contest.model("ours_truncated"),
                BARE: contest.bare(UPDATE, sizes.events),
            }
            live = bench.spark.table(f"{contest.project.schema}.ours_truncated").count()
            if live or bench.spark.table(tables[1]).where("op <> 'd'").count():
                raise SystemExit(f"{live} rows after a truncate")
            return found

        turns = bench.turns(turn)
    section = f"a truncate of {sizes.keys} keys"
    bench.times(section, turns)
    bench.ratio(f"{section}: to an UPDATE", ratios(turns, OURS, BARE), 1.2)
