"""integration_tests/ as a user runs it: install, land a batch, build, land the next, build."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from .project import REPO, Project

TESTS, SHOP_TESTS = 25, 6
WRITTEN_BY_DBT = shutil.ignore_patterns("dbt_packages", "package-lock.yml", "target", "logs")


@pytest.fixture
def project(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A copy beside links to the package: whoever works in integration_tests/ is not disturbed."""
    for entry in ("dbt_project.yml", "macros"):
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
    assert project.run("build").count("pass") == TESTS
    for landed in ((2,), (3, 4, 5, 6)):
        for batch in landed:
            land(project, batch)
        shop = project.run("build", "--select", "path:models/shop")
        assert shop.count("pass") == SHOP_TESTS
    assert len(project.sql("select * from customers")) == 243
    assert len(project.sql("select * from orders")) == 339


def test_the_contents_test_sees_every_difference(project: Project) -> None:
    """equals_seed must fail: it is what all of the above relies on."""
    project.run("deps")
    for path in ("models/shop", "models/macros", "models/cases", "seeds"):
        shutil.rmtree(project.root / path)
    project.write("models/seed.sql", "select * from values (1, 'a'), (2, null), (2, null) t(id, s)")
    wrong = {
        "lacks_a_row": "(1, 'a'), (2, null)",
        "has_one_more": "(1, 'a'), (2, null), (2, null), (2, null)",
        "has_a_null": "(1, null), (2, null), (2, null)",
        "is_empty": "(1, 'a') limit 0",
        "equal": "(2, null), (1, 'a'), (2, null)",
    }
    models = []
    for name, rows in wrong.items():
        values, _, limit = rows.partition(" limit")
        tail = f" limit{limit}" if limit else ""
        # the other order of columns: they are matched by name
        query = f"select s, id from values {values} t(id, s){tail}"
        project.write(f"models/{name}.sql", query)
        models.append(
            f"  - name: {name}\n"
            "    data_tests: [{dbt_changelog.equals_seed: {name: check_NAME,"
            " arguments: {seed: ref('seed')}}}]\n".replace("NAME", name)
        )
    project.write("models/models.yml", "models:\n" + "".join(models))
    result = project.run("build", expect_failure=True)
    statuses = {name: node.status for name, node in result.nodes.items() if "check_" in name}
    expected = {f"check_{name}": "fail" for name in wrong} | {"check_equal": "pass"}
    assert statuses == expected
