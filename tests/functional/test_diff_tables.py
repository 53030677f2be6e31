"""diff_tables on real tables: types without equality, other columns, wrong keys."""

from __future__ import annotations

import pytest

# name: (query of the table before, of the table after, arguments, rows out without the sequence)
CASES = {
    "maps_have_no_order": (
        "select 1 as id, map('a', 1, 'b', 2) as m, map(1, -0.0d) as n",
        "select 1 as id, map('b', 2, 'a', 1) as m, map(1, 0.0d) as n",
        "unique_key='id'",
        [],
    ),
    "maps_differ": (
        "select 1 as id, map('a', 1, 'b', null) as m",
        "select 1 as id, map('a', 1) as m",
        "unique_key='id'",
        [("UPDATE_BEFORE", 1, {"a": 1, "b": None}), ("UPDATE_AFTER", 1, {"a": 1})],
    ),
    "a_map_without_a_key": (
        "select 1 as id, map('a', 1, 'b', 2) as m",
        "select 1 as id, map('b', 2, 'a', 1) as m union all select 2, null",
        "",
        [("INSERT", 2, None)],
    ),
    "variants": (
        "select id, parse_json(j) as v from values (1, '{\"a\": 1, \"b\": 2}'), (2, '1') t (id, j)",
        "select id, parse_json(j) as v from values (1, '{\"b\": 2, \"a\": 1}'), (2, '2') t (id, j)",
        "unique_key='id'",
        [("UPDATE_BEFORE", 2, "1"), ("UPDATE_AFTER", 2, "2")],
    ),
    "microseconds_in_a_row_with_a_map": (
        "select 1 as id, timestamp'2026-01-01 00:00:00.000001' as t, map('a', 1) as m",
        "select 1 as id, timestamp'2026-01-01 00:00:00.000002' as t, map('a', 1) as m",
        "unique_key='id'",
        ["UPDATE_BEFORE", "UPDATE_AFTER"],
    ),
    "null_and_nan_and_zero": (
        "select 1 as id, cast(null as int) as a, double('nan') as b, -0.0d as c",
        "select 1 as id, cast(null as int) as a, double('nan') as b, 0.0d as c",
        "unique_key='id'",
        [],
    ),
    "a_value_moves_to_another_column": (
        "select 1 as id, 'x' as a, cast(null as string) as b",
        "select 1 as id, cast(null as string) as a, 'x' as b",
        "unique_key='id'",
        [("UPDATE_BEFORE", 1, "x", None), ("UPDATE_AFTER", 1, None, "x")],
    ),
    "a_new_column": (
        "select 1 as id, 1.5d as n union all select 2, double('nan')",
        "select 1 as id, 1.5d as n, 'a' as extra union all select 2, double('nan'), null",
        "unique_key='id'",
        [("UPDATE_BEFORE", 1, 1.5, None), ("UPDATE_AFTER", 1, 1.5, "a")],
    ),
    "columns_in_another_order": (
        "select 1 as id, 2 as a, 3 as b",
        "select 3 as b, 1 as id, 2 as a",
        "unique_key='id'",
        [],
    ),
    "columns_in_another_order_without_a_key": (
        "select 1 as a, 2 as b",
        "select 2 as b, 1 as a union all select 1, 2",
        "",
        [("INSERT", 1, 2)],
    ),
    "names_in_another_case": (
        "select 1 as ID, 'a' as Name union all select 2, 'b'",
        "select 1 as id, 'a' as name",
        "unique_key='id'",
        [("DELETE", 2, "b")],
    ),
    "names_in_another_case_without_a_key": (
        "select 1 as ID, 'a' as Name union all select 2, 'b'",
        "select 1 as id, 'a' as name",
        "",
        [("DELETE", 2, "b")],
    ),
    "values_that_fit_another_type": (
        "select 1 as id, '7' as a, date'2026-01-01' as b, 1e7d as c, X'00ff' as d, array(1) as e"
        " union all select 2, null, null, null, null, null",
        "select 1L as id, 7 as a, timestamp'2026-01-01' as b, 10000000 as c, X'00ff' as d,"
        " array(1L) as e",
        "unique_key='id'",
        [("DELETE", 2, None, None, None, None, None)],
    ),
    "a_column_that_is_gone": (
        "select 1 as id, 'x' as gone, parse_json('{\"a\": 1.50}') as v",
        "select 1 as id, parse_json('{\"a\": 1.5}') as v",
        "unique_key='id'",
        [],
    ),
    "a_wider_type": (
        "select 1 as id, 2 as a",
        "select 1 as id, 2L as a",
        "unique_key='id'",
        [],
    ),
    # not constants: Spark's `group by` would take a NULL in a map for 0
    **{
        f"null_in_a_map_{name}": (
            "select id, map('k', if(id = 1, null, 5)) as m, parse_json('1') as v from range(1, 3)",
            "select id, map('k', if(id = 1, 0, 5)) as m, parse_json('1') as v from range(1, 3)",
            key,
            [(kinds[0], 1, {"k": None}, "1"), (kinds[1], 1, {"k": 0}, "1")],
        )
        for name, key, kinds in [
            ("with_a_key", "unique_key='id'", ("UPDATE_BEFORE", "UPDATE_AFTER")),
            ("without_a_key", "", ("DELETE", "INSERT")),
        ]
    },
    "hostile_names": (
        "select 1 as `i ``d`, map('a', 1) as `map<`, 'x' as `a.b`",
        "select 1 as `i ``d`, map('a', 1) as `map<`, 'y' as `a.b`",
        "unique_key='i `d'",
        [("UPDATE_BEFORE", 1, {"a": 1}, "x"), ("UPDATE_AFTER", 1, {"a": 1}, "y")],
    ),
    "only_a_key": ("select 1 as id", "select 2 as id", "unique_key='id'",
                   [("DELETE", 1), ("INSERT", 2)]),
}  # fmt: skip

