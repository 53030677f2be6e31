"""One Spark for all tests of a session: it costs 8 s to start, a dbt run of one model 0.2 s."""

from __future__ import annotations

import logging
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import jinja2
import pytest
from pyspark.sql import SparkSession

from .project import REPO, Project

WORK = REPO / ".work"
JARS = Path(os.environ.get("DBT_CHANGELOG_JARS", WORK / "jars"))

SPARK_CONF = {
    # no metastore: tables live as long as this process
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.extensions": (
        "io.delta.sql.DeltaSparkSessionExtension,"
        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
    ),
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    # the default of 50 costs 10 s a write on a small machine
    "spark.databricks.delta.snapshotPartitions": "1",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.extraJavaOptions": "-XX:+UseSerialGC",
    # a session of thousands of statements: what Spark keeps of each fills the default of 1 GB
    "spark.driver.memory": "4g",
    "spark.sql.ui.retainedExecutions": "5",
    "spark.ui.retainedJobs": "20",
    "spark.ui.retainedStages": "20",
    "spark.ui.retainedTasks": "100",
    # a query of a few rows costs more to compile than to run; `compiled_queries` turns it on
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # so does planning it anew after each of its stages
    "spark.sql.adaptive.enabled": "false",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "ERROR",
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
        f"{ice}.uri": f"jdbc:sqlite:{folder}/ice.db",
        f"{ice}.jdbc.schema-version": "V1",
        f"{ice}.warehouse": str(folder / "ice"),
        lake: "org.apache.iceberg.spark.SparkCatalog",
        f"{lake}.type": "hadoop",
        f"{lake}.warehouse": str(folder / "lake"),
    }


@pytest.fixture(scope="session", autouse=True)
def macros_parsed_once() -> Iterator[None]:
    """Each project has the same macros, and parsing them is most of a small run."""
    original = jinja2.Environment.parse
    trees: dict[tuple[type, str], jinja2.nodes.Template] = {}

    def parse(self: jinja2.Environment, source: str, *names: str) -> jinja2.nodes.Template:
        key = (type(self), source)
        if key not in trees:
            trees[key] = original(self, source, *names)
        return trees[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jinja2.Environment, "parse", parse)
        yield


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    jars = sorted(str(jar) for jar in JARS.glob("*.jar"))
    if not jars:
        pytest.exit(f"no jars in {JARS}: run `make setup` first", returncode=2)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    # rows come back as datetimes of the local zone
    os.environ["TZ"] = "UTC"
    time.tzset()
    # pyspark prints 10 kB of JSON for every statement that fails
    logging.getLogger("SQLQueryContextLogger").disabled = True
    folder = WORK / "tests" / str(os.getpid())
    builder = SparkSession.builder.master("local[2]").config("spark.jars", ",".join(jars))
    for key, value in {**SPARK_CONF, **storage_conf(folder)}.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield session
    session.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def compiled_queries(spark: SparkSession) -> Iterator[None]:
    """Queries run as at a user's, as compiled code."""
    usual = {
        "spark.sql.codegen.wholeStage": "true",
        "spark.sql.codegen.factoryMode": "FALLBACK",
        "spark.sql.adaptive.enabled": "true",
    }
    for name, value in usual.items():
        spark.conf.set(name, value)
    yield
    for name in usual:
        spark.conf.set(name, SPARK_CONF[name])


@pytest.fixture(
    scope="module", params=["iceberg", pytest.param("delta", marks=pytest.mark.thorough)]
)
def home(request: pytest.FixtureRequest) -> str:
    """Where a project lies whose storage does not matter: Iceberg is twice as fast on few rows."""
    return str(request.param)


ProjectFactory = Callable[..., Project]


@pytest.fixture(scope="session")
def new_project(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> ProjectFactory:
    """Call it with {relative path: text}; each call is a new folder and a new schema."""
    numbers = count(1)

    def create(
        files: dict[str, str], name: str = "project", threads: int = 1, home: str = "delta"
    ) -> Project:
        name = f"{re.sub(r'[^a-z0-9]+', '_', name.lower())}_{next(numbers)}"
        return Project.create(tmp_path_factory.mktemp(name), spark, name, files, threads, home)

    return create
