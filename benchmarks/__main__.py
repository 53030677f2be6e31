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

from pyspark.sql import SparkSession

from tests.functional.project import REPO, Project

from .contestants import (
    BARE,
    BARE_BATCH,
    BARE_LOAD,
    BY_HAND,
    FILES,
    OURS,
    Seconds,
    check,
    drop_tables,
    run_bare,
    run_model,
)
from .events import Sizes, batch_events, first_events

CORES = os.cpu_count() or 1
CONF = {
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
    "spark.sql.session.timeZone": "UTC",
    # as dbt-spark has it
    "spark.sql.ansi.enabled": "false",
}
VECTORS = "spark.databricks.delta.properties.defaults.enableDeletionVectors"

Rounds = dict[str, list[Seconds]]


def main() -> None:
    args = _arguments()
    sizes = Sizes(args.events, args.keys, args.batch, args.seed, args.key_range)
    with _project() as project:
        project.spark.conf.set(VECTORS, "false")
        first_events(project.spark, sizes).write.format("delta").saveAsTable("bench.events")
        print(_heading(sizes, args.rounds), flush=True)
        _print_section("first load", _first_loads(project, args.rounds))
        for vectors, value in (("off", "false"), ("on", "true")):
            project.spark.conf.set(VECTORS, value)
            batches, empty = _batches(project, sizes, args.rounds)
            _print_section(f"batch, deletion vectors {vectors}", batches)
            _print_section(f"empty batch, deletion vectors {vectors}", empty)


def _first_loads(project: Project, rounds: int) -> Rounds:
    times: Rounds = {OURS: [], BY_HAND: [], BARE: []}
    for _ in range(1 + rounds):
        drop_tables(project)
        times[OURS].append(run_model(project, "ours_full"))
        times[BY_HAND].append(run_model(project, "by_hand"))
        times[BARE].append(run_bare(project, BARE_LOAD, 0))
        check(project, "ours_full")
    return times


def _batches(project: Project, sizes: Sizes, rounds: int) -> tuple[Rounds, Rounds]:
    """Seconds of the batches, and of the runs after each that find nothing new."""
    project.sql(f"delete from events where lsn >= {sizes.events}")
    drop_tables(project)
    run_model(project, "ours")
    run_model(project, "by_hand")
    run_bare(project, BARE_LOAD, 0)
    times: Rounds = {OURS: [], BY_HAND: [], BARE: []}
    empty: Rounds = {OURS: [], BY_HAND: []}
    for number in range(1 + rounds):
        events = batch_events(project.spark, sizes, number)
        events.write.format("delta").mode("append").saveAsTable("bench.events")
        times[OURS].append(run_model(project, "ours"))
        times[BY_HAND].append(run_model(project, "by_hand"))
        times[BARE].append(run_bare(project, BARE_BATCH, sizes.start(number)))
        empty[OURS].append(run_model(project, "ours"))
        empty[BY_HAND].append(run_model(project, "by_hand"))
        check(project, "ours")
    return times, empty


def _print_section(section: str, times: Rounds) -> None:
    commands = {name: [each.command for each in rounds[1:]] for name, rounds in times.items()}
    nodes = {name: [each.node for each in rounds[1:]] for name, rounds in times.items()}
    for name, command in commands.items():
        seconds = (median(command), min(command), max(command), median(nodes[name]))
        cells = [f"{section:<34}", f"{name:<16}", *(f"{cell:7.2f}" for cell in seconds)]
        cells.append(_ratio(command, commands[BY_HAND]))
        cells.append(_ratio(nodes[name], nodes[BARE]) if BARE in nodes else f"{'-':>7}")
        print(*cells, flush=True)


def _ratio(ours: list[float], theirs: list[float]) -> str:
    """The median of the rounds' ratios: neighbours in time share the machine's noise."""
    return f"{median(a / b for a, b in zip(ours, theirs, strict=True)):7.2f}"


def _heading(sizes: Sizes, rounds: int) -> str:
    packages = ", ".join(f"{name} {version(name)}" for name in ("dbt-core", "dbt-spark", "pyspark"))
    delta = re.search(r"delta-spark\S+", (REPO / "spark-packages.txt").read_text())[0]
    columns = (f"{name:>7}" for name in ("median", "min", "max", "node", "/dbt", "/bare"))
    return f"""\
Python {platform.python_version()}, {packages}, {delta}, {CORES} cores
{sizes.events:,} events, {sizes.keys:,} keys, batches of {sizes.batch:,} ({sizes.key_range} keys), \
seed {sizes.seed}, {rounds} rounds
Seconds of the whole command; node: median of what dbt says of the model alone, without its start.
/dbt: whole command to that of {BY_HAND}; /bare: node to the statement of {BARE}.

{"section":<34} {"contestant":<16} {" ".join(columns)}"""


@contextmanager
def _project() -> Iterator[Project]:
    """A dbt project in a Spark session of this process, in a folder that goes with it."""
    folder = REPO / ".work" / "bench" / str(os.getpid())
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master(f"local[{CORES}]")
    for key, value in CONF.items():
        builder = builder.config(key, value)
    jars = sorted(str(jar) for jar in (REPO / ".work" / "jars").glob("*.jar"))
    builder = builder.config("spark.jars", ",".join(jars))
    builder = builder.config("spark.local.dir", str(folder / "local"))
    spark = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse")).getOrCreate()
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
    return parser.parse_args()


if __name__ == "__main__":
    main()
