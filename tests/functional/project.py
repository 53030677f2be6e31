"""A dbt project of a test: files in a folder of its own, dbt in this process, one shared Spark."""

from __future__ import annotations

import json
import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from dbt.cli.main import dbtRunner, dbtRunnerResult
from dbt.contracts.graph.manifest import Manifest
from pyspark.sql import Row, SparkSession

from tests.spark import JARS, REPO, TEST_SPARK

# a model in a folder named after a storage lies there, all others lie at home
DBT_PROJECT = """
name: functional
version: "1.0"
profile: functional
flags:
  send_anonymous_usage_stats: false
  use_colors: false
  write_json: false
  warn_error_options: {{silence: [UnusedResourceConfigPath]}}
models:
  +file_format: {home}
  functional:
    iceberg: {{+file_format: iceberg, +schema: ice.{schema}}}
    parquet: {{+file_format: parquet}}
    hadoop: {{+file_format: iceberg, +schema: lake.{schema}, +contents_schema: "{schema}"}}
seeds:
  +file_format: {home}
"""
STORAGES = ["delta", "iceberg", "hadoop", "parquet"]
WITH_CHANGELOG = ["delta", "iceberg"]
SCHEMA_NAME = """
{% macro generate_schema_name(name, node) -%}
{{ name if '.' in (name or '') else default__generate_schema_name(name, node) }}
{%- endmacro %}
"""

PROFILES = """
functional:
  target: test
  outputs:
    test: {{type: spark, method: session, host: NA, schema: {schema}, threads: 1}}
"""


DBT = ["--quiet", "--log-level-file", "none", "--no-version-check"]
PARSED_ONCE = ["build", "run", "run-operation", "seed", "show", "test"]


# a query of a few rows costs more to compile than to run
NOTHING_COMPILED = {
    name: value
    for name, value in TEST_SPARK.items()
    if name.startswith(("spark.sql.codegen.", "spark.sql.adaptive.", "spark.sql.lightweight"))
}


def process_profile() -> str:
    """That of the integration tests, with a metastore that a killed process leaves whole."""
    text = (REPO / "integration_tests" / "profiles.yml").read_text(encoding="utf-8")
    profile: dict[str, Any] = yaml.safe_load(text)
    for output in profile["dbt_changelog_integration_tests"]["outputs"].values():
        settings = output.get("server_side_parameters", {})
        settings["spark.driver.extraClassPath"] = f"{JARS}/*"
        name = "spark.driver.extraJavaOptions"
        if name in settings:
            settings[name] = settings[name].replace("-Dderby.system.durability=test", "")
            settings.update(NOTHING_COMPILED)
    return yaml.safe_dump(profile)


@dataclass
class Node:
    """What dbt says of one model, seed, test or operation."""

    status: str
    message: str | None
    kind: str | None  # how it is materialized


@dataclass
class Result:
    """One dbt command: `log` is what a user sees, `debug_log` has the SQL too."""

    success: bool
    nodes: dict[str, Node]
    log: str
    debug_log: str
    warnings: list[str]
    raw: dbtRunnerResult

    def count(self, status: str) -> int:
        return sum(node.status == status for node in self.nodes.values())


