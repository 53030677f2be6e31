"""Values that were not sent, soft deletes and truncates: each rule by its name."""

from __future__ import annotations

from collections import Counter
from hashlib import md5
from typing import Any, NamedTuple
from uuid import UUID

import pytest

from .conftest import ProjectFactory, chosen, usual

FLAT = "op string, _lsn int, id int, name string, note string"
MASKED = FLAT + ", unsent array<string>"
FORMS = (
    "op string, _lsn int, id int, a string, b string, c array<string>, d array<string>,"
    " u array<string>, e binary, f map<string,string>, g array<int>,"
    " p struct<wkb: binary, srid: int>, h struct<x: string>"
)
ROW = "struct<id int, name string, note string>"
IMAGES = f"op string, _lsn int, before {ROW}, after {ROW}"
NULL = None


class Case(NamedTuple):
    """Events by batch, and the contents after the last one."""

    config: str
    columns: str
    batches: tuple[list[tuple[Any, ...]], ...]
    contents: list[tuple[Any, ...]]


def of_forms(value: str, base64: str) -> tuple[Any, ...]:
    text = value.encode()
    uuid = str(UUID(bytes=md5(text).digest(), version=3))
    point = bytearray.fromhex("0101000020E6100000000000FC83D797C1000000FC83D797C1")
    forms = ([value], [base64], [uuid], bytearray(text), {value: value}, list(text), (point, 4326))
    return (value, base64, *forms, (value,))


