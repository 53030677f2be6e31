"""Results that other systems recorded: make conformance, with the cases of this repository."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.conformance.cases import read_cases
from tests.conformance.runner import CASES, run_cases


def test_no_case_fails(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> None:
    root = tmp_path_factory.mktemp("conformance") / "project"
    report = run_cases(read_cases(CASES), spark, root, "conformance", quick=True)
    assert not report.count("failed"), "\n".join(report.lines())
