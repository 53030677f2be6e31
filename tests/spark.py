"""Spark for tests, conformance cases and benchmarks.

All processes of a test run share one JVM: it starts once, in 8 s, and what Java compiled for one
process is fast in the others.
"""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path

from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.sql import SparkSession

REPO = Path(__file__).resolve().parents[1]
WORK = REPO / ".work"
FOLDER = WORK / "spark" / str(os.getpid())
JARS = Path(os.environ.get("DBT_CHANGELOG_JARS", WORK / "jars"))

LOCAL_SPARK = {
    # no metastore: tables live as long as this process
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.extensions": (
        "io.delta.sql.DeltaSparkSessionExtension,"
        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
    ),
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    # the default of 50 costs 10 s a write on a small machine
    "spark.databricks.delta.snapshotPartitions": "1",
    "spark.driver.memory": "4g",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
}
TEST_SPARK = LOCAL_SPARK | {
    "spark.master": "local[2]",
    "spark.sql.shuffle.partitions": "2",
    # the second compiler takes only what runs four times as often as usual: it took a third of all;
    # what the first one made of 7 minutes of tests would fill the default of 240 MB
    "spark.driver.extraJavaOptions": (
        "-XX:+UseParallelGC -XX:ReservedCodeCacheSize=512m"
        # Hadoop runs chmod for each file that it makes: without a helper process for each
        " -Djdk.lang.Process.launchMechanism=VFORK"
        " -XX:Tier4InvocationThreshold=20000 -XX:Tier4MinInvocationThreshold=2400"
        " -XX:Tier4CompileThreshold=60000 -XX:Tier4BackEdgeThreshold=160000"
    ),
    # what Spark keeps of each of thousands of statements would fill the memory
    "spark.sql.ui.retainedExecutions": "5",
    "spark.ui.retainedJobs": "20",
    "spark.ui.retainedStages": "20",
    "spark.ui.retainedTasks": "100",
    # a query of a few rows costs more to compile than to run; `compiled_queries` turns it on
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # so does planning it anew after each of its stages
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.lightweightPlanChangeValidation": "false",
    # each statement's plan is made a text for a UI that is off: the short one
    "spark.sql.ui.explainMode": "simple",
    # Delta's VACUUM lists folders in so many tasks: 10,000 of them would keep all others waiting
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
    # the usual one asks a process of its own whether a file is a link
    "spark.delta.logStore.file.impl": "io.delta.storage.LocalLogStore",
    "spark.sql.session.timeZone": "UTC",
    # dbt-spark forces this one
    "spark.sql.ansi.enabled": "false",
}


def storage_conf(folder: Path) -> dict[str, str]:
    """A warehouse, and two catalogs of Iceberg: `ice` has views, `lake` has none."""
    folder.mkdir(parents=True, exist_ok=True)
    ice, lake = "spark.sql.catalog.ice", "spark.sql.catalog.lake"
    return {
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        ice: "org.apache.iceberg.spark.SparkCatalog",
        f"{ice}.type": "jdbc",
        f"{ice}.uri": f"jdbc:sqlite:{folder}/ice.db?busy_timeout=60000",
        f"{ice}.jdbc.schema-version": "V1",
        f"{ice}.warehouse": str(folder / "ice"),
        lake: "org.apache.iceberg.spark.SparkCatalog",
        f"{lake}.type": "hadoop",
        f"{lake}.warehouse": str(folder / "lake"),
    }


def jars() -> str:
    """All of them, for spark.jars."""
    found = sorted(str(jar) for jar in JARS.glob("*.jar"))
    if not found:
        raise SystemExit(f"no jars in {JARS}: run `make setup` first")
    return ",".join(found)


def without_spark() -> dict[str, str]:
    """The environment for a process that starts a Spark of its own, not on that of the tests."""
    return {name: value for name, value in os.environ.items() if "PYSPARK_GATEWAY" not in name}


def start_jvm() -> tuple[str, str]:
    """The port and the secret of a Java process that ends with this one.

    Its tables go to FOLDER, its words to java.log beside it.
    """
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    conf = {"spark.app.name": "tests", "spark.jars": jars()} | TEST_SPARK | storage_conf(FOLDER)
    # expected failures print traces
    with (FOLDER.parent / "java.log").open("w") as log:
        gateway = launch_gateway(
            SparkConf(loadDefaults=False).setAll(list(conf.items())),
            popen_kwargs={"stdout": log, "stderr": log},
        )
    parameters = gateway.java_parameters
    return str(parameters.port), parameters.auth_token


def session_of(jvm: tuple[str, str]) -> SparkSession:
    """A session for this process, whose local time becomes UTC: rows come back in it."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    # pyspark prints 10 kB of JSON for every statement that fails
    logging.getLogger("SQLQueryContextLogger").disabled = True
    os.environ["PYSPARK_GATEWAY_PORT"], os.environ["PYSPARK_GATEWAY_SECRET"] = jvm
    gateway = launch_gateway()
    java = gateway.jvm.org.apache.spark
    java_context = java.SparkContext.getOrCreate()
    context = SparkContext(
        gateway=gateway, jsc=java.api.java.JavaSparkContext.fromSparkContext(java_context)
    )
    shared = java.sql.classic.SparkSession.builder().sparkContext(java_context).getOrCreate()
    return SparkSession(context, shared.newSession())
