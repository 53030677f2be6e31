"""How table formats that know keys take the same events: Hudi and Paimon, beside a MERGE by hand.

They run on the newest Spark that both are published for, in an environment of their own, which
`others` makes in .work/others. All must have the same rows; no time is compared with a goal.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql.functions import expr

from tests.spark import LOCAL_SPARK, WORK

from .events import PAYLOAD, Sizes, batch_events, first_events
from .queries import CHECKSUM, LAST_EVENTS, NAMES

if TYPE_CHECKING:
    from .sections import Bench

FOLDER = WORK / "others"
PYSPARK = "pyspark==3.5.7"
PACKAGES = (
    "io.delta:delta-spark_2.12:3.3.2",
    "org.apache.iceberg:iceberg-spark-runtime-3.5_2.12:1.10.0",
    "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.2.0",
    "org.apache.paimon:paimon-spark-3.5:0.9.0",
)
CORES = str(os.cpu_count())
CONF = LOCAL_SPARK | {
    "spark.master": f"local[{CORES}]",
    "spark.sql.shuffle.partitions": CORES,
    # what Hudi asks for
    "spark.serializer": "org.apache.spark.serializer.KryoSerializer",
    "spark.sql.catalog.ice": "org.apache.iceberg.spark.SparkCatalog",
    "spark.sql.catalog.ice.type": "hadoop",
    "spark.sql.catalog.paimon": "org.apache.paimon.spark.SparkCatalog",
}
LAST = LAST_EVENTS.format(events="events", start=0)
# deletes leave nothing, so a late event brings a row back
MERGE = f"""
    merge into {{table}} as kept using ({LAST}) as batch on kept.id = batch.id
    when matched and batch.lsn > kept.lsn and batch.op = 'd' then delete
    when matched and batch.lsn > kept.lsn then update set
      {", ".join(f"{name} = batch.{name}" for name in PAYLOAD)}
    when not matched and batch.op <> 'd' then insert ({NAMES})
      values ({", ".join(f"batch.{name}" for name in PAYLOAD)})
"""


class Merged:
    """A table with a MERGE by hand."""

    def __init__(self, spark: SparkSession, table: str, stored: str) -> None:
        self.spark, self.table, self.stored = spark, table, stored

    def load(self, events: DataFrame) -> None:
        events.createOrReplaceTempView("events")
        rows = f"select {NAMES} from ({LAST}) where op <> 'd'"
        self.spark.sql(f"create table {self.table} {self.stored} as {rows}")

    def batch(self, events: DataFrame) -> None:
        events.createOrReplaceTempView("events")
        self.spark.sql(MERGE.format(table=self.table))

    def rows(self) -> DataFrame:
        return self.spark.table(self.table)


class Hudi:
    """An upsert by Hudi's writer: the greatest lsn of a key stays, and a delete is a column."""

    def __init__(self, spark: SparkSession, folder: Path, kind: str) -> None:
        self.spark, self.path = spark, str(folder / kind)
        self.options = {
            "hoodie.table.name": kind,
            "hoodie.datasource.write.table.type": kind,
            "hoodie.datasource.write.recordkey.field": "id",
            "hoodie.datasource.write.precombine.field": "lsn",
            "hoodie.datasource.write.partitionpath.field": "",
            "hoodie.datasource.write.keygenerator.class": (
                "org.apache.hudi.keygen.NonpartitionedKeyGenerator"
            ),
            # an event may be of a key that the same batch has twice
            "hoodie.combine.before.insert": "true",
            **{
                f"hoodie.{verb}.shuffle.parallelism": CORES
                for verb in ("insert", "upsert", "bulkinsert", "delete")
            },
        }

    def load(self, events: DataFrame) -> None:
        self._write(events, "bulk_insert", "overwrite")

    def batch(self, events: DataFrame) -> None:
        self._write(events, "upsert", "append")

    def rows(self) -> DataFrame:
        return self.spark.read.format("hudi").load(self.path).where("not _hoodie_is_deleted")

    def _write(self, events: DataFrame, operation: str, mode: str) -> None:
        rows = events.selectExpr(*PAYLOAD, "op = 'd' as _hoodie_is_deleted")
        writer = rows.write.format("hudi").options(**self.options).mode(mode)
        writer.option("hoodie.datasource.write.operation", operation).save(self.path)


