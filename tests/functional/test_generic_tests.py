"""The data tests that users put on their changelogs: each rule is broken once."""

from __future__ import annotations

import pytest

C, B, A, D = "'INSERT'", "'UPDATE_BEFORE'", "'UPDATE_AFTER'", "'DELETE'"
COLUMNS = "t (_row_kind, _sequence, _ordinal, id, name)"
GOOD = [
    (C, 1, 0, 1, "'ada'"), (B, 2, 0, 1, "'ada'"), (A, 2, 1, 1, "'Ada'"), (D, 3, 0, 1, "'Ada'"),
    (C, 4, 0, 1, "null"), (C, 1, 0, 2, "'bob'"), (C, 2, 0, 3, "'eve'"), (D, 3, 0, 3, "'eve'"),
]  # fmt: skip
# {name: (rows of the changelog, the broken rules)}
CASES = {
    "good": (GOOD, []),
    "good_upserts": ([row for row in GOOD if row[0] != B], []),
    "second_insert": ([*GOOD, (C, 9, 0, 2, "'x'")], ["INSERT of a key that is there"]),
    "update_of_unseen": (
        [*GOOD, (B, 1, 0, 5, "'x'"), (A, 1, 1, 5, "'x'")],
        ["UPDATE_BEFORE of a key that is not there"],
    ),
    "upsert_of_unseen": (
        [(C, 1, 0, 1, "'ada'"), (A, 1, 1, 5, "'x'")],
        ["UPDATE_AFTER of a key that is not there"],
    ),
    "delete_of_unseen": ([*GOOD, (D, 1, 0, 5, "'x'")], ["DELETE of a key that is not there"]),
    "delete_of_deleted": ([*GOOD, (D, 9, 0, 3, "'x'")], ["DELETE of a key that is not there"]),
    "update_of_deleted": (
        [*GOOD, (B, 9, 0, 3, "'x'"), (A, 9, 1, 3, "'x'")],
        ["UPDATE_BEFORE of a key that is not there"],
    ),
    "lone_update_before": (
        [*GOOD, (B, 9, 0, 2, "'bob'")],
        ["UPDATE_BEFORE without its UPDATE_AFTER"],
    ),
    "lone_update_after": (
        [*GOOD, (A, 9, 1, 2, "'Bob'")],
        ["UPDATE_AFTER without its UPDATE_BEFORE"],
    ),
    "pair_of_two_sequences": (
        [*GOOD, (B, 8, 0, 2, "'bob'"), (A, 9, 1, 2, "'Bob'")],
        ["UPDATE_AFTER without its UPDATE_BEFORE", "UPDATE_BEFORE without its UPDATE_AFTER"],
    ),
    "unknown_kind": ([*GOOD, ("'insert'", 9, 0, 5, "'x'")], ["an unknown row kind"]),
    "null_kind": ([*GOOD, ("null", 9, 0, 5, "'x'")], ["an unknown row kind"]),
    "null_key": ([*GOOD, (C, 9, 0, "null", "'x'")], ["a NULL in the key or in _sequence"]),
    "null_sequence": ([*GOOD, (C, "null", 0, 5, "'x'")], ["a NULL in the key or in _sequence"]),
}
# the same without a key
TWICE = [(C, "null", 0, 1, "'ada'"), (C, "null", 0, 1, "'ada'"), (C, "null", 0, 2, "null")]
BAGS = {
    "bag": ([*TWICE, (D, "null", 0, 1, "'ada'"), (D, "null", 0, 2, "null")], []),
    "bag_with_orphan": (
        [*TWICE, (B, 1, 0, 2, "'bob'")],
        ["a row that goes more often than it comes"],
    ),
    "bag_with_unknown_kind": (
        [*TWICE, ("'insert'", 1, 0, 5, "'x'")],
        ["an unknown row kind"],
    ),
}
BAG_TABLES = {
    "bag_as_it_is": ("(1, 'ada'), (1, 'ada'), (2, null)", "pass"),
    "bag_without_duplicate": ("(1, 'ada'), (2, null)", "fail"),
    "bag_with_other_null": ("(1, 'ada'), (1, 'ada'), (null, '2')", "fail"),
}
TABLES = {
    "same": ("(1, null), (2, 'bob')", "pass"),
    "lacks_a_row": ("(1, null)", "fail"),
    "has_a_deleted_row": ("(1, null), (2, 'bob'), (3, 'eve')", "fail"),
    "has_another_value": ("(1, 'x'), (2, 'bob')", "fail"),
    "has_a_duplicate": ("(1, null), (2, 'bob'), (2, 'bob')", "fail"),
}