WRONG = {
    "null_key_before": ("select null as id, 1 as a", "select 1 as id, 1 as a", "it is NULL"),
    "null_key_after": ("select 1 as id, 1 as a", "select null as id, 1 as a", "it is NULL"),
    "two_rows_before": (
        "select 1 as id, 1 as a union all select 1, 1", "select 1 as id, 1 as a",
        'two rows of one table have the key {"id":1}',
    ),
    "two_rows_after": (
        "select 1 as id, 1 as a", "select 1 as id, 1 as a union all select 1, 2",
        'two rows of one table have the key {"id":1}',
    ),
    "the_same_two_rows_in_both": (
        "select 1 as id, 1 as a union all select 1, 2",
        "select 1 as id, 1 as a union all select 1, 2",
        'two rows of one table have the key {"id":1}',
    ),
}  # fmt: skip

# values of the table before that are none of the type after
UNFIT = {
    "text_in_a_number": ("'x'", "7"),
    "text_of_a_number": ("'007'", "7"),
    "a_large_number": ("3000000000", "7"),
    "a_time_in_a_date": ("timestamp'2026-01-01 12:00:00'", "date'2026-01-01'"),
    "a_longer_fraction": ("cast(12.345 as decimal(10, 3))", "cast(12.35 as decimal(10, 2))"),
    "a_field_that_is_gone": ("named_struct('a', 1, 'b', 2)", "named_struct('a', 1)"),
}

# both sides have other columns, and JSON, by which the one is read as the other, can't spell them
UNREADABLE = {
    "binary_keys": "map(X'80', 1) as m",
    "struct_keys": "map(named_struct('a', 1), 1) as m",
    "array_keys": "array(map(array(1), 1)) as m",
    "int_keys": "map(1, 2) as m",
    "a_space_in_a_name": "1 as `a b`",
    "quotes_in_a_name": "named_struct('`', 1) as s",
    "binary_keys_that_were": "map(X'80', 1) as m",
}
AFTER = {"binary_keys_that_were": "map('a', 1) as m"}


def model(before: str, after: str, arguments: str) -> str:
    return f"""
    {{{{ config(materialized='table', tblproperties={{'delta.columnMapping.mode': 'name'}}) }}}}
    with before as ({before}),
    after as ({after})
    {{{{ dbt_changelog.diff_tables('before', 'after', {arguments}) }}}}
    """


@pytest.fixture(scope="module")
def project(new_project):
    files = {f"models/case_{name}.sql": model(*given[:3]) for name, given in CASES.items()}
    project = new_project(files, name="diff")
    project.run("run")
    for name, (before, after, _) in WRONG.items():
        project.write(f"models/wrong_{name}.sql", model(before, after, "unique_key='id'"))
    for name, (before, after) in UNFIT.items():
        for key in ("", "unique_key='id'"):
            file = f"models/wrong_{name}_{'keyed' if key else 'keyless'}.sql"
            project.write(
                file, model(f"select 1 as id, {before} as a", f"select 1 as id, {after} as a", key)
            )
    for name, column in UNREADABLE.items():
        for key in ("", "unique_key='id'"):
            file = f"models/wrong_{name}_{'keyed' if key else 'keyless'}.sql"
            after = f"select 1 as id, {AFTER.get(name, column)}, 'x' as added"
            project.write(file, model(f"select 1 as id, {column}", after, key))
    project.failed = project.run("run", "--select", "wrong_*", expect_failure=True)
    return project


@pytest.mark.parametrize("name", CASES)
def test_rows(project, name):
    expected = CASES[name][-1]
    rows = project.sql(f"select * from case_{name} order by 4, _ordinal, _row_kind")
    if expected and isinstance(expected[0], str):
        assert [row[0] for row in rows] == expected
    else:
        assert [(row[0], *map(plain, row[3:])) for row in rows] == expected
    assert all(row[1:3] == (0, int(row[0] == "UPDATE_AFTER")) for row in rows)


def plain(value):
    return value.toJson() if hasattr(value, "toJson") else value


@pytest.mark.parametrize("name", WRONG)
def test_wrong_key(project, name):
    message = project.failed.nodes[f"wrong_{name}"].message
    assert "Invalid 'unique_key' in diff_tables(...) of model" in message
    assert WRONG[name][-1] in message
    assert "To fix: " in message


@pytest.mark.parametrize("kind", ["keyed", "keyless"])
@pytest.mark.parametrize("name", UNREADABLE)
def test_columns_that_can_not_be_read_as_others(project, name, kind):
    message = project.failed.nodes[f"wrong_{name}_{kind}"].message
    assert "Invalid input in diff_tables(...) of model" in message
    assert "To fix: cast keys of maps to string, and rename columns, in the query." in message


@pytest.mark.parametrize("kind", ["keyed", "keyless"])
@pytest.mark.parametrize("name", UNFIT)
def test_values_that_do_not_fit(project, name, kind):
    message = project.failed.nodes[f"wrong_{name}_{kind}"].message
    assert "a row of the table before does not fit the columns of the one after: {" in message
    assert "To fix: give both tables the same types" in message
