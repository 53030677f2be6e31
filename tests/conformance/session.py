"""Spark and dbt for the conformance cases: as the functional tests have them, without pytest."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from dbt.cli.main import dbtRunner
from pyspark.sql import SparkSession

from tests.functional.project import DBT_PROJECT, PROFILES
from tests.spark import FOLDER, REPO, session_of, start_jvm

from .models import SOURCE


@contextmanager
def spark_session() -> Iterator[SparkSession]:
    session = session_of(start_jvm())
    try:
        yield session
    finally:
        session.stop()
        shutil.rmtree(FOLDER, ignore_errors=True)


@dataclass
class Outcome:
    """What became of one model in one dbt run."""

    ok: bool
    message: str


@dataclass
class DbtProject:
    """A generated project: a folder, a schema for its models and one for their input."""

    root: Path
    spark: SparkSession
    name: str
    threads: int
    file_format: str = "delta"

    @property
    def schema(self) -> str:
        return f"ice.{self.name}" if self.file_format == "iceberg" else self.name

    @property
    def input_schema(self) -> str:
        return f"{self.name}_{SOURCE}"

    def create(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)
        profile = PROFILES.format(schema=self.schema)
        project = DBT_PROJECT.format(schema=self.name, home=self.file_format)
        files = {"dbt_project.yml": project, "profiles.yml": profile}
        for name, text in files.items():
            (self.root / name).write_text(text, encoding="utf-8")
        packages = self.root / "dbt_packages"
        packages.mkdir()
        (packages / "dbt_changelog").symlink_to(REPO, target_is_directory=True)
        for schema in (self.schema, self.input_schema):
            self.spark.sql(f"create schema if not exists {schema}")

    def write_models(self, models: dict[str, str], tables: list[str]) -> None:
        """Write all models of a run, {name: text}, and the source that they read."""
        folder = self.root / "models"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, text in models.items():
            (folder / f"{name}.sql").write_text(text, encoding="utf-8")
        names = "".join(f"\n      - name: {table}" for table in tables)
        (folder / "sources.yml").write_text(
            f"sources:\n  - name: {SOURCE}\n    schema: {self.input_schema}\n    tables:{names}\n",
            encoding="utf-8",
        )

    def run(self) -> dict[str, Outcome]:
        """dbt run; a model that fails stops no other."""
        command = [
            *("--log-level", "none", "--log-level-file", "none", "--no-version-check", "run"),
            *("--project-dir", str(self.root), "--profiles-dir", str(self.root)),
            *("--log-path", str(self.root / "logs"), "--target-path", str(self.root / "target")),
            *("--threads", str(self.threads)),
        ]
        raw = dbtRunner().invoke(command)
        results = getattr(raw.result, "results", None)
        if results is None:
            raise RuntimeError(f"dbt run did not run the models: {raw.exception}")
        return {
            result.node.name: Outcome(str(result.status) == "success", _short(result.message))
            for result in results
            if result.node.resource_type == "model"
        }


def _short(message: str | None) -> str:
    """The words of an error: without dbt's heading and where the macro stands."""
    text = re.sub(r"(?s)\n\s*> in macro.*", "", message or "")
    text = re.sub(r"^(Compilation|Runtime|Database) Error in model \S+ \(.*?\)\n", "", text)
    return re.sub(r"\s+", " ", text).strip()
