"""integration_tests/profiles.yml is what users copy: its Iceberg catalog works, and has views."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.spark import JARS, REPO, without_spark

MODEL = """{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
  file_format='iceberg', schema='lake.silver') }}
select 'INSERT' as op, 1 as id, 1 as lsn
"""
FILES = {
    "dbt_project.yml": "{name: p, version: '1.0', profile: dbt_changelog_integration_tests}",
    "models/customers.sql": MODEL,
    "macros/generate_schema_name.sql": "{% macro generate_schema_name(name, node) %}"
    "{{ return(name or target.schema) }}{% endmacro %}",
}


@pytest.mark.thorough
def test_the_iceberg_target(tmp_path):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "dbt_packages").mkdir()
    (tmp_path / "dbt_packages/dbt_changelog").symlink_to(REPO, target_is_directory=True)
    (tmp_path / "work").mkdir()
    (tmp_path / "work/jars").symlink_to(JARS.resolve(), target_is_directory=True)
    environment = {"DBT_CHANGELOG_WORK": str(tmp_path / "work"), "SPARK_LOCAL_IP": "127.0.0.1"}
    environment |= {"PYTHONPATH": str(REPO / "src"), "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    runs = """
from dbt.cli.main import dbtRunner
options = ["--profiles-dir", PROFILES, "--target", "iceberg"]
assert dbtRunner().invoke(["run", *options]).success
assert dbtRunner().invoke(["show", *options, "--inline", "select * from {{ ref('customers') }}"])
"""
    done = subprocess.run(
        [sys.executable, "-c", runs.replace("PROFILES", repr(str(REPO / "integration_tests")))],
        cwd=tmp_path,
        env=without_spark() | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "OK created sql from_changelog model lake.silver.customers" in done.stdout
    assert "|  1 |   1 |" in done.stdout
    assert (tmp_path / "work/lake/silver/customers__state/metadata").is_dir()
