"""What formats, rows that come in parts, and truncates cost beside whole rows without them."""

from __future__ import annotations

from .contestants import BARE, BARE_LOAD, OURS, Turn
from .events import EVENT, PAYLOAD, json_events
from .sections import Bench, add_batch, to_bare, unwritten

WHOLE, PARSED = "whole rows", "from_json alone"
EMPTY = ", ".join(f"{name} = null" for name in PAYLOAD if name not in ("id", "lsn"))
UPDATE = f"""
    update {{bare}} set op = 'd', {EMPTY}
    where op <> 'd' and lsn <= {{start}}
"""


def formats(bench: Bench) -> None:
    """Debezium's text by its format: first load, with and without values that were not sent."""
    name = bench.events(bench.sizes)
    table = f"bench.{name}_text"
    bench.spark.sql(f"drop table if exists {table}")
    json_events(bench.spark.table(f"bench.{name}")).write.format("delta").saveAsTable(table)
    parse = f"select from_json(value, '{EVENT}') as event from {table}"
    with bench.contest(events=name) as flat, bench.contest(events=f"{name}_text") as text:

        def turn(_: int) -> Turn:
            flat.drop()
            text.drop()
            return {
                OURS: text.model("ours_preset"),
                "without parts": text.model("ours_preset_whole"),
                WHOLE: flat.model("ours_full"),
                PARSED: unwritten(bench, parse),
            }

        turns = bench.turns(turn)
    section = "format debezium on text"
    bench.times(section, turns)
    for contestant in OURS, "without parts":
        ratios = (turn[contestant].node / (turn[WHOLE].node + turn[PARSED].node) for turn in turns)
        bench.ratio(f"{section}, {contestant}: to from_json alone and flat events", ratios, 1.1)


def partial_rows(bench: Bench) -> None:
    """NULL keeps a value: first load, and batches of both key ranges."""
    for key_range in "uniform", "narrow":
        sizes = bench.sizes.of(key_range=key_range)
        name = bench.events(sizes)
        with bench.contest(events=name) as contest:

            def turn(_: int, contest=contest) -> Turn:  # type: ignore[no-untyped-def]
                return {OURS: contest.model("ours_partial"), WHOLE: contest.model("ours")}

            loads, turns = [turn(0)], []
            for number in range(1 + bench.rounds):
                add_batch(bench, sizes, number, name)
                turns.append(turn(number))
        for what, found in (("first load", loads), (f"batch, {key_range} keys", turns[1:])):
            section = f"rows in parts, {what}"
            bench.times(section, found)
            ratios = (turn[OURS].node / turn[WHOLE].node for turn in found)
            bench.ratio(f"{section}: to whole rows", ratios, 1.5)


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
        history = [f"select max(version) from (describe history {table})" for table in tables]
        loaded = [bench.spark.sql(text).collect()[0][0] for text in history]
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
    bench.ratio(f"{section}: to an UPDATE", to_bare(turns), 1.2)
