"""Versions (SCD type 2): each rule by its name."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest

from .conftest import ProjectFactory, usual

COLUMNS = "op string, _lsn int, id int, name string, note string"
MODEL = """
{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='_lsn',
          stored_as_scd_type=2, {config},
          op_mapping={{'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'{truncate}}}) }}}}
select * except (model) from {{{{ source('bronze', 'events') }}}} where model = '{name}'
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
NULL = None
ANY = "tie_handling='FAIL'"
LOGGED = f"{ANY}, changelog=true"


class Case(NamedTuple):
    """Events by batch; of the versions after them what the rule is about."""

    config: str
    batches: tuple[list[tuple[Any, ...]], ...]
    versions: list[tuple[Any, ...]]
    columns: str = "id, name, note, valid_from, valid_to"
    # whether only `make test-thorough` has it, because the usual laws of versions have it, too
    in_laws: bool = False


CASES = {
    "a_late_event_splits_the_version_that_it_falls_in": Case(
        ANY,
        ([("c", 1, 1, "ada", NULL), ("u", 5, 1, "eve", NULL)], [("u", 3, 1, "ann", NULL)]),
        [(1, "ada", NULL, 1, 3), (1, "ann", NULL, 3, 5), (1, "eve", NULL, 5, NULL)],
    ),
    "equal_neighbours_are_one_version_until_a_late_event_parts_them": Case(
        ANY,
        (
            [("c", 1, 1, "ada", NULL), ("u", 5, 1, "ada", NULL)],
            [("c", 1, 2, "bob", NULL), ("u", 3, 1, "ann", NULL), ("u", 5, 2, "bob", NULL)],
        ),
        [
            (1, "ada", NULL, 1, 3),
            (1, "ann", NULL, 3, 5),
            (1, "ada", NULL, 5, NULL),
            (2, "bob", NULL, 1, NULL),
        ],
    ),
    "a_delete_closes_and_an_insert_after_it_opens": Case(
        ANY,
        ([("c", 1, 1, "ada", NULL), ("c", 5, 1, "ada", NULL)], [("d", 3, 1, NULL, NULL)]),
        [(1, "ada", NULL, 1, 3), (1, "ada", NULL, 5, NULL)],
    ),
    "a_change_of_another_column_shows_in_the_version_that_is_open_at_its_sequence": Case(
        "track_history_columns='name'",
        (
            [("c", 1, 1, "ada", "one"), ("u", 5, 1, "eve", "two")],
            [("u", 3, 1, "ada", "late"), ("u", 7, 1, "eve", "new")],
        ),
        [(1, "ada", "late", 1, 5), (1, "eve", "new", 5, NULL)],
    ),
    "columns_may_be_tracked_but_for_some": Case(
        "track_history_columns_except=['NOTE']",
        ([("c", 1, 1, "ada", "one"), ("u", 5, 1, "ada", "two")],),
        [(1, "ada", "two", 1, NULL)],
        in_laws=True,
    ),
    "a_truncate_closes_all_and_also_what_comes_late": Case(
        "ignore_null_updates=true",
        (
            [("c", 1, 1, "ada", "one"), ("c", 4, 2, "bob", "two"), ("c", 5, 3, "cleo", "three")],
            [("t", 4, NULL, NULL, NULL)],
            [("c", 2, 4, "dan", "four"), ("u", 6, 1, "ada", NULL)],
        ),
        [
            (1, "ada", "one", 1, 4),
            (1, "ada", NULL, 6, NULL),
            (3, "cleo", "three", 5, NULL),
            (4, "dan", "four", 2, 4),
        ],
    ),
    "what_was_not_sent_is_as_in_the_version_before_and_late_values_are_inherited": Case(
        "ignore_null_updates=true, track_history_columns='name'",
        ([("c", 1, 1, "ada", "one"), ("u", 5, 1, "eve", NULL)], [("u", 3, 1, NULL, "late")]),
        [(1, "ada", "late", 1, 5), (1, "eve", "late", 5, NULL)],
        in_laws=True,
    ),
    "a_soft_delete_is_a_version": Case(
        "soft_delete='gone'",
        ([("c", 1, 1, "ada", "one"), ("d", 3, 1, NULL, NULL)], [("c", 5, 1, "ada", "one")]),
        [
            (1, "ada", False, 1, 3, False),
            (1, "ada", True, 3, 5, False),
            (1, "ada", False, 5, NULL, True),
        ],
        "id, name, gone, valid_from, valid_to, is_current",
        in_laws=True,
    ),
    "versions_may_have_the_columns_of_a_dbt_snapshot": Case(
        "valid_from='dbt_valid_from', valid_to='dbt_valid_to', is_current='dbt_is_current'",
        ([("c", 1, 1, "ada", NULL), ("u", 5, 1, "eve", NULL)],),
        [(1, "ada", NULL, 1, 5, False), (1, "eve", NULL, 5, NULL, True)],
        "id, name, note, dbt_valid_from, dbt_valid_to, dbt_is_current",
    ),
    "of_a_tie_the_last_is_the_version": Case(
        "tie_handling='LAST'",
        ([("c", 1, 1, "ada", NULL), ("u", 5, 1, "eve", NULL)], [("d", 5, 1, NULL, NULL)]),
        [(1, "ada", NULL, 1, 5), (1, "eve", NULL, 5, NULL)],
    ),
}
USUAL = [name for name, case in CASES.items() if not case.in_laws]
OTHERS = [name for name, case in CASES.items() if case.in_laws]
# the mapping does not name UPDATE_BEFORE
CHANGED = [
    (1, "INSERT", "ada", 1, NULL),
    (2, "UPDATE_AFTER", "ada", 1, 5),
    (2, "INSERT", "eve", 5, NULL),
]


