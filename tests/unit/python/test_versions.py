"""The versions of dbt-core: one bound in two files, and the environment of make dbt-1.12."""

from __future__ import annotations

import re

import pytest
import with_dbt_112
import yaml

from tests.spark import REPO


def test_the_package_and_its_pip_module_take_the_same_versions_of_dbt():
    module = re.search(r'"dbt-core>=([\d.]+),<([\d.]+)"', (REPO / "pyproject.toml").read_text())
    assert module is not None
    project = yaml.safe_load((REPO / "dbt_project.yml").read_text(encoding="utf-8"))
    assert project["require-dbt-version"] == [f">={module[1]}.0", f"<{module[2]}.0"]
    assert (REPO / "requirements.lock").read_text().count(f"\ndbt-core=={module[1]}.") == 1
    assert with_dbt_112.DBT_CORE.startswith("dbt-core==1.12.")


@pytest.mark.parametrize(
    ("requirement", "wanted"),
    [
        ("dbt-common<2.0,>=1.37.5", True),
        ("mashumaro[msgpack]<3.18,>=3.9", True),
        ("dbt-core<2.0,>=1.8.0rc1", False),
        ("dbt-core-experimental-parser<3,>=2.0.0b1", False),
        ("pyspark<5.0.0,>=3.0.0; extra == 'session'", False),
    ],
)
def test_the_parser_in_rust_is_left_out(requirement, wanted):
    assert with_dbt_112.is_wanted(requirement) == wanted
