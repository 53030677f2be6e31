"""What micro-batches cost, beside other ways to run the same events on Structured Streaming."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from threading import Event
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.listener import StreamingQueryListener
from pyspark.sql.streaming.stateful_processor import StatefulProcessor

from tests.functional.project import Project

from .contestants import (
    BARE,
    BARE_BATCH,
    BARE_LOAD,
    FLOOR,
    FLOOR_BATCH,
    FLOOR_LOAD,
    OURS,
    Seconds,
    Turn,
    timed,
)
from .events import Sizes, batch_events, first_events
from .queries import NAMES
from .sections import Bench, ratios

SCHEMA = "bench_stream"
FOREACH, ONCE, STATEFUL = "foreachBatch", "dropDuplicates", "transformWithState"
MODEL = f"""
    {{{{ config(
        materialized='changelog_stream', function='from_changelog', unique_key='id',
        sequence_by='lsn',
        op_mapping={{'c, r': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}},
        tblproperties={{'delta.enableDeletionVectors': 'false'}}
    ) }}}}
    select op, {NAMES} from stream bench.stream_events $options where op <> 'other'
"""


class LastEvent(StatefulProcessor):
    """The event of a key with the greatest lsn, by transformWithState; one row for each key."""

    def init(self, handle: Any) -> None:
        self._lsn = handle.getValueState("lsn", "lsn bigint")

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[Any]:
        last = max(rows, key=lambda row: row.lsn)
        stored = self._lsn.get()
        if stored is None or stored[0] < last.lsn:
            self._lsn.update((last.lsn,))
            yield last

    def close(self) -> None:
        pass


class Watch(StreamingQueryListener):
    """How long the micro-batches of the next stream take, as Spark says."""

    def __init__(self) -> None:
        self.seconds, self.ended = 0.0, Event()

    def onQueryStarted(self, event: Any) -> None:
        pass

    def onQueryProgress(self, event: Any) -> None:
        durations = event.progress.durationMs
        # without it no micro-batch ran
        if "addBatch" in durations:
            self.seconds += durations["triggerExecution"] / 1000

    def onQueryIdle(self, event: Any) -> None:
        pass

    def onQueryTerminated(self, event: Any) -> None:
        self.ended.set()


def watched(spark: SparkSession, action: Callable[[], Any]) -> Seconds:
    """`command`: all of it; `node`: its micro-batches, as Spark says."""
    watch = Watch()
    spark.streams.addListener(watch)
    try:
        seconds = timed(action).command
        if not watch.ended.wait(60):
            raise SystemExit("No stream has ended")
    finally:
        spark.streams.removeListener(watch)
    return Seconds(seconds, watch.seconds)


@dataclass
class Race:
    """The contestants, each with its table and its checkpoint."""

    spark: SparkSession
    folder: Path
    project: Project
    name: str

    @classmethod
    def create(cls, bench: Bench, name: str, options: str = "") -> Race:
        folder, files = bench.folder / name, {"models/ours.sql": MODEL.replace("$options", options)}
        project = Project.create(folder / "project", bench.spark, name, files)
        return cls(bench.spark, folder, project, name)

    def ours(self) -> Seconds:
        return watched(self.spark, lambda: self.project.run("run"))

    def by_hand(self) -> Seconds:
        """The MERGE that people write into foreachBatch; nothing is checked."""

        def merge(frame: DataFrame, _: int) -> None:
            frame.createOrReplaceTempView("batch_of_events")
            sql = BARE_BATCH.format(bare=f"{self.name}.by_hand", events="batch_of_events", start=0)
            frame.sparkSession.sql(sql)

        return self._query(FOREACH, self._events(), merge)

    def nothing(self) -> Seconds:
        """Spark's own cost of a foreachBatch."""
        return self._query("nothing", self._events(), lambda frame, number: None)

    def once(self) -> Seconds:
        """Each event once, by the state store of Spark; not written."""
        return self._query(ONCE, self._events().dropDuplicates(["id", "lsn"]), None)

    def stateful(self) -> Seconds:
        """The last event of a key, by the state store of Spark; not written."""
        frame = self._events()
        last = frame.groupBy("id").transformWithState(LastEvent(), frame.schema, "update", "none")
        return self._query(STATEFUL, last, None, "update")

    def _events(self) -> DataFrame:
        return self.spark.sql("select * from stream bench.stream_events where op <> 'other'")

    def _query(
        self,
        name: str,
        frame: DataFrame,
        function: Callable[[DataFrame, int], None] | None,
        mode: str = "append",
    ) -> Seconds:
        writer = frame.writeStream.outputMode(mode).trigger(availableNow=True)
        writer = writer.option("checkpointLocation", str(self.folder / name))
        writer = writer.foreachBatch(function) if function else writer.format("noop")
        return watched(self.spark, lambda: writer.start().awaitTermination())


def add(bench: Bench, events: DataFrame) -> None:
    events.write.format("delta").mode("append").saveAsTable("bench.stream_events")
    bench.spark.sql("select max(lsn) from bench.stream_events").collect()