def make(new_project: ProjectFactory, cases: dict[str, Case], home: str | None = None) -> Any:
    """A project of these models, with no events yet."""
    files = {
        f"models/{name}.sql": MODEL.format(
            name=name,
            config=case.config,
            truncate=", 't': 'TRUNCATE'" if "truncate" in name else "",
        )
        for name, case in cases.items()
    }
    project = new_project({**files, "models/sources.yml": SOURCES}, home=home)
    project.table("events", [], f"model string, {COLUMNS}")
    return project


def land(project: Any, cases: dict[str, Case], batch: int) -> None:
    for name, case in cases.items():
        if batch < len(case.batches):
            project.table("events", [(name, *event) for event in case.batches[batch]])


@pytest.mark.parametrize("names", usual([USUAL, OTHERS], [USUAL]), ids=["usual", "others"])
def test_versions_follow_their_rules(new_project, home, names):
    cases = {name: CASES[name] for name in names}
    project = make(new_project, cases, home)
    for batch in range(3):
        land(project, cases, batch)
        project.run("run")
    for name, case in cases.items():
        found = [tuple(row) for row in project.sql(f"select {case.columns} from {name}")]
        assert sorted(found, key=str) == sorted(case.versions, key=str), name
        shown = ", ".join(case.columns.split(", ")[:3])
        current = [tuple(row) for row in project.sql(f"select {shown} from {name}__current")]
        open_versions = [version[:3] for version in case.versions if version[4] is NULL]
        assert sorted(current, key=str) == sorted(open_versions, key=str), name


def test_the_changelog_has_what_became_of_versions(new_project, home):
    batches = ([("c", 1, 1, "ada", NULL)], [("u", 5, 1, "eve", NULL)])
    cases = {"history": Case(LOGGED, batches, [])}
    project = make(new_project, cases, home)
    kinds = "_batch_id, _row_kind, name, valid_from, valid_to"
    order = "order by _batch_id, valid_from, _ordinal"
    for batch in range(2):
        land(project, cases, batch)
        project.run("run")
    project.run("run")
    changelog = f"select {kinds} from history__changelog {order}"
    assert [tuple(row) for row in project.sql(changelog)] == CHANGED
    # another rule for what is a version changes versions that were emitted
    text = (project.root / "models/history.sql").read_text(encoding="utf-8")
    project.write("models/history.sql", text.replace(ANY, "track_history_columns='note'"))
    failed = project.run("run", expect_failure=True)
    said = "it is ['note'], and the changelog was made with ['name', 'note']"
    assert said in failed.nodes["history"].message
    project.run("run", "--full-refresh")
    assert [tuple(row) for row in project.sql(changelog)][len(CHANGED) :] == [
        (3, "UPDATE_AFTER", "eve", 1, NULL),
        (3, "DELETE", "eve", 5, NULL),
    ]


def test_the_view_of_open_versions_is_made_by_a_run_that_finds_nothing_new(new_project, home):
    cases = {"history": Case(ANY, ([("c", 1, 1, "ada", NULL)],), [])}
    project = make(new_project, cases, home)
    land(project, cases, 0)
    after = {"dbt_changelog_fail_after": "contents view"}
    project.run("run", vars=after, expect_failure=True)
    assert "nothing new" in project.run("run").nodes["history"].message
    assert [row.name for row in project.sql("select name from history__current")] == ["ada"]
    text = (project.root / "models/history.sql").read_text(encoding="utf-8")
    project.write("models/history.sql", text.replace(ANY, "valid_to='until'"))
    project.run("run")
    assert [row.name for row in project.sql("select name from history__current")] == ["ada"]


def test_the_open_versions_can_be_read_in_ci(new_project, home):
    cases = {"history": Case(ANY, ([("c", 1, 1, "ada", NULL)],), [])}
    project = make(new_project, cases, home)
    current = "{{ dbt_changelog.beside(ref('history'), 'current') }}"
    project.write("models/reader.sql", f"select open.name from {current} as open")
    project.run("run", "--empty")
    assert project.sql("select * from reader") == []
    land(project, cases, 0)
    project.run("run")
    assert [row.name for row in project.sql("select name from reader")] == ["ada"]


