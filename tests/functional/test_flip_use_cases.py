"""FLIP-564's use cases of FROM_CHANGELOG, 4.1.3.1 to 4.1.3.11 and 4.1.2.2.2, by their numbers.

Each is a model that calls the macro; rows are written as (row kind symbol, sequence, values..).
"""

from __future__ import annotations

import pytest

# a sequence column whose name begins with _ is no payload, so that rows can be equal
FLAT = "select * from values {rows} as events (op, id, name, _seq)"
IMAGES = """
select op, seq, seq * 10 as ts_ms,
  if(old is null, null, named_struct('id', id, 'name', old)) as before,
  if(new is null, null, named_struct('id', id, 'name', new)) as after
from values {rows} as events (op, id, old, new, seq)
"""
FLAG = "select op = 'd' as deleted, id, name, _seq from values {rows} as e (op, id, name, _seq)"

KEY = "unique_key='id', sequence_by='_seq'"
BOTH = "unique_key='id', sequence_by='seq', before='before', after='after'"
UPSERT = "op_mapping={'c, r': 'INSERT', 'd': 'DELETE', 'u': 'UPDATE_AFTER'}"
RETRACT = "op_mapping={'c, r': 'INSERT', 'd': 'DELETE', 'u': 'UPDATE_BEFORE, UPDATE_AFTER'}"

FLAT_ROWS = "('c', 1, 'ada', 1), ('u', 1, 'Ada', 2), ('r', 2, 'bob', 1), ('d', 2, 'bob', 3)"
IMAGE_ROWS = """('c', 1, null, 'ada', 1), ('u', 1, 'ada', 'Ada', 2), ('r', 2, null, 'bob', 1),
                ('d', 2, 'bob', null, 3)"""
AFTER_ROWS = IMAGE_ROWS.replace("'u', 1, 'ada'", "'u', 1, null")
ALL = [("+I", 1, 1, "ada"), ("-U", 2, 1, "ada"), ("+U", 2, 1, "Ada"), ("+I", 1, 2, "bob"),
       ("-D", 3, 2, "bob")]  # fmt: skip
NO_BEFORE = [row for row in ALL if row[0] != "-U"]

