"""make demo: real change events become tables; a second batch; a run that fails; the way back; a
stream that follows a folder.

Everything is run by dbt, in one process, on an embedded Spark; its tables stay in .work/demo.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import time
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

from dbt.cli.main import dbtRunner
from pyspark.sql import SparkSession

PROJECT = Path(__file__).resolve().parent.parent / "integration_tests"
WORK = PROJECT.parent / ".work" / "demo"
TABLES = {"customers": "customers_dump", "orders": "orders_dump"}
STREAM = "live_customers"
FOLLOW = "{trigger: {processing_time: 1 second, idle_for: 5 seconds}}"
SECONDS_TO_WAIT = 120
# not splitlines(): values hold U+2028
LINE_END = "\n"


def title(text: str) -> None:
    print(f"\n=== {text}", flush=True)


def dbt(*arguments: str, fails: bool = False, callbacks: Any = ()) -> None:
    """Run a dbt command as a user would and stop the demo if it does not end as it should."""
    print(f"\n$ dbt {' '.join(arguments)}", flush=True)
    words = 2 if arguments[0] == "docs" else 1
    options = ["--target", "dev", "--no-version-check", "--log-path", str(WORK / "logs")]
    if arguments[0] != "deps":
        options += ["--target-path", str(WORK / "target")]
    command = [*arguments[:words], *options, *arguments[words:]]
    result = dbtRunner(callbacks=[*callbacks]).invoke(["--quiet", *command])
    results = getattr(result.result, "results", None) or []
    for node in results if arguments[0] == "run" else []:
        message = (node.message or "").splitlines()
        print(f"  {node.node.name}: {node.status}, {message[0] if message else ''}")
        for line in message[1:3] if str(node.status) == "error" else []:
            print(f"  {line}")
    if result.success == fails:
        sys.exit(f"dbt {arguments[0]} was expected to {'fail' if fails else 'succeed'}")


def land(batch: int) -> None:
    dbt("run-operation", "land_batch", "--args", f"{{batch: {batch}}}")


def show(query: str) -> None:
    print(f"\nselect> {query}")
    SparkSession.builder.getOrCreate().sql(query).show(6, truncate=36)


def check_tables(tables: dict[str, str] = TABLES) -> None:
    """Compare with the dump that Postgres made after the last landed batch; rows count."""
    spark = SparkSession.builder.getOrCreate()
    for table, dump in tables.items():
        ours, source = spark.table(f"analytics.{table}"), spark.table(f"analytics.{dump}")
        wrong = ours.exceptAll(source).count() + source.exceptAll(ours).count()
        print(f"  {table}: {ours.count()} rows, {wrong} differ from the source database")
        if wrong:
            sys.exit(f"{table} is wrong")


def next_files() -> list[str]:
    """The events of the batches that have not landed yet, in the texts of three files."""
    shop = PROJECT / "fixtures" / "shop"
    texts = [(shop / f"batch_{batch}.jsonl").read_text(encoding="utf-8") for batch in (5, 6)]
    lines = "".join(texts).rstrip(LINE_END).split(LINE_END)
    size = -(-len(lines) // 3)
    return [LINE_END.join(lines[first : first + size]) for first in range(0, len(lines), size)]


class Connector(Thread):
    """It lands a file when a stream runs, and the next one when the stream has read the last."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__(daemon=True)
        self.waiting, self.lines = texts, Queue[str]()

    def hear(self, event: Any) -> None:
        """Of all that dbt says, the lines of the micro-batches."""
        if event.info.name == "JinjaLogInfo" and event.info.msg.startswith(f"{STREAM}: batch "):
            print(f"  {event.info.msg}", flush=True)
            self.lines.put(event.info.msg)

    def run(self) -> None:
        streams = SparkSession.builder.getOrCreate().streams
        deadline = time.monotonic() + SECONDS_TO_WAIT
        while not streams.active and time.monotonic() < deadline:
            time.sleep(0.1)
        for number in range(1, len(self.waiting) + 1):
            text = self.waiting[0]
            # under another name first: the stream must not read half of it
            hidden = WORK / "landing" / f".events_{number}.json"
            hidden.write_text(text, encoding="utf-8")
            hidden.rename(hidden.with_name(hidden.name[1:]))
            print(f"  landed: events_{number}.json, {len(text.split(LINE_END))} events", flush=True)
            self.lines.get()
            self.waiting.pop(0)


def follow() -> None:
    """One dbt run, while files land in the folder that its stream reads."""
    connector = Connector(next_files())
    connector.start()
    dbt("run", "--select", STREAM, "--vars", FOLLOW, callbacks=[connector.hear])
    connector.join(timeout=1)
    if connector.waiting:
        sys.exit(f"the stream has not read {len(connector.waiting)} of the files")


def main() -> None:
    started = time.monotonic()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    (WORK / "jars").symlink_to("../jars")
    os.chdir(PROJECT)
    os.environ |= {"PWD": str(PROJECT), "DBT_CHANGELOG_WORK": str(WORK)}
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    logging.getLogger("SQLQueryContextLogger").disabled = True
    models = ("--select", "path:models/shop")

    title("1. A batch of Debezium events of a shop's Postgres lands in a bronze table")
    dbt("deps")
    land(1)
    show("select topic, key, value from bronze.shop_events limit 3")

    title("2. The first run: the log of changes becomes the tables that it describes")
    dbt("run", *models)
    show("select * from analytics.customers order by id")
    check_tables()

    title("3. More events: updates, deletes, keys that change. A run reads only what is new")
    land(2)
    dbt("run", *models)
    check_tables()

    title("4. A run that fails half-way: after the state is written, before the batch is committed")
    land(3)
    failure = "{dbt_changelog_fail_after: write state}"
    dbt("run", *models, "--vars", failure, fails=True)

    title("5. The next run, as if nothing had happened")
    dbt("run", *models)
    check_tables()

    title("6. What every batch did")
    show(
        "select split_part(uid, '.', 3) as model, batch_id, rows_inserted, rows_updated,"
        " rows_deleted"
        " from analytics.dbt_changelog_batches order by model, batch_id"
    )

    title("7. The way back: what a batch changed in customers, as Debezium would say it")
    log = ("--select", "customers_log")
    dbt("run", *log)
    land(4)
    dbt("run", *models)
    dbt("run", *log)
    show("select * from analytics.customers_log where _batch_id = 2 order by op desc, after.id")

    title("8. The SQL of the last run of customers, as dbt left it in target/run")
    (file,) = (WORK / "target" / "run").rglob("shop/customers.sql")
    print(file.read_text())

    title("9. The same as a stream: a first run takes the files that are there, and ends")
    dbt("run", "--select", STREAM)
    check_tables({STREAM: "customers_dump"})

    title("10. Now it follows the folder: three files land while it runs, each a micro-batch")
    follow()
    dbt("run-operation", "land_dumps", "--args", "{batch: 6}")
    show(f"select * from analytics.{STREAM} order by id")
    check_tables({STREAM: "customers_dump"})
    print(f"\n=== done in {time.monotonic() - started:.0f} seconds")


if __name__ == "__main__":
    main()
