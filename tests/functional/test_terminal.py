"""What a user's terminal gets of an error: our words, and nothing around them."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.spark import LOCAL_SPARK, REPO, jars, without_spark

MODEL = """{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='n' {more}) }}}}
select {op} as op, {id} as id, 1 as n, {name} as name from range(2)
"""
# wrong at once, or only in the second run
MODELS = {
    "unknown_code": {"op": "'z'"},
    "null_key": {"id": "cast(null as int)", "more": ", changelog=true"},
    "tie": {"name": "id"},
    "tie_on_parquet": {"name": "id", "more": ", file_format='parquet'"},
    "late_tie": {"name": "'{{ var('name') }}'"},
    "late_tie_emitted": {"name": "'{{ var('name') }}'", "more": ", changelog=true"},
}
# of an error in a micro-batch Spark and py4j have words of their own
STREAM = {
    "models/log.sql": """{{ config(materialized='incremental', incremental_strategy='append') }}
        select 'z' as op, 1 as id, 1 as n""",
    "models/stream.sql": """{{ config(materialized='changelog_stream', function='from_changelog',
        unique_key='id', sequence_by='n') }}
        select * from {{ dbt_changelog.stream(ref('log')) }}""",
}
OURS = {"op": "'INSERT'", "id": "1", "name": "'ada'", "more": ""}
RUNS = """
from dbt.cli.main import dbtRunner
for name in "ada", "Ada":
    dbtRunner().invoke(["--no-use-colors", "run", "--vars", f"{{name: {name}}}"])
    print("= = =", flush=True)
"""


@pytest.mark.thorough
def test_an_error_is_one_message(tmp_path):
    settings = LOCAL_SPARK | {
        "spark.master": "local[2]",
        "spark.jars": jars(),
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": str(tmp_path / "warehouse"),
        # as Spark has it where nobody says otherwise
        "spark.log.level": "WARN",
    }
    output = {"type": "spark", "method": "session", "host": "NA", "schema": "analytics"}
    files = {
        "dbt_project.yml": "{name: shop, version: '1.0', profile: shop,"
        " models: {+file_format: delta}, flags: {send_anonymous_usage_stats: false}}",
        "profiles.yml": repr(
            {
                "shop": {
                    "target": "dev",
                    "outputs": {
                        "dev": {**output, "threads": 1, "server_side_parameters": settings}
                    },
                }
            }
        ),
    }
    files |= {f"models/{name}.sql": MODEL.format(**OURS | own) for name, own in MODELS.items()}
    for path, text in (files | STREAM).items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    (tmp_path / "dbt_packages").mkdir()
    (tmp_path / "dbt_packages/dbt_changelog").symlink_to(REPO, target_is_directory=True)
    done = subprocess.run(
        [sys.executable, "-c", RUNS],
        cwd=tmp_path,
        env=without_spark() | {"SPARK_LOCAL_IP": "127.0.0.1", "PYTHONPATH": str(REPO / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    first, second, _ = done.stdout.split("= = =\n")
    for said, errors in (first, 5), (second, 7):
        assert f"ERROR={errors}" in said, done.stdout
        assert said.count("To fix: ") == errors
        # nor a trace, the JSON of pyspark, or a line of Spark that names an error
        assert not re.findall(r"^(?:\tat |Caused by|\{\"ts\"|.* ERROR \w+: ).*", said, re.M)
        assert "py4j" not in said and "Traceback" not in said
        # of Spark's warnings none is about an error
        spark = re.findall(r"^\d\d/\d\d/\d\d [\d:]+ WARN (?!SparkSession:)(.*)", said, re.M)
        assert len(spark) < 10, spark
