"""Nothing depends on dbt_changelog_batches: what is wrong with it is a warning."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn') }}
select 'INSERT' as op, 1 as id, {{ var('lsn', 1) }} as lsn
"""


@pytest.fixture
def project(new_project):
    return new_project({"models/customers.sql": MODEL}, name="batches_table")


def folder(project):
    """Where a table of this schema has its files."""
    found = {row[0]: row[1] for row in project.sql(f"describe schema {project.schema}")}
    return Path(found["Location"].removeprefix("file:")) / "dbt_changelog_batches"


def run(project, lsn, *words):
    """A run that succeeds, and warns of the table in these words."""
    result = project.run("run", vars={"lsn": lsn})
    assert result.nodes["customers"].status == "success"
    assert project.sql("select lsn from customers") == [(lsn,)]
    said = [text for text in result.warnings if "dbt_changelog_batches" in text]
    assert len(said) == len(words), said
    for word, text in zip(words, said, strict=True):
        assert word in text
        assert "\tat " not in text


def test_a_view_has_its_name(project):
    project.sql("create view dbt_changelog_batches as select 1 as uid")
    run(project, 1, "could not be made, read or changed", "has no row in")
    run(project, 2, "could not be made, read or changed", "has no row in")
    project.sql("drop view dbt_changelog_batches")
    run(project, 3)
    assert project.sql("select batch_id from dbt_changelog_batches") == [(3,)]


def test_it_can_not_be_made(project):
    place = folder(project)
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("in the way")
    run(project, 1, "could not be made, read or changed", "is missing")
    place.unlink()
    run(project, 2)


@pytest.mark.thorough
def test_its_files_are_gone(project):
    run(project, 1)
    shutil.rmtree(folder(project))
    run(project, 2, "could not be made, read or changed", "is missing")
    project.sql("drop view customers")
    project.sql("drop table customers__state")
    run(project, 3, "could not be made, read or changed", "is missing")