def changelog(rows, columns="*"):
    values = ", ".join(f"({', '.join(map(str, row))})" for row in rows)
    return f"select {columns} from values {values} as {COLUMNS}"


def checked(model, test, **arguments):
    listed = ", ".join(f"{name}: {value}" for name, value in arguments.items())
    name = arguments.get("table", model).removeprefix("ref('").removesuffix("')")
    return (
        f"{{name: {model}, data_tests: [dbt_changelog.{test}: "
        f"{{name: check_{name}, arguments: {{{listed}}}}}]}}"
    )


@pytest.fixture(scope="module")
def valid(new_project):
    models = [checked(name, "valid_changelog", unique_key="ID") for name in CASES]
    models += [checked(name, "valid_changelog") for name in BAGS]
    models.append(checked("no_key", "valid_changelog", unique_key="nobody"))
    models.append(checked("no_kind", "valid_changelog", unique_key="[id]"))
    files = {f"models/{name}.sql": changelog(rows) for name, (rows, _) in (CASES | BAGS).items()}
    project = new_project({
        **files,
        "models/no_key.sql": changelog(GOOD),
        "models/no_kind.sql": "select 1 as id",
        "models/models.yml": f"models: [{', '.join(models)}]",
    })  # fmt: skip
    project.run("run")
    return project, project.run("test", "--store-failures", expect_failure=True)


@pytest.mark.parametrize("name", CASES | BAGS)
def test_each_rule(valid, name):
    project, result = valid
    rules = (CASES | BAGS)[name][1]
    assert result.nodes[f"check_{name}"].status == ("fail" if rules else "pass")
    found = project.sql(f"select * from {project.schema}_dbt_test__audit.check_{name}")
    assert sorted(row._broken_rule for row in found) == rules


def test_names_that_are_not_there(valid):
    _, result = valid
    assert "Invalid 'unique_key'" in result.nodes["check_no_key"].message
    message = result.nodes["check_no_kind"].message
    assert "Invalid 'model'" in message and "'_row_kind' is not in the input" in message


def test_folds_to_the_table(new_project):
    tags = "*, map('x', id, 'y', 0) as tags, current_timestamp() as read_at"
    models = [
        checked("changes", "changelog_matches_table", table=f"ref('{name}')", unique_key="id",
               exclude="[read_at]")
        for name in [*TABLES, "lacks_a_column"]
    ]  # fmt: skip
    tests = ", ".join(text.partition("data_tests: [")[2].removesuffix("]}") for text in models)
    bags = [
        checked("bag", "changelog_matches_table", table=f"ref('{name}')", exclude="[read_at]")
        for name in BAG_TABLES
    ]
    bag_tests = ", ".join(text.partition("data_tests: [")[2].removesuffix("]}") for text in bags)
    files = {
        f"models/{name}.sql": f"select name, cast(id as bigint) as id, map('y', 0, 'x', id) as tags"
        f" from values {rows} as t (id, name)"
        for name, (rows, _) in (TABLES | BAG_TABLES).items()
    }
    project = new_project({
        **files,
        "models/changes.sql": changelog(GOOD, tags),
        "models/lacks_a_column.sql": "select 1 as id",
        "models/bag.sql": changelog(TWICE, tags),
        "models/models.yml": f"models: [{{name: changes, data_tests: [{tests}]}},"
        f" {{name: bag, data_tests: [{bag_tests}]}}]",
    })  # fmt: skip
    project.run("run")
    result = project.run("test", "--store-failures", expect_failure=True)
    for name, (_, status) in (TABLES | BAG_TABLES).items():
        assert result.nodes[f"check_{name}"].status == status, name
    message = result.nodes["check_lacks_a_column"].message
    assert "'name' is missing on one side" in message and "exclude=['name']" in message
    found = project.sql(
        f"select id, _in_changelog, _in_table from {project.schema}_dbt_test__audit"
        ".check_has_another_value order by all"
    )
    assert found == [(1, 0, 1), (1, 1, 0)]