@dataclass
class Project:
    root: Path
    spark: SparkSession
    schema: str
    threads: int = 1
    home: str = "delta"
    target: str | None = None
    # the JVM calls back one process only, and those of the tests share it
    may_stream: bool = True
    parsed: dict[str, Manifest] = field(default_factory=dict)

    @classmethod
    def create(
        cls,
        root: Path,
        spark: SparkSession,
        name: str,
        files: dict[str, str],
        threads: int = 1,
        home: str = "delta",
    ) -> Project:
        """Write a project that has this package, its profile and `files`, {relative path: text}."""
        project = cls(root, spark, name if home == "delta" else f"ice.{name}", threads, home)
        defaults = {
            "dbt_project.yml": DBT_PROJECT.format(schema=name, home=home),
            "profiles.yml": PROFILES.format(schema=project.schema),
            "macros/generate_schema_name.sql": SCHEMA_NAME,
        }
        for path, text in (defaults | files).items():
            project.write(path, text)
        # dbt reads a package where it finds it, so a link does what `dbt deps` does in 2 s
        packages = root / "dbt_packages"
        packages.mkdir(exist_ok=True)
        (packages / "dbt_changelog").symlink_to(REPO, target_is_directory=True)
        spark.sql(f"create schema if not exists {project.schema}")
        return project

    def write(self, path: str, text: str) -> None:
        """Write or replace a file; the text may be indented as a whole."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
        self.parsed.clear()

    def run(
        self, *args: str, vars: dict[str, Any] | None = None, expect_failure: bool | None = False
    ) -> Result:
        """Run dbt: `project.run("build", "--select", "customers+")`; None: it may fail."""
        events: list[Any] = []
        words = 2 if args[0] in ("docs", "source") else 1
        folders = ["--project-dir", str(self.root), "--profiles-dir", str(self.root)]
        folders += ["--log-path", str(self.root / "logs")]
        if args[0] != "deps":
            folders += ["--target-path", str(self.root / "target")]
        if self.target:
            folders += ["--target", self.target]
        if vars:
            folders += ["--vars", json.dumps(vars)]
        command = [*DBT, *args[:words], *folders, *args[words:]]
        if args[0] not in ("deps", "clean", "parse", "ls", "list"):
            command += ["--threads", str(self.threads)]
        manifest = self._manifest(folders, events) if args[0] in PARSED_ONCE else None
        raw = dbtRunner(manifest, callbacks=[events.append]).invoke(command)
        result = _result(raw, events)
        kinds = {node.kind for node in result.nodes.values()}
        assert self.may_stream or "changelog_stream" not in kinds, "move it to test_streams"
        if result.success == expect_failure:
            expected = "fail" if expect_failure else "succeed"
            raise AssertionError(f"dbt {' '.join(args)} did not {expected}:\n{result.log}")
        return result

    def _manifest(self, options: list[str], events: list[Any]) -> Manifest | None:
        """What dbt parsed when the files were last written: parsing is a third of a small run."""
        key = str(options)
        if key not in self.parsed:
            parsed = dbtRunner(callbacks=[events.append]).invoke([*DBT, "parse", *options])
            if not parsed.success:
                events.clear()
                return None
            self.parsed[key] = parsed.result
        return self.parsed[key]

    def place(self, storage: str) -> str:
        """The schema that has the tables of the models in the folder of this name."""
        catalog = {"iceberg": "ice.", "hadoop": "lake."}.get(storage, "")
        return f"{catalog}{self.schema}"

    def contents(self, storage: str, model: str) -> str:
        """The name of a model in that folder."""
        place = self.schema if storage == "hadoop" else self.place(storage)
        return f"{place}.{model}"

    def state(self, storage: str, model: str) -> str:
        """The table that has the state of a model in that folder."""
        if storage != "parquet":
            return f"{self.place(storage)}.{model}__state"
        (row,) = self.sql(f"show create table {self.contents(storage, model)}")
        (name,) = set(re.findall(rf"\b{model}__state_\w+", row.createtab_stmt))
        return f"{self.schema}.{name}"

    def sql(self, text: str) -> list[Row]:
        """The rows of a statement; plain table names are those of this project's schema."""
        self.spark.sql(f"use {self.schema}")
        try:
            return self.spark.sql(text).collect()
        finally:
            # dbt must write full names: it would find plain ones here and not at a user's
            self.spark.sql("use spark_catalog.default")

    def tables(self) -> list[str]:
        """The tables and views of this schema; Spark lists those of the session too."""
        return sorted(row.tableName for row in self.sql("show tables") if not row.isTemporary)

    def table(self, name: str, rows: list[tuple[Any, ...]], columns: str | None = None) -> None:
        """Make a table of this schema (`columns`: "id int, name string"), or append to it."""
        full_name = f"{self.schema}.{name}"
        data = self.spark.createDataFrame(rows, columns or self.spark.table(full_name).schema)
        if not columns:
            data.writeTo(full_name).append()
        elif self.spark.catalog.tableExists(full_name):
            data.writeTo(full_name).using(self.home).replace()
        else:  # a stream of an Iceberg table cannot read the snapshot that createOrReplace makes
            data.writeTo(full_name).using(self.home).create()

    def compiled(self, model: str) -> str:
        """The text of target/compiled: the model's query."""
        return self._artifact("compiled", model)

    def ran(self, model: str) -> str:
        """The text of target/run: the statements that the materialization ran."""
        return self._artifact("run", model)

    def _artifact(self, kind: str, model: str) -> str:
        (file,) = (self.root / "target" / kind).rglob(f"{model}.sql")
        return file.read_text(encoding="utf-8")


def kind_of(node: Any) -> str | None:
    return getattr(getattr(node, "config", None), "materialized", None)


def _result(raw: dbtRunnerResult, events: list[Any]) -> Result:
    nodes = {
        result.node.name: Node(str(result.status), result.message, kind_of(result.node))
        for result in getattr(raw.result, "results", None) or []
        if getattr(result, "node", None)
    }
    messages = [(event.info.level, event.info.msg) for event in events]
    shown = [message for level, message in messages if level != "debug"]
    if raw.exception:
        shown.append(f"{type(raw.exception).__name__}: {raw.exception}")
    return Result(
        success=raw.success,
        nodes=nodes,
        log="\n".join(shown),
        debug_log="\n".join(message for _, message in messages),
        warnings=[message for level, message in messages if level == "warn"],
        raw=raw,
    )