SENT = ("a", "b", ["c"], ["d"], ["u"], b"e", {"f": "f"}, [7], (b"p", 1), ("h",))
CASES = {
    "each_form_of_the_placeholder_keeps_the_value_but_in_a_struct": Case(
        "unavailable_value='?!'",
        FORMS,
        ([("c", 1, 1, *SENT)], [("u", 2, 1, *of_forms("?!", "PyE="))]),
        [(1, *SENT[:-1], ("?!",))],
    ),
    "a_list_with_the_placeholder_and_more_is_a_value": Case(
        "unavailable_value='?!'",
        "op string, _lsn int, id int, tags array<string>",
        ([("c", 1, 1, ["a"])], [("u", 2, 1, ["?!", "b"])]),
        [(1, ["?!", "b"])],
    ),
    "null_keeps_the_value_of_each_column": Case(
        "ignore_null_updates=true",
        FLAT,
        ([("c", 1, 1, "ada", "one")], [("u", 2, 1, NULL, "two"), ("u", 3, 1, "eve", NULL)]),
        [(1, "eve", "two")],
    ),
    "null_keeps_the_value_of_the_columns_of_a_list": Case(
        "ignore_null_updates=['note']",
        FLAT,
        ([("c", 1, 1, "ada", "one")], [("u", 2, 1, NULL, NULL)]),
        [(1, NULL, "one")],
    ),
    "null_keeps_the_value_of_all_columns_but_some": Case(
        "ignore_null_updates={'except': 'note'}",
        FLAT,
        ([("c", 1, 1, "ada", "one")], [("u", 2, 1, NULL, NULL)]),
        [(1, "ada", NULL)],
    ),
    "a_column_that_a_mask_names_keeps_its_value_and_null_is_a_value": Case(
        "columns_not_sent='unsent'",
        MASKED,
        (
            [("c", 1, 1, "ada", "one", NULL)],
            [("u", 2, 1, "eve", "two", ["Note"]), ("u", 3, 1, NULL, NULL, [])],
            [("u", 4, 1, "joe", "joe", ["name", "note"])],
        ),
        [(1, NULL, NULL)],
    ),
    "a_late_event_sets_what_no_later_one_has_set": Case(
        "ignore_null_updates=true",
        FLAT,
        ([("c", 1, 1, "ada", "one"), ("u", 4, 1, "joe", NULL)], [("u", 3, 1, "ann", "three")]),
        [(1, "joe", "three")],
    ),
    "a_delete_ends_what_was_sent_before_it": Case(
        "ignore_null_updates=true",
        FLAT,
        ([("c", 1, 1, "ada", "one"), ("d", 2, 1, NULL, NULL)], [("c", 3, 1, "eve", NULL)]),
        [(1, "eve", NULL)],
    ),
    "a_row_that_moves_takes_what_was_not_sent_from_its_before_image": Case(
        "before='before', after='after', unavailable_value='?!'",
        IMAGES,
        (
            [("c", 1, NULL, (1, "ada", "one"))],
            [("u", 2, (1, "ada", "one"), (2, "eve", "?!"))],
        ),
        [(2, "eve", "one")],
    ),
    "a_row_that_moves_takes_what_is_null_from_its_before_image": Case(
        "before='before', after='after', ignore_null_updates={'except': 'NAME'}",
        IMAGES,
        (
            [("c", 1, NULL, (1, "ada", "one"))],
            [("u", 2, (1, "ada", "one"), (2, NULL, NULL))],
        ),
        [(2, NULL, "one")],
    ),
    "a_row_that_moves_takes_what_a_mask_names_from_its_before_image": Case(
        "before='before', after='after', columns_not_sent='unsent'",
        IMAGES + ", unsent array<string>",
        (
            [("c", 1, NULL, (1, "ada", "one"), NULL)],
            [("u", 2, (1, "ada", "one"), (2, NULL, NULL), ["NOTE"])],
        ),
        [(2, NULL, "one")],
    ),
    "two_events_of_a_sequence_that_a_later_delete_or_truncate_takes_are_no_tie": Case(
        "ignore_null_updates=true",
        FLAT,
        (
            [
                *(("c", 2, 1, name, note) for name, note in [("ada", "one"), ("eve", NULL)]),
                *[("c", 3, 2, name, NULL) for name in ("joe", "ann")],
                *[("d", 4, 1, NULL, NULL), ("t", 3, NULL, NULL, NULL), ("c", 5, 2, NULL, "two")],
            ],
        ),
        [(2, NULL, "two")],
    ),
    "two_events_of_a_sequence_that_set_other_columns_are_no_tie": Case(
        "ignore_null_updates=true",
        FLAT,
        ([("u", 1, 1, "ada", NULL)], [("u", 1, 1, NULL, "one")]),
        [(1, "ada", "one")],
    ),
    "a_soft_delete_keeps_the_row_that_its_upserts_made": Case(
        "soft_delete='gone'",
        FLAT,
        (
            [("c", 1, 1, "ada", "one"), ("c", 1, 2, "bob", "two")],
            [("d", 2, 1, NULL, NULL), ("d", 9, 3, "cleo", "three")],
        ),
        # a key of which only a delete is known has no row
        [(1, "ada", "one", True), (2, "bob", "two", False)],
    ),
    "a_row_that_comes_back_after_a_soft_delete_takes_nothing_from_before": Case(
        "soft_delete='gone', ignore_null_updates=true",
        FLAT,
        (
            [("c", 1, 1, "ada", "one"), ("d", 2, 1, NULL, NULL)],
            [("c", 3, 1, "eve", NULL)],
        ),
        [(1, "eve", NULL, False)],
    ),
    "a_truncate_ends_all_rows_up_to_its_sequence_and_no_later_ones": Case(
        "tie_handling='FAIL'",
        FLAT,
        (
            [("c", 1, 1, "ada", "one"), ("c", 5, 2, "bob", "two"), ("c", 3, 3, "cleo", "three")],
            [("t", 3, NULL, NULL, NULL)],
            # what comes late is truncated all the same
            [("c", 2, 4, "dan", "four"), ("c", 4, 5, "eve", "five")],
        ),
        [(2, "bob", "two"), (5, "eve", "five")],
    ),
    "a_truncate_flags_the_rows_of_soft_deletes": Case(
        "soft_delete='gone'",
        FLAT,
        (
            [("c", 1, 1, "ada", "one"), ("c", 5, 2, "bob", "two"), ("c", 3, 3, "eve", "three")],
            [("t", 3, NULL, NULL, NULL)],
        ),
        [(1, "ada", "one", True), (2, "bob", "two", False), (3, "eve", "three", True)],
    ),
    "a_truncate_ends_rows_that_came_in_parts": Case(
        "ignore_null_updates=true",
        FLAT,
        (
            [("c", 1, 1, "ada", "one"), ("u", 5, 1, NULL, "two"), ("c", 3, 3, "eve", "three")],
            [("t", 3, NULL, NULL, NULL)],
        ),
        [(1, NULL, "two")],
    ),
}
# those that write their changelog
LOGGED = [
    "a_late_event_sets_what_no_later_one_has_set",
    "a_row_that_moves_takes_what_was_not_sent_from_its_before_image",
    "a_row_that_moves_takes_what_is_null_from_its_before_image",
    "a_row_that_moves_takes_what_a_mask_names_from_its_before_image",
    "a_soft_delete_keeps_the_row_that_its_upserts_made",
    "a_truncate_ends_all_rows_up_to_its_sequence_and_no_later_ones",
    "a_truncate_ends_rows_that_came_in_parts",
]
USUAL = [
    "each_form_of_the_placeholder_keeps_the_value_but_in_a_struct",
    "null_keeps_the_value_of_all_columns_but_some",
    "a_late_event_sets_what_no_later_one_has_set",
    "a_soft_delete_keeps_the_row_that_its_upserts_made",
    "a_truncate_ends_all_rows_up_to_its_sequence_and_no_later_ones",
]
MODEL = """
{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='_lsn', {config},
          read={{'column': 'batch', 'strict': true}}, changelog={changelog},
          op_mapping={{'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'
                      {truncate}}}) }}}}
select * except (batch) from {{{{ dbt_changelog.new_rows(source('bronze', '{name}_events')) }}}}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [%s]
"""


