"""An event that moves its row to another key leaves nothing behind under the old one."""

from __future__ import annotations

import pytest

from .conftest import chosen, usual

# name: (rows of (op, lsn, before, after), the contents)
FULL = "struct<id int, line int, name string>"
CASES = {
    "both_images_are_whole": (
        [
            ("c", 1, None, (1, 1, "ada")),
            ("u", 2, (1, 1, "ada"), (1, 2, "ada")),
            ("u", 3, (1, 2, "ada"), (2, 2, "Ada")),
        ],
        [(2, 2, "Ada")],
    ),
    "before_holds_only_what_changed": (
        [
            ("c", 1, None, (1, 1, "ada")),
            ("u", 2, (None, 1, None), (1, 2, "ada")),
            ("u", 3, (None, None, "ada"), (1, 2, "Ada")),
        ],
        [(1, 2, "Ada")],
    ),
    "the_old_key_lives_again": (
        [
            ("c", 1, None, (1, 1, "ada")),
            ("u", 2, (1, 1, "ada"), (1, 2, "ada")),
            ("c", 3, None, (1, 1, "bob")),
        ],
        [(1, 1, "bob"), (1, 2, "ada")],
    ),
    "the_new_key_was_deleted_before": (
        [
            ("c", 1, None, (1, 2, "eve")),
            ("d", 2, (1, 2, "eve"), None),
            ("c", 3, None, (1, 1, "ada")),
            ("u", 4, (1, 1, "ada"), (1, 2, "ada")),
        ],
        [(1, 2, "ada")],
    ),
    "a_late_move_changes_nothing": (
        [
            ("d", 5, (1, 1, "ada"), None),
            ("d", 6, (1, 2, "ada"), None),
            ("u", 4, (1, 1, "ada"), (1, 2, "ada")),
        ],
        [],
    ),
}
MODEL = """
{{ config(materialized='from_changelog', unique_key=['id', 'line'], sequence_by='lsn',
          before='before', after='after', read={'column': 'lsn', 'lookback': 100},
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'NAME')) }}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [%s]
"""


USUAL = ["the_old_key_lives_again"]


@pytest.fixture(scope="module")
def project(request, new_project, home):
    """All events in one batch, and each event a batch of its own."""
    cases = {name: CASES[name] for name in sorted(chosen(request, "name"))}
    names = [f"{name}_events" for name in cases]
    files = {
        f"models/{name}{how}.sql": MODEL.replace("NAME", f"{name}_events")
        for name in cases
        for how in ("", "_one_by_one")
    }
    sources = SOURCES % ", ".join(f"{{name: {name}}}" for name in names)
    project = new_project({"models/sources.yml": sources, **files}, "key_changes", home=home)
    columns = f"op string, lsn int, before {FULL}, after {FULL}"
    for name, (rows, _) in cases.items():
        project.table(f"{name}_events", rows[:1], columns)
    project.run("run", "--select", "*_one_by_one")
    for place in range(1, 4):
        for name, (rows, _) in cases.items():
            if rows[place : place + 1]:
                project.table(f"{name}_events", rows[place : place + 1])
        project.run("run", "--select", "*_one_by_one")
    project.run("run", "--exclude", "*_one_by_one")
    return project


@pytest.mark.parametrize("how", ["", "_one_by_one"])
@pytest.mark.parametrize("name", usual(CASES, USUAL))
def test_contents(project, name, how):
    assert project.sql(f"select * from {name}{how} order by id, line") == CASES[name][1]