class Paimon:
    """A table with a primary key, to which events are written; it is merged when it is read."""

    def __init__(self, spark: SparkSession, table: str) -> None:
        self.spark, self.table = spark, table

    def load(self, events: DataFrame) -> None:
        fields = events.schema[tuple(events.columns).index("op") + 1 :]  # type: ignore[misc]
        columns = ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in fields)
        self.spark.sql(
            f"create table {self.table} ({columns}, kind string) tblproperties ("
            " 'primary-key' = 'id', 'bucket' = '2', 'sequence.field' = 'lsn',"
            " 'rowkind.field' = 'kind')"
        )
        self.batch(events)

    def batch(self, events: DataFrame) -> None:
        kind = expr("case op when 'd' then '-D' when 'u' then '+U' else '+I' end")
        events.select(*PAYLOAD, kind.alias("kind")).createOrReplaceTempView("kinds")
        self.spark.sql(f"insert into {self.table} select * from kinds")

    def rows(self) -> DataFrame:
        return self.spark.table(self.table)


def others(bench: Bench) -> None:
    """All of them, in a process of their own."""
    sizes, python = bench.sizes, FOLDER / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(FOLDER / "venv", with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", PYSPARK], check=True)
    numbers = (sizes.events, sizes.keys, sizes.batch, sizes.seed, bench.rounds)
    subprocess.run([python, "-m", __name__, *map(str, numbers)], check=True)


def main() -> None:
    *numbers, rounds = (int(number) for number in sys.argv[1:])
    sizes, run = Sizes(*numbers), FOLDER / str(os.getpid())
    folders = {
        "spark.jars.packages": ",".join(PACKAGES),
        "spark.jars.ivy": str(FOLDER / "ivy"),
        "spark.sql.warehouse.dir": str(run / "warehouse"),
        "spark.sql.catalog.ice.warehouse": str(run / "ice"),
        "spark.sql.catalog.paimon.warehouse": str(run / "paimon"),
    }
    if settings := os.environ.get("DBT_CHANGELOG_IVY_SETTINGS"):
        folders["spark.jars.ivySettings"] = settings
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    spark = SparkSession.builder.config(map=CONF | folders).getOrCreate()
    try:
        spark.sql("create namespace ice.bench")
        spark.sql("create database paimon.bench")
        # what Java has not compiled yet would slow down who comes first
        race(spark, run, "warm", sizes.of(events=sizes.events // 10, keys=sizes.keys // 10), 1)
        for name, seconds in race(spark, run, "race", sizes, rounds).items():
            print(f"{name:<44}", *(f"{what} {median(s):7.2f}" for what, s in seconds.items()))
    finally:
        spark.stop()
        shutil.rmtree(run, ignore_errors=True)


def race(
    spark: SparkSession, run: Path, name: str, sizes: Sizes, rounds: int
) -> dict[str, dict[str, list[float]]]:
    """Seconds of each: the load, the batches, and a query of all rows after each of them."""
    contestants = {
        "Delta, MERGE by hand": Merged(
            spark, name, "using delta tblproperties ('delta.enableDeletionVectors' = 'true')"
        ),
        "Iceberg, MERGE by hand": Merged(
            spark,
            f"ice.bench.{name}",
            "using iceberg tblproperties ('write.merge.mode' = 'merge-on-read')",
        ),
        "Hudi, copy-on-write": Hudi(spark, run / name, "COPY_ON_WRITE"),
        "Hudi, merge-on-read": Hudi(spark, run / name, "MERGE_ON_READ"),
        "Paimon, primary key": Paimon(spark, f"paimon.bench.{name}"),
    }
    found: dict[str, dict[str, list[float]]] = {name: {} for name in contestants}
    for number in range(1 + rounds):
        new = batch_events(spark, sizes, number - 1) if number else first_events(spark, sizes)
        new.write.parquet(path := str(run / name / f"events_{number}"))
        events, contents = spark.read.parquet(path), set()
        for contestant, table in contestants.items():
            write = partial(table.batch if number else table.load, events)
            query = partial(checksum, table.rows)
            for what, action in {"batch" if number else "load": write, "query": query}.items():
                started = time.perf_counter()
                contents.add(action())
                seconds = time.perf_counter() - started
                found[contestant].setdefault(what, []).append(seconds)
        contents.discard(None)
        if len(contents) != 1:
            raise SystemExit(f"Different rows: {contents}")
    return found


def checksum(rows: Callable[[], DataFrame]) -> Row | None:
    frame = rows()
    return frame.sparkSession.sql(f"select {CHECKSUM} from {{rows}}", rows=frame).head()


if __name__ == "__main__":
    main()
