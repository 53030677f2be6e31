"""What versions, rows of another key and a watermark cost beside a plain model."""

from __future__ import annotations

from .contestants import OURS, Contest, Turn
from .sections import Bench, add_batch

PLAIN = "plain model"
LATE = "update bench.{events} set ordered_at = ordered_at - interval 100 days where {condition}"


def versions(bench: Bench) -> None:
    """SCD type 2 beside the last row of each key."""
    compare(bench, "versions", "ours_versions", "ours", 1.5)


def another_key(bench: Bench) -> None:
    """Lists of rows (on_conflict) beside the last row, of a changelog that retracts each row."""
    bench.events(bench.sizes, "flat_events")
    with bench.contest(events="flat_events") as contest:
        changes = contest.compiled("emitted")
    bench.spark.sql("drop table if exists bench.pairs")
    bench.spark.sql(f"create table bench.pairs using delta as {changes}")
    with bench.contest(events="pairs") as contest:

        def turn(_: int) -> Turn:
            contest.drop()
            return {OURS: contest.model("ours_lists"), PLAIN: contest.model("ours_retracted")}

        turns = bench.turns(turn)
    section = "rows of another key, first load"
    bench.times(section, turns)
    bench.ratio(section, (turn[OURS].node / turn[PLAIN].node for turn in turns), 2.0)


def late_events(bench: Bench) -> None:
    """A batch with as many late events as others, beside one without them, with a watermark."""
    name = bench.events(bench.sizes)
    alone, late = "alone", "with late events"
    with bench.contest(events=name) as contest:
        contest.model("ours_waiting")

        def batch(number: int, share: int) -> None:
            sizes = bench.sizes.of(batch=share * bench.sizes.batch)
            start = bench.spark.table(f"bench.{name}").count()
            sizes = sizes.of(events=start)
            add_batch(bench, sizes, 0, name)
            condition = f"lsn >= {start + bench.sizes.batch}"
            bench.spark.sql(LATE.format(events=name, condition=condition))

        def turn(number: int) -> Turn:
            found: Turn = {}
            for contestant, share in ((alone, 1), (late, 2)):
                batch(number, share)
                found[contestant] = contest.model("ours_waiting")
            return found

        turns = bench.turns(turn)
    section = "a batch with a watermark"
    bench.times(section, turns)
    ratios = (turn[late].node / turn[alone].node for turn in turns)
    bench.ratio(f"{section}: with as many late events, to alone", ratios, 1.1)


def compare(bench: Bench, what: str, ours: str, plain: str, most: float) -> None:
    """Two models of the same events: first load, and batches."""
    name = bench.events(bench.sizes)
    with bench.contest(events=name) as contest:

        def turn(_: int, contest: Contest = contest) -> Turn:
            return {OURS: contest.model(ours), PLAIN: contest.model(plain)}

        loads = []
        for _ in range(1 + bench.rounds):
            contest.drop()
            loads.append(turn(0))
        turns = []
        for number in range(1 + bench.rounds):
            add_batch(bench, bench.sizes, number, name)
            turns.append(turn(number))
    for section, found in ((f"{what}, first load", loads[1:]), (f"{what}, batch", turns[1:])):
        bench.times(section, found)
        bench.ratio(section, (turn[OURS].node / turn[PLAIN].node for turn in found), most)
