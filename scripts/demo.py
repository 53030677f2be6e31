"""make demo: real change events become tables; a second batch; a run that fails; the way back.

Everything is run by dbt, in one process, on an embedded Spark; its tables stay in .work/demo.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
import time
from pathlib import Path

from dbt.cli.main import dbtRunner
from pyspark.sql import SparkSession

PROJECT = Path(__file__).resolve().parent.parent / "integration_tests"
WORK = PROJECT.parent / ".work" / "demo"
TABLES = ("customers", "orders")


def title(text: str) -> None:
    print(f"\n=== {text}", flush=True)


def dbt(*arguments: str, fails: bool = False) -> None:
    """Run a dbt command as a user would and stop the demo if it does not end as it should."""
    print(f"\n$ dbt {' '.join(arguments)}", flush=True)
    words = 2 if arguments[0] == "docs" else 1
    options = ["--target", "dev", "--no-version-check", "--log-path", str(WORK / "logs")]
    if arguments[0] != "deps":
        options += ["--target-path", str(WORK / "target")]
    command = [*arguments[:words], *options, *arguments[words:]]
    result = dbtRunner().invoke(["--quiet", *command])
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


def check_tables() -> None:
    """Compare with the dump that Postgres made after the last landed batch; rows count."""
    spark = SparkSession.builder.getOrCreate()
    for table in TABLES:
        ours, source = spark.table(f"analytics.{table}"), spark.table(f"analytics.{table}_dump")
        wrong = ours.exceptAll(source).count() + source.exceptAll(ours).count()
        print(f"  {table}: {ours.count()} rows, {wrong} differ from the source database")
        if wrong:
            sys.exit(f"{table} is wrong")


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
    print(f"=== done in {time.monotonic() - started:.0f} seconds")


if __name__ == "__main__":
    main()