def begun(bench: Bench, sizes: Sizes, name: str) -> Race:
    """All contestants have read the first events."""
    race = Race.create(bench, name)
    bench.spark.sql("drop table if exists bench.stream_events")
    add(bench, first_events(bench.spark, sizes))
    for table, load in ("by_hand", BARE_LOAD), ("bare", FLOOR_LOAD):
        sql = load.format(
            bare=f"{name}.{table}",
            format="delta",
            properties="tblproperties ('delta.enableDeletionVectors' = 'false')",
            events="bench.stream_events",
            start=0,
        )
        bench.spark.sql(sql)
    bench.spark.sql(f"create table {name}.bare shallow clone {name}.by_hand")
    race.ours()
    race.nothing()
    # the table has them already
    race.by_hand()
    return race


def micro_batches(bench: Bench) -> None:
    """A large, a small and an empty micro-batch into a table of all keys."""
    many, few = bench.sizes.of(batch=10 * bench.sizes.batch), bench.sizes.of(batch=1000)
    race = begun(bench, bench.sizes, f"{SCHEMA}_batches")
    start = bench.sizes.events

    def turn(sizes: Sizes, others: bool) -> Turn:
        nonlocal start
        batch = sizes.of(events=start)
        start = batch.start(1)
        add(bench, batch_events(bench.spark, batch, 0))
        bare, floor = (
            merge.format(
                bare=f"{race.name}.bare", events="bench.stream_events", start=batch.start(0)
            )
            for merge in (BARE_BATCH, FLOOR_BATCH)
        )
        found = {
            OURS: race.ours(),
            FOREACH: race.by_hand(),
            BARE: timed(lambda: bench.spark.sql(bare).collect()),
            FLOOR: timed(lambda: bench.spark.sql(floor).collect()),
        }
        return found | ({ONCE: race.once(), STATEFUL: race.stateful()} if others else {})

    def empty(_: int) -> Turn:
        add(bench, batch_events(bench.spark, few, 0).selectExpr("'other' as op", "* except (op)"))
        return {OURS: race.ours(), FOREACH: race.by_hand(), "nothing": race.nothing()}

    turns = bench.turns(lambda _: turn(many, True))
    section = f"micro-batch of {many.batch}"
    bench.times(section, turns)
    bench.ratio(f"{section}: to the MERGE alone", ratios(turns, OURS, BARE), 1.1)
    bench.ratio(f"{section}: to the bare state", ratios(turns, OURS, FLOOR), 1.1)
    bench.ratio(f"{section}: bare state to the MERGE alone", ratios(turns, FLOOR, BARE), 1.1)
    turns = bench.turns(lambda _: turn(few, False))
    section = f"micro-batch of {few.batch}"
    bench.times(section, turns)
    beyond = (t[OURS].node - t[BARE].node for t in turns)
    bench.ratio(f"{section}: seconds beyond the MERGE", beyond, 0.7)
    turns = bench.turns(empty)
    bench.times("empty micro-batch", turns)
    bench.ratio(
        "empty micro-batch: to Spark's own", (t[OURS].node / t["nothing"].node for t in turns), 3.0
    )


def stream_rates(bench: Bench) -> None:
    """Four times the events, from nothing."""
    rates = {}
    for share in 1, 4:
        sizes = bench.sizes.of(events=share * bench.sizes.events)

        def turn(number: int, sizes: Sizes = sizes, share: int = share) -> Turn:
            race = Race.create(bench, f"{SCHEMA}_{share}_{number}")
            return {OURS: race.ours()}

        bench.spark.sql("drop table if exists bench.stream_events")
        add(bench, first_events(bench.spark, sizes))
        turns = bench.turns(turn)
        bench.times(f"stream of {sizes.events} events, from nothing", turns)
        rates[share] = median(t[OURS].node for t in turns) / sizes.events
    bench.ratio("time an event of a stream, 4 times the events", iter([rates[4] / rates[1]]), 1.1)


def stream_memory(bench: Bench) -> None:
    """A hundred micro-batches more, in the same keys: what memory and state still hold."""
    sizes = bench.sizes.of(events=bench.sizes.keys // 10, keys=bench.sizes.keys // 10, batch=1000)
    race = Race.create(bench, f"{SCHEMA}_memory", "with ('maxFilesPerTrigger' = '1')")
    bench.spark.sql("drop table if exists bench.stream_events")
    add(bench, first_events(bench.spark, sizes))
    found, added = [], 0
    for count in 10, 100:
        for number in range(added, added + count):
            add(bench, batch_events(bench.spark, sizes, number).where("op <> 'c'").coalesce(1))
        added += count
        race.ours()
        (kept,) = bench.spark.sql(f"select count(*) as rows from {race.name}.ours__state").collect()
        found.append((live_memory(bench.spark), kept.rows))
        print(
            f"after {count} micro-batches: {found[-1][0]:.0f} MB live, {kept.rows} rows", flush=True
        )
    (few, rows), (many, more) = found
    bench.ratio("live memory after 100 micro-batches more", iter([many / few]), 1.1)
    bench.ratio("rows of the state after 100 micro-batches more", iter([more / rows]), 1.0)


def live_memory(spark: SparkSession) -> float:
    """MB that a full collection leaves."""
    runtime = spark._jvm.java.lang.Runtime.getRuntime()  # type: ignore[union-attr]
    spark._jvm.java.lang.System.gc()  # type: ignore[union-attr]
    return float(runtime.totalMemory() - runtime.freeMemory()) / 2**20
