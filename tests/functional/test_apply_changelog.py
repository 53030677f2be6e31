"""apply_changelog on real changes: what is no changelog is refused."""

from __future__ import annotations

import pytest

MODEL = """
{{{{ config(materialized='table') }}}}
with changes as (
  select {kind} as _row_kind, {sequence} as _sequence, 0 as _ordinal, {key} as id, 'ada' as name,
    {lsn} as lsn
)
select * from {{{{ dbt_changelog.apply_changelog('changes', unique_key='id'{more}) }}}}
"""
WRONG = {
    "small_letters": ({"kind": "'insert'"}, "Unknown row kind in apply_changelog(...) of model"),
    "no_kind": ({"kind": "cast(null as string)"}, "Unknown row kind in apply_changelog(...)"),
    "no_key": ({"key": "cast(null as int)"}, "Invalid 'unique_key' in apply_changelog(...)"),
    "no_sequence": ({"sequence": "cast(null as int)"}, "Invalid '_sequence' in apply_changelog("),
    "no_place_in_an_order_of_its_own": (
        {"more": ", sequence_by=['_sequence', 'lsn']", "lsn": "cast(null as int)"},
        "of model 'no_place_in_an_order_of_its_own': lsn is NULL in the change",
    ),
}


@pytest.fixture(scope="module")
def project(new_project):
    right = {"kind": "'INSERT'", "sequence": "1", "key": "1", "lsn": "1", "more": ""}
    files = {"models/fine.sql": MODEL.format(**right)}
    ordered = right | {"sequence": "cast(null as bigint)", "more": ", sequence_by='lsn'"}
    files["models/ordered.sql"] = MODEL.format(**ordered)
    for name, (wrong, _) in WRONG.items():
        files[f"models/{name}.sql"] = MODEL.format(**(right | wrong))
    project = new_project(files, name="apply")
    project.ran = project.run("run", expect_failure=None)
    return project


def test_a_changelog_becomes_its_table(project):
    assert project.sql("select id, name from fine") == [(1, "ada")]


def test_with_an_order_of_its_own_the_sequence_of_the_changelog_does_not_count(project):
    assert project.sql("select id, name from ordered") == [(1, "ada")]


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_change_is_refused(project, name):
    message = project.ran.nodes[name].message
    assert WRONG[name][-1] in message and "To fix: " in message
