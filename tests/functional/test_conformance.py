"""Results that other systems recorded: make conformance, with the cases of this repository."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.conformance.cases import read_cases
from tests.conformance.runner import CASES, run_cases


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.thorough)])
def test_no_case_fails(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, every: int
) -> None:
    """All cases in all ways are make conformance; here every twelfth, in one way."""
    root = tmp_path_factory.mktemp("conformance") / "project"
    cases = read_cases(CASES)[::every]
    report = run_cases(cases, spark, root, f"conformance_{every}", quick=True)
    assert not report.count("failed"), "\n".join(report.lines())