def model(name: str) -> str:
    case = CASES[name]
    return MODEL.format(
        name=name,
        config=case.config,
        changelog="true" if name in LOGGED else "false",
        truncate=", 't': 'TRUNCATE'" if "truncate" in name else "",
    )


def sources(names: list[str]) -> str:
    return SOURCES % ", ".join(f"{{name: {name}_events}}" for name in names)


def arrive(project: Any, name: str, batch: int) -> None:
    rows = [(batch, *event) for event in CASES[name].batches[batch - 1]]
    columns = f"batch int, {CASES[name].columns}" if batch == 1 else None
    project.table(f"{name}_events", rows, columns)


def rows(project: Any, name: str) -> list[tuple[Any, ...]]:
    found = project.sql(f"select * from {name}")
    return sorted((tuple(row) for row in found), key=repr)


@pytest.fixture(scope="module")
def project(request: pytest.FixtureRequest, new_project: ProjectFactory, home: str) -> Any:
    """Each batch of all cases a run."""
    names = sorted(chosen(request, "name"))
    files = {f"models/{name}.sql": model(name) for name in names}
    project = new_project(
        {"models/sources.yml": sources(names), **files}, "partial_rows", threads=2, home=home
    )
    for batch in range(1, 1 + max(len(CASES[name].batches) for name in names)):
        due = [name for name in names if batch <= len(CASES[name].batches)]
        for name in due:
            arrive(project, name, batch)
        project.run("run", "--select", *due)
    return project


@pytest.mark.parametrize("name", usual(CASES, USUAL))
def test_partial_rows(project, name):
    assert rows(project, name) == sorted(CASES[name].contents, key=repr)


@pytest.mark.parametrize("name", usual(LOGGED, USUAL))
def test_the_changelog_of_partial_rows_folds_to_them(project, name):
    left: Counter[str] = Counter()
    names = project.spark.table(f"{project.schema}.{name}").columns
    for row in project.sql(f"select * from {name}__changelog"):
        sign = -1 if row._row_kind in ("UPDATE_BEFORE", "DELETE") else 1
        left[repr([row[column] for column in names])] += sign
    found = {repr(list(row)): 1 for row in project.sql(f"select * from {name}")}
    assert {text: count for text, count in left.items() if count} == found


