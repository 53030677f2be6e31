"""Spark, and dbt projects in folders and schemas of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from typing import Any

import pytest
from dbt_common.tests import enable_test_caching
from pyspark.sql import SparkSession

from tests.spark import TEST_SPARK, session_of, start_jvm

from .project import Project


@pytest.fixture(scope="session")
def spark(request: pytest.FixtureRequest) -> SparkSession:
    # each project has the same macros, and parsing them is most of a small run
    enable_test_caching()
    jvm = getattr(request.config, "workerinput", {}).get("jvm")
    return session_of(jvm or start_jvm())


@pytest.fixture
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
        spark.conf.set(name, TEST_SPARK[name])


@pytest.fixture(
    scope="module", params=["delta", pytest.param("iceberg", marks=pytest.mark.thorough)]
)
def home(request: pytest.FixtureRequest) -> str:
    """Where a project lies whose storage does not matter."""
    return str(request.param)


ProjectFactory = Callable[..., Project]


def chosen(request: pytest.FixtureRequest, argument: str) -> set[Any]:
    """What the tests of this file that are to run have for an argument: no other needs a set-up."""
    of_file = [item for item in request.session.items if item.path == request.path]
    calls = [
        item.callspec.params
        for item in of_file
        if isinstance(item, pytest.Function) and hasattr(item, "callspec")
    ]
    return {call[argument] for call in calls if argument in call}


def usual(cases: Iterable[Any], chosen: Iterable[Any]) -> list[Any]:
    """Parameters, of which only the chosen ones run in `make test`; a tuple is several."""
    thorough, found = pytest.mark.thorough, []
    for case in cases:
        values = case if isinstance(case, tuple) else (case,)
        found.append(pytest.param(*values, marks=[] if case in chosen else thorough))
    return found


@pytest.fixture(scope="session")
def new_project(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> ProjectFactory:
    """Call it with {relative path: text}; each call is a new folder and a new schema."""
    process = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    numbers = count(process, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))

    def create(
        files: dict[str, str], name: str = "project", threads: int = 1, home: str = "delta"
    ) -> Project:
        name = f"{re.sub(r'[^a-z0-9]+', '_', name.lower())}_{next(numbers)}"
        project = Project.create(tmp_path_factory.mktemp(name), spark, name, files, threads, home)
        project.may_stream = "test_streams.py" in os.environ["PYTEST_CURRENT_TEST"]
        return project

    return create
