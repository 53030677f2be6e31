"""Time our model, the dbt model that people write by hand, and bare SQL, taking turns.

All run in one Spark session. The first round of each section is not counted. A first load starts
without tables; for a batch each round appends new events to the source, and everyone reads them.
After each round all must hold the same rows, else the benchmark fails; it never does for a time.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from statistics import median
from typing import Any

from pyspark.sql import SparkSession

from tests.functional.project import REPO, Project

from .contestants import BARE, BY_HAND, FILES, Turn, batch, empty_batch, first_load
from .events import Sizes, batch_events, first_events

CORES = os.cpu_count() or 1
CONF: dict[str, Any] = {
    "spark.master": f"local[{CORES}]",
    # no metastore: tables live as long as this process
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    # the default of 50 costs 10 s a write on a small machine
    "spark.databricks.delta.snapshotPartitions": "1",
    "spark.sql.shuffle.partitions": str(CORES),
    "spark.driver.memory": "4g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
}
VECTORS = "spark.databricks.delta.properties.defaults.enableDeletionVectors"


def main() -> None:
    args = vars(_arguments())
    heading = _heading(args)
    rounds = range(1 + args.pop("rounds"))
    sizes = Sizes(**args)
    with _project() as project:
        print(heading, flush=True)
        project.spark.conf.set(VECTORS, "false")
        first_events(project.spark, sizes).write.format("delta").saveAsTable("bench.events")
        _print("first load", [first_load(project, "ours_full") for _ in rounds])
        for vectors, value in (("off", "false"), ("on", "true")):
            project.spark.conf.set(VECTORS, value)
            project.sql(f"delete from events where lsn >= {sizes.events}")
            first_load(project, "ours")
            batches, empty = [], []
            for number in rounds:
                events = batch_events(project.spark, sizes, number)
                events.write.format("delta").mode("append").saveAsTable("bench.events")
                batches.append(batch(project, sizes.start(number)))
                empty.append(empty_batch(project))
            _print(f"batch, deletion vectors {vectors}", batches)
            _print(f"empty batch, deletion vectors {vectors}", empty)


def _print(section: str, turns: list[Turn]) -> None:
    for name in turns[0]:
        seconds = [turn[name].command for turn in turns[1:]]
        to_by_hand = [turn[name].command / turn[BY_HAND].command for turn in turns[1:]]
        to_bare = [turn[name].node / turn[BARE].node for turn in turns[1:] if BARE in turn]
        values = (seconds, [min(seconds)], [max(seconds)], [turn[name].node for turn in turns[1:]])
        # the median of the ratios: neighbours in time share the machine's noise
        cells = (f"{median(v):7.2f}" if v else f"{'-':>7}" for v in (*values, to_by_hand, to_bare))
        print(f"{section:<34} {name:<16}", *cells, flush=True)


def _heading(args: dict[str, Any]) -> str:
    packages = (REPO / "spark-packages.txt").read_text().split()
    versions = [f"{name} {version(name)}" for name in ("dbt-core", "dbt-spark", "pyspark")]
    versions += [package for package in packages if "delta" in package]
    columns = (f"{name:>7}" for name in ("median", "min", "max", "node", "/dbt", "/bare"))
    return f"""\
{", ".join(versions)}, Python {platform.python_version()}, {CORES} cores
{", ".join(f"{name} {value}" for name, value in args.items())}
Seconds of the whole command; node: median of what dbt says of the model alone, without its start.
/dbt: whole command to that of {BY_HAND}; /bare: node to the statement of {BARE}.

{"section":<34} {"contestant":<16} {" ".join(columns)}"""


@contextmanager
def _project() -> Iterator[Project]:
    """A dbt project in a Spark session of this process, in a folder that goes with it."""
    folder = REPO / ".work" / "bench" / str(os.getpid())
    folders = {
        "spark.jars": ",".join(map(str, (REPO / ".work" / "jars").glob("*.jar"))),
        "spark.local.dir": str(folder / "local"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    spark = SparkSession.builder.config(map=CONF | folders).getOrCreate()
    try:
        yield Project.create(folder, spark, "bench", FILES)
    finally:
        spark.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    sizes = {"events": 5_000_000, "keys": 500_000, "batch": 100_000, "rounds": 3, "seed": 564}
    for name, default in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--key-range", choices=("uniform", "narrow"), default="uniform")
    args = parser.parse_args()
    return args if args.rounds > 0 else parser.error("--rounds must be at least 1")


if __name__ == "__main__":
    main()