@pytest.mark.parametrize("name", ["a_soft_delete_keeps_the_row_that_its_upserts_made"])
def test_a_soft_delete_is_an_update_of_its_flag(project, name):
    kinds = project.sql(f"select _row_kind, gone from {name}__changelog where id = 1")
    assert sorted(map(tuple, kinds)) == [
        ("INSERT", False),
        ("UPDATE_AFTER", True),
        ("UPDATE_BEFORE", False),
    ]


@pytest.mark.parametrize("name", ["a_truncate_ends_all_rows_up_to_its_sequence_and_no_later_ones"])
def test_a_batch_counts_its_truncates(project, name):
    counts = project.sql(
        "select batch_id, truncates, rows_deleted from dbt_changelog_batches"
        f" where uid like '%.{name}' order by batch_id"
    )
    assert [tuple(row) for row in counts] == [(1, 0, 0), (2, 1, 2), (3, 0, 0)]


def one(new_project: ProjectFactory, home: str, config: str, *events: Any) -> Any:
    """A model of flat events, all in one batch; not run yet."""
    CASES["rows"] = Case(config, FLAT, (list(events),), [])
    try:
        files = {"models/sources.yml": sources(["rows"]), "models/rows.sql": model("rows")}
        project = new_project(files, "partial_row", home=home)
        arrive(project, "rows", 1)
    finally:
        del CASES["rows"]
    return project


def test_a_value_that_no_event_has_sent_is_null_is_counted_and_warned_of(new_project, home):
    project = one(
        new_project, home, "unavailable_value='?!'", ("u", 1, 1, "ada", "?!"), ("c", 2, 2, "b", "c")
    )
    result = project.run("run")
    warning = "1 values of from_changelog model 'rows' were never sent"
    assert any(warning in text for text in result.warnings)
    assert rows(project, "rows") == [(1, "ada", None), (2, "b", "c")]
    counted = project.sql("select values_unknown from dbt_changelog_batches")
    assert [row[0] for row in counted] == [1]


def test_diagnose_counts_what_is_stored(new_project, home, capsys):
    project = one(
        new_project,
        home,
        "ignore_null_updates=true",
        ("u", 1, 1, "ada", None),
        ("u", 1, 2, None, "b"),
    )
    project.run("run")
    project.run("run-operation", "diagnose", "--args", "{model: rows}")
    assert "0 new changes, 2 duplicates, 0 late" in capsys.readouterr().out


@pytest.mark.parametrize(
    "events",
    [
        pytest.param([("u", 1, 1, "ada", None), ("u", 1, 1, "eve", None)], id="two values"),
        pytest.param([("u", 1, 1, "ada", None), ("d", 1, 1, None, None)], id="upsert and delete"),
    ],
)
def test_two_events_of_a_sequence_whose_order_matters_are_an_error(new_project, home, events):
    project = one(new_project, home, "ignore_null_updates=true", *events)
    result = project.run("run", expect_failure=True)
    assert "two different changes of one key have one sequence" in result.log
    assert "LAST" not in result.log


def test_no_event_of_a_sequence_is_the_last_one_where_rows_have_parts(new_project, home):
    events = [("c", 1, 1, "ada", "one"), ("c", 1, 1, "eve", "two")]
    project = one(new_project, home, "soft_delete='gone', tie_handling='LAST'", *events)
    result = project.run("run", expect_failure=True)
    assert "Invalid 'tie_handling'" in result.log
    assert "rows" not in project.tables()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "statement", ["stage changes", "append changelog", "write state", "commit batch"]
)
def test_a_truncate_that_is_cut_short_is_made_again(new_project, home, statement):
    name = "a_truncate_ends_all_rows_up_to_its_sequence_and_no_later_ones"
    files = {"models/sources.yml": sources([name]), f"models/{name}.sql": model(name)}
    project = new_project(files, "truncated", home=home)
    for batch in 1, 2, 3:
        arrive(project, name, batch)
        stop = {"dbt_changelog_fail_after": statement}
        if batch == 2:
            project.run("run", vars=stop, expect_failure=True)
        project.run("run")
    test_partial_rows(project, name)
    test_the_changelog_of_partial_rows_folds_to_them(project, name)