# number: (arguments, query, rows in, changelog out)
CASES = {
    "4_1_3_1": (f"op='op', {KEY}, {UPSERT}", FLAT, FLAT_ROWS, NO_BEFORE),
    "4_1_3_2": (f"{BOTH}, {RETRACT}", IMAGES, IMAGE_ROWS, ALL),
    "4_1_3_3": (f"{BOTH}, {UPSERT}", IMAGES, IMAGE_ROWS, NO_BEFORE),
    "4_1_3_4": (f"{BOTH}, {UPSERT}", IMAGES, AFTER_ROWS, NO_BEFORE),
    "4_1_3_5": (f"{KEY}, {UPSERT}", FLAT, "('d', 5, null, 1)", [("-D", 1, 5, None)]),
    "4_1_3_6": (
        f"{KEY}, {UPSERT}, consume_full_deletes=true",
        FLAT,
        "('d', 5, 'Alice', 1)",
        [("-D", 1, 5, "Alice")],
    ),
    "4_1_3_7": (
        f"op='deleted', {KEY}, state_ttl='10 minutes',"
        " op_mapping={'false': 'INSERT, UPDATE_BEFORE, UPDATE_AFTER', 'true': 'DELETE'}",
        FLAG,
        FLAT_ROWS,
        ALL,
    ),
    "4_1_3_8": (
        f"op='deleted', {KEY}, state_ttl='10 minutes',"
        " op_mapping={'false': 'INSERT, UPDATE_AFTER', 'true': 'DELETE'}",
        FLAG,
        FLAT_ROWS,
        NO_BEFORE,
    ),
    "4_1_3_9": (f"{KEY}, {RETRACT}, state_ttl='10 minutes'", FLAT, FLAT_ROWS, ALL),
    "4_1_3_10": (f"{BOTH}, {RETRACT}, state_ttl='10 minutes'", IMAGES, AFTER_ROWS, ALL),
    "4_1_3_11": (
        f"{BOTH}, {UPSERT}, passthrough='ts_ms'",
        IMAGES,
        "('c', 1, null, 'Alice', 1234)",
        [("+I", 1234, 1, "Alice", 12340)],
    ),
    "4_1_2_2_2": (
        f"{KEY}, state_ttl='5 minutes',"
        " op_mapping={'upsert': 'INSERT, UPDATE_BEFORE, UPDATE_AFTER', 'delete': 'DELETE'}",
        FLAT,
        """('upsert', 99, 'Orphan', 1), ('upsert', 99, 'Orphan Updated', 2),
           ('delete', 99, 'Orphan Updated', 3), ('upsert', 99, 'Resurrected', 4)""",
        [("+I", 1, 99, "Orphan"), ("-U", 2, 99, "Orphan"), ("+U", 2, 99, "Orphan Updated"),
         ("-D", 3, 99, "Orphan Updated"), ("+I", 4, 99, "Resurrected")],
    ),
    # beyond the FLIP's examples: what state-backed emission does with the rest
    "unseen_delete_is_nothing": (f"{KEY}, {RETRACT}", FLAT, "('d', 1, 'ada', 1)", []),
    "equal_row_is_nothing": (
        f"{KEY}, {RETRACT}",
        FLAT,
        "('c', 1, 'ada', 1), ('u', 1, 'ada', 2), ('u', 1, 'Ada', 3), ('u', 1, 'Ada', 3)",
        [("+I", 1, 1, "ada"), ("-U", 3, 1, "ada"), ("+U", 3, 1, "Ada")],
    ),
    "equal_row_refreshes_a_ttl": (
        f"{KEY}, {RETRACT}, state_ttl='1 hour'",
        FLAT,
        "('c', 1, 'ada', 1), ('u', 1, 'ada', 2)",
        [("+I", 1, 1, "ada"), ("-U", 2, 1, "ada"), ("+U", 2, 1, "ada")],
    ),
    "null_is_a_value": (
        f"{KEY}, {RETRACT}",
        FLAT,
        "('c', 1, null, 1), ('u', 1, 'Ada', 2), ('u', 1, null, 3), ('u', 1, null, 4)",
        [("+I", 1, 1, None), ("-U", 2, 1, None), ("+U", 2, 1, "Ada"), ("-U", 3, 1, "Ada"),
         ("+U", 3, 1, None)],
    ),
    "update_before_alone_ends_a_key": (
        f"{KEY}, state_ttl='0', op_mapping={{'c': 'INSERT', 'b': 'UPDATE_BEFORE',"
        " 'a': 'UPDATE_AFTER'}",
        FLAT,
        """('c', 1, 'ada', 1), ('b', 1, 'ada', 2), ('a', 1, 'Ada', 2), ('c', 2, 'bob', 1),
           ('b', 2, 'bob', 2)""",
        [("+I", 1, 1, "ada"), ("-U", 2, 1, "ada"), ("+U", 2, 1, "Ada"), ("+I", 1, 2, "bob"),
         ("-D", 2, 2, "bob")],
    ),
    # only a column of its own is left out of the row
    "an_expression_may_begin_with_a_low_line": (
        f"unique_key='id', sequence_by='_seq * 10', {UPSERT}",
        FLAT,
        FLAT_ROWS,
        [(kind, seq * 10, *row) for kind, seq, *row in NO_BEFORE],
    ),
    "key_change": (
        f"{BOTH}, {RETRACT}, state_ttl='0'",
        IMAGES.replace("named_struct('id', id, 'name', new)",
                       "named_struct('id', if(op = 'u', id + 1, id), 'name', new)"),
        "('c', 1, null, 'ada', 1), ('u', 1, 'ada', 'ada', 2)",
        [("+I", 1, 1, "ada"), ("-D", 2, 1, "ada"), ("+I", 2, 2, "ada")],
    ),
}  # fmt: skip
SYMBOLS = {"INSERT": "+I", "UPDATE_BEFORE": "-U", "UPDATE_AFTER": "+U", "DELETE": "-D"}


@pytest.fixture(scope="module")
def project(new_project):
    files = {
        f"models/case_{number}.sql": f"""
        {{{{ config(materialized='table') }}}}
        with events as ({query.format(rows=rows)})
        {{{{ dbt_changelog.from_changelog('events', {arguments}) }}}}
        """
        for number, (arguments, query, rows, _) in CASES.items()
    }
    project = new_project(files, name="flip")
    project.run("run")
    return project


@pytest.mark.parametrize("number", CASES)
def test_use_case(project, number):
    *_, expected = CASES[number]
    rows = project.sql(f"select * from case_{number} order by id, _sequence, _ordinal")
    found = [
        (SYMBOLS[row[0]], row[1], *(value for name, value in zip(row.__fields__, row, strict=True)
                                    if name in ("id", "name", "ts_ms")))
        for row in rows
    ]  # fmt: skip
    assert found == expected
    assert all(row[2] == (row[0] == "UPDATE_AFTER") for row in rows)


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("('c', 1, 'ada', 1), ('u', 1, 'Ada', 1)", "two different changes of one key"),
        ("('c', 1, 'ada', 1), ('d', 1, 'ada', 1)", "two different changes of one key"),
    ],
)
def test_tie_fails(project, rows, words):
    project.write(
        "models/tie.sql",
        f"""
        {{{{ config(materialized='table') }}}}
        with events as ({FLAT.format(rows=rows)})
        {{{{ dbt_changelog.from_changelog('events', {KEY}, {RETRACT}) }}}}
        """,
    )
    result = project.run("run", "--select", "tie", expect_failure=True)
    assert words in result.nodes["tie"].message


def test_an_input_without_a_row_is_refused(project):
    project.write(
        "models/bare.sql",
        """
        {{ config(materialized='table') }}
        with events as (select 'INSERT' as op, 1 as _seq)
        {{ dbt_changelog.from_changelog('events', sequence_by='_seq') }}
        """,
    )
    result = project.run("run", "--select", "bare", expect_failure=True)
    assert "it has no column besides the op column" in result.nodes["bare"].message