@pytest.mark.thorough
def test_the_sequence_of_emitted_versions_never_goes_back(new_project, home):
    """Also where truncates and events come late to a key that a later truncate has reached."""
    batches = (
        [("c", 1, 1, "ada", "one")],
        [("t", 20, NULL, NULL, NULL)],
        [("t", 10, NULL, NULL, NULL)],
        [("u", 5, 1, "eve", "two")],
    )
    cases = {"truncated": Case(f"{LOGGED}, ignore_null_updates=true", batches, [])}
    project = make(new_project, cases, home)
    for batch in range(4):
        land(project, cases, batch)
        project.run("run")
    emitted = "_batch_id, _row_kind, _sequence, name, valid_from, valid_to"
    assert sorted(map(tuple, project.sql(f"select {emitted} from truncated__changelog"))) == [
        (1, "INSERT", 1, "ada", 1, NULL),
        (2, "UPDATE_AFTER", 20, "ada", 1, 20),
        (3, "UPDATE_AFTER", 20, "ada", 1, 10),
        (4, "INSERT", 20, "eve", 5, 10),
        (4, "UPDATE_AFTER", 20, "ada", 1, 5),
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("config", usual([LOGGED, "ignore_null_updates=true"], [LOGGED]))
def test_what_passed_through_makes_no_version_once_the_query_has_it_no_more(
    new_project, home, config
):
    batches = ([("c", 1, 1, "ada", "x"), ("u", 2, 1, "ada", "y")], [("c", 3, 2, "bob", "z")])
    config = f"{config}, on_schema_change='append_new_columns'"
    cases = {"history": Case(f"{config}, passthrough='note'", batches, [])}
    project = make(new_project, cases, home)
    versions = "select id, note, valid_from, valid_to from history order by id, valid_from"
    land(project, cases, 0)
    project.run("run")
    text = (project.root / "models/history.sql").read_text(encoding="utf-8")
    text = text.replace(", passthrough='note'", "").replace("(model)", "(model, note)")
    project.write("models/history.sql", text)
    land(project, cases, 1)
    for _ in range(2):
        project.run("run")
        found = [tuple(row) for row in project.sql(versions)]
        assert found == [(1, "y", 1, None), (2, None, 3, None)]
    # it is tracked from when all versions are made anew by it
    project.write("models/history.sql", text.replace("(model, note)", "(model)"))
    if "changelog" in config:
        failed = project.run("run", expect_failure=True)
        assert "it is not set, and the changelog was made with" in failed.nodes["history"].message
    project.run("run", "--full-refresh")
    assert [row.note for row in project.sql(versions)] == ["x", "y", "z"]


@pytest.mark.thorough
def test_a_tie_with_the_state_is_an_error(new_project, home):
    cases = {"history": Case(ANY, ([("c", 1, 1, "ada", NULL), ("u", 5, 1, "eve", NULL)],), [])}
    project = make(new_project, cases, home)
    land(project, cases, 0)
    project.run("run")
    project.table("events", [("history", "u", 1, 1, "ann", NULL)])
    failed = project.run("run", expect_failure=True)
    message = failed.nodes["history"].message
    assert 'one sequence, {"id":1,"_sequence":1}' in message
    assert project.sql("select count(*) from history")[0][0] == 2


@pytest.mark.thorough
@pytest.mark.parametrize("partial", usual([False, True], [False]))
def test_an_erased_key_has_no_versions_but_later_ones(new_project, home, partial):
    config = "ignore_null_updates=true" if partial else ANY
    events = [("c", 2, 1, "ada", "x"), ("u", 5, 1, "eve", "y"), ("c", 1, 2, "bob", "z")]
    cases = {"history": Case(config, (events,), [])}
    project = make(new_project, cases, home)
    land(project, cases, 0)
    project.run("run")
    project.run("run-operation", "erase", "--args", "{model: history, keys: [{id: 1}]}")
    project.run("run")
    versions = "select id, name, note, valid_from from history order by id, valid_from"
    assert [tuple(row) for row in project.sql(versions)] == [(2, "bob", "z", 1)]
    project.table("events", [("history", "u", n, 1, f"n{n}", "n") for n in (3, 7)])
    project.run("run")
    assert [tuple(row) for row in project.sql(versions)] == [(1, "n7", "n", 7), (2, "bob", "z", 1)]
    assert project.sql("select * from history__state where name in ('ada', 'eve')") == []


@pytest.mark.thorough
def test_a_batch_writes_only_its_points(new_project, home):
    first = [("c", 1, key, "ada", NULL) for key in range(1, 9)]
    cases = {"history": Case(LOGGED, (first, [("u", 5, 3, "eve", NULL)]), [])}
    project = make(new_project, cases, home)
    for batch in range(2):
        land(project, cases, batch)
        project.run("run")
    written = "select id, _sequence from history__state where _batch_id = 2"
    assert [tuple(row) for row in project.sql(written)] == [(3, 5)]
    assert project.sql("select count(*) from history__changelog where _batch_id = 2")[0][0] == 2
