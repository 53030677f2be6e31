"""Results that other systems recorded: make conformance, with the cases of this repository."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from tests.conformance.cases import read_cases
from tests.conformance.runner import CASES, Lists, run_cases
from tests.conformance.sample import sample


@pytest.mark.parametrize("which", ["sample", pytest.param("all", marks=pytest.mark.thorough)])
def test_no_case_fails(
    spark: SparkSession, tmp_path_factory: pytest.TempPathFactory, which: str
) -> None:
    """All cases in all ways are make conformance; here each in one way."""
    root = tmp_path_factory.mktemp("conformance") / "project"
    cases = read_cases(CASES)
    if which == "sample":
        cases = sample(cases, Lists.read())
    report = run_cases(cases, spark, root, f"conformance_{which}", quick=True)
    assert not report.count("failed"), "\n".join(report.lines())
