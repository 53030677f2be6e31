"""Time our model, the dbt model that people write by hand, and bare SQL, taking turns.

All run in one Spark session. The first round of each section is not counted. What is compared must
hold the same rows, else the benchmark fails; it never does for a time.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial
from importlib.metadata import version
from pathlib import Path

from pyspark.sql import SparkSession

from tests.spark import JARS, LOCAL_SPARK, REPO, jars, storage_conf

from .contestants import BARE, BY_HAND
from .events import Sizes
from .history import another_key, late_events, versions
from .others import others
from .rows import json_strings, partial_rows, truncates
from .sections import (
    STORAGES,
    Bench,
    batches,
    difference,
    emission,
    encoding,
    events_growth,
    first_load,
    log_growth,
    on_read,
    table_growth,
)
from .statements import shown
from .streams import micro_batches, stream_memory, stream_rates

SECTIONS: dict[str, Callable[[Bench], None]] = {
    "load": first_load,
    **{name: partial(batches, *storage) for name, storage in STORAGES.items()},
    "on_read": on_read,
    "table_growth": table_growth,
    "log_growth": log_growth,
    "emission": emission,
    "encoding": encoding,
    "difference": difference,
    "json": json_strings,
    "partial_rows": partial_rows,
    "truncates": truncates,
    "versions": versions,
    "another_key": another_key,
    "late_events": late_events,
    "events_growth": events_growth,
    "micro_batches": micro_batches,
    "stream_rates": stream_rates,
    "stream_memory": stream_memory,
    "others": others,
}
# on another Spark, which is fetched
IF_NAMED = ["others"]
CORES = os.cpu_count() or 1
CONF = LOCAL_SPARK | {
    "spark.master": f"local[{CORES}]",
    "spark.sql.shuffle.partitions": str(CORES),
    # what Spark compiled for a contestant, it keeps for its next turn
    "spark.sql.codegen.cache.maxEntries": "1000",
    # the state store that transformWithState needs
    "spark.sql.streaming.stateStore.providerClass": (
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    ),
}


def main() -> None:
    args = _arguments()
    sizes = Sizes(args.events, args.keys, args.batch, args.seed)
    print(_heading(args), flush=True)
    with _master(args.workers) as master, _spark(master) as (spark, folder):
        spark.sql("create schema bench")
        bench = Bench(spark, folder, sizes, args.rounds)
        for name in args.only or [name for name in SECTIONS if name not in IF_NAMED]:
            started = time.monotonic()
            with shown() if args.statements else nullcontext():
                SECTIONS[name](bench)
            print(f"({name}: {time.monotonic() - started:.0f} s)", flush=True)
    print(f"\n{'ratio':<84} {'found':>7} {'most':>7}")
    for what, found, most in bench.ratios:
        print(f"{what:<84} {found:7.2f} {most:7.2f}{' missed' if found > most else ''}")


def _heading(args: argparse.Namespace) -> str:
    lines = (REPO / "spark-packages.txt").read_text().splitlines()
    versions = [f"{name} {version(name)}" for name in ("dbt-core", "dbt-spark", "pyspark")]
    versions += [line.split(":", 1)[1] for line in lines if not line.startswith("#")]
    columns = (f"{name:>7}" for name in ("median", "min", "max", "node"))
    return f"""\
{", ".join(versions)}, Python {platform.python_version()}, {CORES} cores
{", ".join(f"{name} {value}" for name, value in vars(args).items() if name != "only")}
Seconds of the whole command; node: median of what dbt says of the model alone, without its start,
or of a stream Spark of its micro-batches.
Ratios: to {BY_HAND} by whole commands, all others by node; {BARE} checks nothing.

{"section":<44} {"contestant":<18} {" ".join(columns)}"""


@contextmanager
def _master(workers: int) -> Iterator[dict[str, str]]:
    """Where Spark runs: in this process, or on workers of this machine, each with one core."""
    if not workers:
        yield {}
        return
    sys.path.append(str(REPO / "scripts"))
    from over_cluster import MEMORY, cluster

    with cluster(workers) as port:
        yield {
            "spark.master": f"spark://127.0.0.1:{port}",
            "spark.driver.host": "127.0.0.1",
            "spark.executor.memory": MEMORY,
            "spark.executor.extraClassPath": f"{JARS}/*",
        }


@contextmanager
def _spark(master: dict[str, str]) -> Iterator[tuple[SparkSession, Path]]:
    """A Spark session of this process, and a folder that goes with it."""
    folder = REPO / ".work" / "bench" / str(os.getpid())
    folders = {
        "spark.jars": jars(),
        "spark.local.dir": str(folder / "local"),
        **storage_conf(folder),
        **master,
    }
    # the workers of Python functions are of this environment too
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
    spark = SparkSession.builder.config(map=CONF | folders).getOrCreate()
    try:
        yield spark, folder
    finally:
        spark.stop()
        shutil.rmtree(folder, ignore_errors=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    sizes = {"events": 5_000_000, "keys": 500_000, "batch": 100_000, "rounds": 3, "seed": 564}
    for name, default in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--workers", type=int, default=0, help="a cluster of so many; 0: none")
    parser.add_argument("--only", nargs="+", choices=SECTIONS, help=f"sections; all but {IF_NAMED}")
    parser.add_argument("--statements", action="store_true", help="print those that take time")
    args = parser.parse_args()
    return args if args.rounds > 0 else parser.error("--rounds must be at least 1")


if __name__ == "__main__":
    main()
