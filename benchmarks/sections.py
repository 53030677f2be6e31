"""What is measured, a function a question. Each prints its times and gives its ratios."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from pyspark.sql import SparkSession
from pyspark.sql.functions import expr

from .contestants import BARE, BARE_LOAD, BY_HAND, FLOOR, OURS, RUN, Contest, Seconds, Turn, timed
from .events import PAYLOAD, Sizes, batch_events, first_events
from .queries import BEST_EMISSION, BEST_ENCODING, FULL_OUTER_JOIN

VECTORS = "delta.enableDeletionVectors"
COPY_ON_WRITE, MERGE_ON_READ = (
    {f"write.{verb}.mode": mode for verb in ("merge", "update", "delete")}
    for mode in ("copy-on-write", "merge-on-read")
)
# section: storage, format, table properties, the most that a batch may cost beside the hand-written
# merge
STORAGES = {
    "batch_delta": ("Delta", "delta", {VECTORS: "false"}, 1.1),
    "batch_vectors": ("Delta, deletion vectors", "delta", {VECTORS: "true"}, 1.25),
    "batch_iceberg": ("Iceberg, copy-on-write", "iceberg", COPY_ON_WRITE, 1.1),
    "batch_merge_on_read": (
        "Iceberg, merge-on-read",
        "iceberg",
        MERGE_ON_READ,
        1.25,
    ),
    # our state is stored as suits a MERGE, their table as Delta and Iceberg store it unless told
    "batch_delta_defaults": ("Delta, defaults", "delta", {}, 0.8),
    "batch_iceberg_defaults": ("Iceberg, defaults", "iceberg", {}, 0.8),
}

BEST_MERGES = ["batch_vectors", "batch_merge_on_read"]
MERGED = "merge on write"


@dataclass
class Bench:
    spark: SparkSession
    folder: Path
    sizes: Sizes
    rounds: int
    # (what, median of the ratios, the most it may be)
    ratios: list[tuple[str, float, float]] = field(default_factory=list)
    contests: int = 0

    def turns(self, turn: Callable[[int], Turn]) -> list[Turn]:
        """The first round is not counted."""
        return [turn(number) for number in range(1 + self.rounds)][1:]

    def times(self, section: str, turns: list[Turn]) -> None:
        for name in turns[0]:
            command = [turn[name].command for turn in turns]
            values = (*spread(command), median(turn[name].node for turn in turns))
            print(f"{section:<44} {name:<18}", *(f"{v:7.2f}" for v in values), flush=True)

    def ratio(self, what: str, ratios: Iterator[float], most: float) -> None:
        # the median of the ratios: neighbours in time share the machine's noise
        self.ratios.append((what, median(ratios), most))

    def events(self, sizes: Sizes, name: str = "events") -> str:
        """A new table of events."""
        self.spark.sql(f"drop table if exists bench.{name}")
        first_events(self.spark, sizes).write.format("delta").saveAsTable(f"bench.{name}")
        return name

    @contextmanager
    def contest(
        self, storage: str = "delta", properties: dict[str, str] | None = None, **kwargs: str
    ) -> Iterator[Contest]:
        self.contests += 1
        folder = self.folder / f"bench_{self.contests}"
        contest = Contest.create(folder, self.spark, storage, properties, **kwargs)
        try:
            yield contest
        finally:
            contest.drop()


def spread(values: list[float]) -> tuple[float, float, float]:
    return median(values), min(values), max(values)


def ratios(turns: list[Turn], of: str, to: str) -> Iterator[float]:
    return (turn[of].node / turn[to].node for turn in turns)


def beside_floors(bench: Bench, what: str, turns: list[Turn], most: float) -> None:
    """What checks cost, and whether a goal beside the hand-written model can be met: with a state,
    and with what else a run does."""
    for floor in FLOOR, RUN:
        bench.ratio(f"{what}: to the {floor}", ratios(turns, OURS, floor), 1.25)
        bench.ratio(f"{what}: {floor} to dbt incremental", ratios(turns, floor, BY_HAND), most)


def to_by_hand(turns: list[Turn]) -> Iterator[float]:
    return (turn[OURS].command / turn[BY_HAND].command for turn in turns)


def first_load(bench: Bench) -> None:
    """All events at once, into nothing."""
    for key_range in "uniform", "skewed":
        with bench.contest() as contest:
            bench.events(bench.sizes.of(key_range=key_range))
            turns = bench.turns(lambda _, contest=contest: contest.load("ours_full"))
        section = f"first load, {key_range} keys"
        bench.times(section, turns)
        bench.ratio(f"{section}: to max_by and write", ratios(turns, OURS, BARE), 1.25)
        bench.ratio(f"{section}: to dbt incremental", to_by_hand(turns), 1.1)
        beside_floors(bench, section, turns, 1.1)


def batches(
    storage: str, file_format: str, properties: dict[str, str], most: float, bench: Bench
) -> None:
    """New events into a table that is there, and runs that find nothing new."""
    for key_range in "uniform", "narrow":
        sizes = bench.sizes.of(key_range=key_range)
        name = bench.events(sizes)
        with bench.contest(file_format, properties) as contest:
            contest.load()
            turns, empty = [], []
            for number in range(1 + bench.rounds):
                add_batch(bench, sizes, number, name)
                turns.append(contest.batch(sizes.start(number)))
                empty.append(contest.empty_batch())
        section = f"{storage}, {key_range} keys"
        bench.times(f"batch, {section}", turns[1:])
        bench.times(f"empty batch, {section}", empty[1:])
        bench.ratio(f"batch, {section}: to dbt incremental", to_by_hand(turns[1:]), most)
        beside_floors(bench, f"batch, {section}", turns[1:], most)
        bench.ratio(f"empty batch, {section}: to dbt incremental", to_by_hand(empty[1:]), 1.5)


def add_batch(bench: Bench, sizes: Sizes, number: int, name: str) -> None:
    events = batch_events(bench.spark, sizes, number)
    events.write.format("delta").mode("append").saveAsTable(f"bench.{name}")
    # whoever asks first would pay for reading the log of the new version
    bench.spark.sql(f"select max(lsn) from bench.{name}").collect()


def table_growth(bench: Bench) -> None:
    """A batch in 2 % of the keys, into a table of ten times the keys."""
    grow(bench, "narrow batch", lambda contest: contest.model("ours"))


def log_growth(bench: Bench) -> None:
    """A log of the changes of such a table reads on."""

    def log(contest: Contest) -> Seconds:
        contest.model("produced")
        return contest.model("log")

    grow(bench, "log of a narrow batch", log)


def grow(bench: Bench, what: str, run: Callable[[Contest], Seconds]) -> None:
    """The same batch for a table of few keys and one of ten times as many."""
    few = bench.sizes.of(key_range="narrow")
    many = few.of(keys=10 * few.keys, events=max(few.events, 10 * few.keys))
    with bench.contest(events="few") as small, bench.contest(events="many") as large:
        sides = {"few keys": (few, small), "many keys": (many, large)}
        for sizes, contest in sides.values():
            bench.events(sizes, contest.events)
            run(contest)

        def turn(number: int) -> Turn:
            for sizes, contest in sides.values():
                add_batch(bench, sizes, number, contest.events)
            return {name: run(contest) for name, (_, contest) in sides.items()}

        turns = bench.turns(turn)
    section = f"{what}, {few.keys} and {many.keys} keys"
    bench.times(section, turns)
    bench.ratio(section, (turn["many keys"].node / turn["few keys"].node for turn in turns), 1.5)


def on_read(bench: Bench) -> None:
    """Batches that are appended beside those that are merged, until the state was compacted; ten
    times the keys."""
    for storage, file_format, properties, _ in (STORAGES[name] for name in BEST_MERGES):
        keys = 10 * bench.sizes.keys
        sizes = bench.sizes.of(keys=keys, events=keys)
        name = bench.events(sizes)
        with bench.contest(file_format, properties) as contest:
            sides = {OURS: "ours_appended", MERGED: "ours"}
            for model in sides.values():
                contest.model(model)
            turns, queries = list[Turn](), list[Turn]()
            while not turns or "-- compact state" not in contest.project.ran("ours_appended"):
                add_batch(bench, sizes, len(turns), name)
                turns.append({side: contest.model(model) for side, model in sides.items()})
                queries.append({side: contest.query(model) for side, model in sides.items()})
        section = f"{storage}, {keys} keys"
        bench.times(f"appended batch, {section}", turns)
        bench.times(f"query, {section}", queries)
        spent = {side: sum(turn[side].node for turn in turns) for side in sides}
        ratio = spent[OURS] / spent[MERGED]
        bench.ratio(f"{len(turns)} batches and a compaction, {section}", iter([ratio]), 0.5)
        ratios = (turn[OURS].node / turn[MERGED].node for turn in queries)
        bench.ratio(f"query of the view, {section}", ratios, 2.0)


def emission(bench: Bench) -> None:
    """Upserts become updates with both halves."""
    bench.events(bench.sizes)
    with bench.contest() as contest:
        sql = contest.compiled("emitted")
    race(bench, "emission", sql, BEST_EMISSION, 1.15)


def encoding(bench: Bench) -> None:
    """Changes become events with both images."""
    # all but the first change of a key is an update, of two changes
    bench.events(bench.sizes.of(events=(bench.sizes.events + bench.sizes.keys) // 2))
    with bench.contest() as contest:
        changes = contest.compiled("emitted")
    bench.spark.sql("drop table if exists bench.changes")
    bench.spark.sql(f"create table bench.changes using delta as {changes}")
    with bench.contest(events="changes") as contest:
        sql = contest.compiled("encoded")
    race(bench, "encoding", sql, BEST_ENCODING, 1.2)


def difference(bench: Bench) -> None:
    """Two tables, of which one row in a hundred differs, become changes."""
    rows = first_events(bench.spark, bench.sizes.of(keys=bench.sizes.events)).select(*PAYLOAD)
    note = "if(id % 100 = 0, 'changed', note)"
    for name, table in {"old_rows": rows, "new_rows": rows.withColumn("note", expr(note))}.items():
        table.write.format("delta").mode("overwrite").saveAsTable(f"bench.{name}")
    with bench.contest() as contest:
        sql = contest.compiled("compared")
    race(bench, "difference", sql, FULL_OUTER_JOIN, 1.3)


def race(bench: Bench, what: str, ours: str, bare: str, most: float) -> None:
    """Two queries of one purpose, not written."""
    turns = bench.turns(lambda _: {OURS: unwritten(bench, ours), BARE: unwritten(bench, bare)})
    bench.times(f"{what}, not written", turns)
    bench.ratio(f"{what}, not written: to the same, unchecked", ratios(turns, OURS, BARE), most)


def unwritten(bench: Bench, sql: str) -> Seconds:
    rows = bench.spark.sql(sql).write.format("noop").mode("overwrite")
    return timed(rows.save)


def events_growth(bench: Bench) -> None:
    """Time an event and memory, from a quarter of the events to four times as many."""
    found = {}
    for share in (0.25, 1, 4):
        sizes = bench.sizes.of(events=int(share * bench.sizes.events))
        bench.events(sizes)
        with bench.contest() as contest:

            def turn(_: int, contest: Contest = contest) -> Turn:
                contest.drop()
                reset_peaks(bench.spark)
                return {OURS: contest.model("ours_full"), BARE: contest.bare(BARE_LOAD, 0)}

            turns = bench.turns(turn)
        bench.times(f"first load of {sizes.events} events", turns)
        seconds = median(turn[OURS].node for turn in turns)
        found[share] = (seconds / sizes.events, peak(bench.spark))
        print(f"{1e6 * found[share][0]:.3f} s a million events, {found[share][1]} MB", flush=True)
    bench.ratio("time an event, 16 times the events", iter([found[4][0] / found[0.25][0]]), 1.2)
    bench.ratio("peak memory, 16 times the events", iter([found[4][1] / found[0.25][1]]), 1.2)


def reset_peaks(spark: SparkSession) -> None:
    for pool in _pools(spark):
        pool.resetPeakUsage()


def peak(spark: SparkSession) -> int:
    """MB of objects that lived long: the peak of the JVM's old generation."""
    return sum(p.getPeakUsage().getUsed() for p in _pools(spark) if "Old" in p.getName()) >> 20


def _pools(spark: SparkSession) -> list:  # type: ignore[type-arg]
    factory = spark._jvm.java.lang.management.ManagementFactory  # type: ignore[union-attr]
    return list(factory.getMemoryPoolMXBeans())