MODEL = """{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
  changelog=True, read={'column': 'lsn', 'lookback': 9}) }}
select op as op, id, name, lsn from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
YML = """
sources:
  - {name: bronze, schema: "{{ target.schema }}", tables: [{name: events}]}
  - name: ours
    schema: "{{ target.schema }}"
    tables:
      - name: customers__changelog
        data_tests:
          - dbt_changelog.valid_changelog: {arguments: {unique_key: id}}
          - dbt_changelog.changelog_matches_table:
              arguments: {table: ref('customers'), unique_key: id}
"""


@pytest.mark.thorough
def test_our_own_changelog_passes_after_every_batch(new_project):
    project = new_project({"models/customers.sql": MODEL.replace("op as op",
        "if(op = 'x', 'UPDATE_AFTER', op) as op"), "models/sources.yml": YML})  # fmt: skip
    project.table(
        "events", [("INSERT", 1, "ada", 1), ("INSERT", 2, "bob", 3)],
        "op string, id int, name string, lsn int",
    )  # fmt: skip
    for events in (
        [("x", 1, "Ada", 4), ("DELETE", 2, "bob", 5)],
        [("x", 1, "late", 2), ("INSERT", 2, "Bob", 7), ("INSERT", 3, "eve", 1)],
    ):
        project.run("run")
        assert project.run("test").count("pass") == 2
        project.table("events", events)
    project.run("run", "--full-refresh")
    assert project.run("test").count("pass") == 2


WRITTEN = (
    "before: b, after: a, op_mapping: {INSERT: c, 'UPDATE_BEFORE, UPDATE_AFTER': u, DELETE: d}"
)
# {name: (arguments, the status)}
ROUND_TRIPS = {
    "by_key": ("unique_key: ID", "pass"),
    "as_images": (f"unique_key: id, {WRITTEN}", "pass"),
    "as_upserts": ("unique_key: id, encoding: upsert", "pass"),
    "with_spaces_in_codes": (
        "unique_key: id, op_mapping: {INSERT: ' c', UPDATE_AFTER: 'c', DELETE: 'd, '}",
        "pass",
    ),
    "as_retractions": ("encoding: retract", "pass"),
    "without_key": (WRITTEN, "pass"),
    "as_appends": ("encoding: append", "error"),
    "without_deletes": ("op_mapping: {INSERT: c, UPDATE_AFTER: u}", "error"),
    "read_as_if_nothing_went": (
        "unique_key: id, encoding: upsert, read_with: {op_mapping: {'UPDATE_AFTER, DELETE':"
        " UPDATE_AFTER}}",
        "fail",
    ),
}


def test_a_changelog_survives_the_way_there_and_back(new_project):
    listed = ", ".join(
        f"{{dbt_changelog.round_trip: {{name: check_{name}, arguments: {{{arguments}}}}}}}"
        for name, (arguments, _) in ROUND_TRIPS.items()
    )
    project = new_project({
        "models/changes.sql": changelog(GOOD, "*, map('x', id, 'y', 0) as tags, 1 as _batch_id"),
        "models/models.yml": f"models: [{{name: changes, data_tests: [{listed}]}}]",
    })  # fmt: skip
    project.run("run")
    result = project.run("test", "--store-failures", expect_failure=True)
    found = {name: result.nodes[f"check_{name}"].status for name in ROUND_TRIPS}
    assert found == {name: status for name, (_, status) in ROUND_TRIPS.items()}, result.log
    message = result.nodes["check_without_deletes"].message
    assert "Invalid 'op_mapping'" in message and "it loses changes" in message
    assert "append has no event for the change" in result.nodes["check_as_appends"].message
    found = project.sql(
        f"select id, _in_changelog, _in_round_trip from {project.schema}_dbt_test__audit"
        ".check_read_as_if_nothing_went"
    )
    assert found == [(3, 0, 1)]
