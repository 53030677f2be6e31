"""integration_tests/ as a user runs it: install, land a batch, build, land the next, build."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.spark import REPO

from .project import Project

TESTS, SHOP_TESTS = 34, 10
# tests/functional/test_streams.py runs them
WITHOUT_STREAMS = ("--exclude", "path:models/stream")
WRITTEN_BY_DBT = shutil.ignore_patterns("dbt_packages", "package-lock.yml", "target", "logs")


@pytest.fixture
def project(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A copy beside links to the package: whoever works in integration_tests/ is not disturbed."""
    for entry in ("dbt_project.yml", "macros", "models"):
        (tmp_path / entry).symlink_to(REPO / entry)
    root = tmp_path / "integration_tests"
    shutil.copytree(REPO / root.name, root, ignore=WRITTEN_BY_DBT)
    monkeypatch.setenv("PWD", str(root))
    return Project(root, spark, schema="analytics", threads=2, target="ci")


def land(project: Project, batch: int) -> None:
    project.run("run-operation", "land_batch", "--args", f"{{batch: {batch}}}")


def test_every_batch_builds(project: Project) -> None:
    project.run("deps")
    land(project, 1)
    assert project.run("build", *WITHOUT_STREAMS).count("pass") == TESTS
    downstream = project.run("ls", "--select", "emitted_changelog+", "--resource-type", "model")
    assert any(name.endswith("emitted_changes") for name in downstream.raw.result)
    for batch in range(2, 7):
        land(project, batch)
    chosen = ("--select", "path:models/shop", "path:models/many_tables", "path:models/log")
    shop = project.run("build", *chosen, *WITHOUT_STREAMS)
    assert shop.count("pass") == SHOP_TESTS
    assert len(project.sql("select * from customers")) == 243
    assert len(project.sql("select * from orders")) == 339
    # its dbt_project.yml turns the monitoring models on
    project.run("run", "--select", "package:dbt_changelog")
    health = "select model, batches, last_batch_id from changelog_health"
    assert project.sql(f"{health} where model in ('customers', 'orders') order by 1") == [
        ("customers", 2, 2),
        ("orders", 2, 2),
    ]
    sizes = "select model, live_rows, state_rows - tombstones from changelog_state_sizes"
    assert project.sql(f"{sizes} where model in ('customers', 'orders') order by model") == [
        ("customers", 243, 243),
        ("orders", 339, 339),
    ]


# {model: its rows, and what equals_seed says}: the seed has (1, 'a'), and (2, null) twice
CONTENTS = {
    "equal": ("(2, null), (1, 'a'), (2, null)", "pass"),
    "lacks_a_row": ("(2, null), (2, null)", "fail"),
    "lacks_a_duplicate": ("(1, 'a'), (2, null)", "fail"),
    "has_one_more": ("(1, 'a'), (2, null), (2, null), (2, null)", "fail"),
    "has_a_null": ("(1, null), (2, null), (2, null)", "fail"),
}


def test_the_contents_test_sees_every_difference(project: Project) -> None:
    """equals_seed must fail: all of the above relies on it."""
    project.run("deps")
    for folder in (*(project.root / "models").iterdir(), project.root / "seeds"):
        shutil.rmtree(folder)
    names = [*CONTENTS, "lacks_a_column"]
    test = "{dbt_changelog.equals_seed: {name: check_NAME, arguments: {seed: ref('seed')}}}"
    models = [f"{{name: {n}, data_tests: [{test.replace('NAME', n)}]}}" for n in names]
    project.write("models/models.yml", f"models: [{', '.join(models)}]")
    project.write(
        "models/seed.sql",
        """
        select id, name, map('x', id, 'y', 0) as tags
        from values (1, 'a'), (2, null), (2, null) as t (id, name)
        """,
    )
    for name, (rows, _) in CONTENTS.items():
        # columns and map entries in another order, an id of another type: all equal to the seed's
        project.write(
            f"models/{name}.sql",
            f"""
            select name, map('y', 0, 'x', id) as tags, cast(id as bigint) as id
            from values {rows} as t (id, name)
            """,
        )
    project.write("models/lacks_a_column.sql", "select 1 as id, 'a' as name")

    found = project.run("build", expect_failure=True).nodes
    assert {name: found[f"check_{name}"].status for name in CONTENTS} == {
        name: status for name, (_, status) in CONTENTS.items()
    }
    assert "'tags' is missing on one side" in (found["check_lacks_a_column"].message or "")
