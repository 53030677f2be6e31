"""The operation diagnose counts what a run would stop at, and writes nothing."""

from __future__ import annotations

import pytest

CONFIG = """materialized='from_changelog', unique_key='id', sequence_by='lsn',
  op_mapping={'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}"""
FLAT = """{{ config(%s) }}
select * from values
  (cast(null as string), 1, 'ada', 1), (null, null, null, null),
  ('z', 1, 'x', 1), ('z', null, 'x', null), ('''', 2, 'x', 2), ('null', 2, 'x', 2), ('', 2, 'x', 2),
  ('c', null, 'eve', 5), ('d', null, null, null), ('c', 7, 'zoe', null),
  ('c', 10, 'ada', 1), ('u', 10, 'Ada', 1), ('u', 10, 'Ada', 1), ('u', 10, 'late', 2),
  ('c', 11, 'bob', 1), ('d', 11, null, 1), ('c', 12, 'bob', 1), ('c', 12, 'bob', 1)
  as events (op, id, name, lsn)
"""
IMAGES = """{{ config(%s, before='before', after='after') }}
select op, lsn, id,
  if(old is null, null, named_struct('id', nullif(old, 0), 'name', 'ada')) as before,
  if(new is null, null, named_struct('id', nullif(new, 0), 'name', 'Ada')) as after
from values
  ('c', 1, 1, null, null), ('u', 2, 1, null, 1), ('u', 3, 1, 1, null), ('u', 4, null, null, null),
  ('d', 5, 9, null, null), ('d', 6, null, null, null), ('d', 7, null, 0, null),
  ('c', 8, 1, null, 0), ('u', 9, 4, 3, 4), ('c', 9, 3, null, 3)
  as events (op, lsn, id, old, new)
"""
MODELS = {
    "flat": FLAT % CONFIG,
    "images": IMAGES % CONFIG,
    "full_deletes": IMAGES % f"{CONFIG}, consume_full_deletes=True",
    "state_backed": IMAGES % f"{CONFIG}, state_ttl='0', invalid_op_handling='SKIP'",
    "boolean": """{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn - 1',
      op='gone', op_mapping={'false': 'UPDATE_AFTER'}) }}
    select * from values (true, 1, 1), (false, 2, null), (null, 3, 3) as e (gone, id, lsn)""",
    "many": """{{ config(materialized='from_changelog', unique_key='id', sequence_by='id') }}
    select 'x' as op, id from range(100)""",
    "keyless": """{{ config(materialized='from_changelog', before='old', after='new',
      op_mapping={'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}) }}
    select op, if(old is null, null, struct(old as id)) as old,
      if(new is null, null, struct(new as id)) as new
    from values ('c', null, 1), ('u', 1, 2), ('u', null, 3), ('d', null, 3), ('c', null, 1),
      ('x', null, null) as e (op, old, new)""",
    "partitioned": """{{ config(materialized='from_changelog', unique_key='id', sequence_by='id',
      partition_by='name') }}
    select * from values ('INSERT', 1, ''), ('INSERT', 2, 'ada'), ('DELETE', 3, '')
      as e (op, id, name)""",
    "text": """{{ config(materialized='from_changelog', format='debezium', unique_key='id',
      payload_schema='id int, name string, city string') }}
    select cast(null as string) as key,
      concat('{"op": "c", "source": {"connector": "postgresql", "lsn": ', id, '}, ',
        '"after": {"id": ', id, ', "NAME": "ada", "city": "Rome"}}') as value
    from values (1), (2) as e (id)""",
    "truncates": """{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
      before='before', after='after', op_mapping={'c': 'INSERT', 't': 'TRUNCATE'}) }}
    select 'c' as op, 1 as lsn, cast(null as struct<id: int>) as before, struct(1 as id) as after
    union all select 't', 2, null, null""",
    "parts": """{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
      ignore_null_updates=true, op_mapping={'u': 'UPDATE_AFTER'}) }}
    select * from values ('u', 1, 1, 'ada', null), ('u', 1, 1, null, 'Rome'),
      ('u', 2, 1, 'bob', 'Bonn'), ('u', 2, 1, 'rob', null) as e (op, id, lsn, name, city)""",
    "conflicts": """{{ config(materialized='from_changelog', unique_key='id', sequence_by='_lsn',
      on_conflict='ERROR', op_mapping={'c': 'INSERT', 'd': 'DELETE'}) }}
    select * from values ('c', 1, 1, 'ada'), ('c', 1, 2, 'bob') as e (op, id, _lsn, name)""",
    # Spark would take hours to plan this, if it moved a condition through the columns
    "wide": """{{ config(materialized='from_changelog', format='debezium', unique_key='id',
      payload_schema='id int, SCHEMA') }}
    select '{"op": "c", "source": {"file": "log.1", "pos": 1, "row": 0}, "after": {"id": 1, ROW}}'
      as value""".replace("SCHEMA", ", ".join(f"c{n} decimal(9, 2)" for n in range(20))).replace(
        "ROW", ", ".join(f'"c{n}": 1.5' for n in range(20))
    ),
    "clean": """{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn') }}
    with events as (
      select 'INSERT' as op, 1 as id, 1 as lsn
      union all select 'UPDATE_BEFORE', 1, 2
      union all select 'UPDATE_AFTER', 1, 2
    )
    select * from events""",
}
FOUND = {
    "flat": {
        "": "18 events",
        "the op code is NULL: 2": ['{"id":1}', "{}"],
        "unknown op code 'z': 2": ['{"op":"z","id":1}', '{"op":"z"}'],
        "unknown op code ''': 1": ['{"op":"\'","id":2}'],
        "unknown op code 'null': 1": ['{"op":"null","id":2}'],
        "unknown op code '': 1": ['{"op":"","id":2}'],
        "sequence_by `lsn` is NULL: 2": ['{"op":"c","id":7}', '{"op":"d"}'],
        "key column id is NULL: 2": ['{"op":"c"}', '{"op":"d"}'],
        "two different changes of one key have one sequence: 2": [
            '{"id":10,"_sequence":1} differ in: name',
            '{"id":11,"_sequence":1} differ in: _row_kind',
        ],
    },
    "images": {
        "": "10 events",
        "the after image is NULL: 3": [
            '{"op":"c"}',
            '{"op":"u","before":{"id":1,"name":"ada"}}',
            '{"op":"u"}',
        ],
        "the before image is NULL: 2": ['{"op":"u","after":{"id":1,"name":"Ada"}}', '{"op":"u"}'],
        "key column id is NULL: 3": [
            '{"op":"c","after":{"name":"Ada"}}',
            '{"op":"d","before":{"name":"ada"}}',
            '{"op":"d"}',
        ],
        "two different changes of one key have one sequence: 1": [
            '{"id":3,"_sequence":9} differ in: _row_kind'
        ],
    },
    "full_deletes": {
        "": "10 events",
        "the after image is NULL: 3": [
            '{"op":"c"}',
            '{"op":"u","before":{"id":1,"name":"ada"}}',
            '{"op":"u"}',
        ],
        "the before image is NULL: 4": [
            '{"op":"d"}',
            '{"op":"d"}',
            '{"op":"u","after":{"id":1,"name":"Ada"}}',
            '{"op":"u"}',
        ],
        "key column id is NULL: 2": [
            '{"op":"c","after":{"name":"Ada"}}',
            '{"op":"d","before":{"name":"ada"}}',
        ],
        "two different changes of one key have one sequence: 1": [
            '{"id":3,"_sequence":9} differ in: _row_kind'
        ],
    },
    "boolean": {
        "": "3 events",
        "the op code is NULL: 1": ['{"id":3}'],
        "unknown op code 'true': 1": ['{"gone":true,"id":1}'],
        "sequence_by lsn - 1 is NULL: 1": ['{"gone":false,"id":2}'],
    },
    "many": {
        "": "100 events",
        "unknown op code 'x': 100": [f'{{"op":"x","id":{n}}}' for n in (0, 10, 11, 12, 13)],
    },
    "keyless": {
        "": "6 events",
        "the before image is NULL: 2": [
            '{"op":"d","new":{"id":3}}',
            '{"op":"u","new":{"id":3}}',
        ],
        "unknown op code 'x': 1": ['{"op":"x"}'],
    },
    "partitioned": {
        "": "3 events",
        "a partition does not keep the value of column name: 1": ['{"id":1,"name":""}'],
    },
    "text": {
        "": "2 events",
        "column name is NULL in all events (names in JSON are case-sensitive): 1": [
            '{"id":2,"city":"Rome"}'
        ],
    },
    "truncates": {"": "2 events, nothing is wrong"},
    "parts": {
        "": "4 events",
        "two different changes of one key have one sequence: 1": [
            '{"id":2,"_sequence":1} differ in: name'
        ],
    },
    "conflicts": {
        "": "2 events, nothing is wrong",
        "not counted: two rows of one key and sequence, and with on_conflict='ERROR' keys with"
        " several rows, at which a run stops": [],
    },
    "wide": {"": "1 events, nothing is wrong"},
    "clean": {"": "3 events, nothing is wrong"},
}
FOUND["state_backed"] = {
    name: examples
    for name, examples in FOUND["images"].items()
    if name != "the before image is NULL: 2"
}


def report(project, capsys, name):
    """What diagnose prints, {line: its examples}, and the line on the state."""
    capsys.readouterr()
    project.run("run-operation", "diagnose", "--args", f"{{model: {name}}}")
    found: dict[str, list[str]] = {}
    for line in capsys.readouterr().out.splitlines():
        if line.startswith("  "):
            next(reversed(found.values())).append(line[2:])
        else:
            found[line] = []
    return found


@pytest.fixture(scope="module")
def project(new_project):
    return new_project({f"models/{name}.sql": text for name, text in MODELS.items()}, "diagnose")


@pytest.mark.parametrize("name", MODELS)
def test_counts_and_examples(project, capsys, name):
    wanted = dict(FOUND[name])
    wanted[f"from_changelog model '{name}': {wanted.pop('')}"] = []
    wanted["there is no state yet"] = []
    assert report(project, capsys, name) == wanted
    assert project.tables() == []


MODEL = """{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
  tie_handling='LAST', read={'column': 'lsn'}) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
SOURCES = "sources: [{name: bronze, schema: '{{ target.schema }}', tables: [{name: events}]}]"


def test_all_rows_against_the_state(new_project, capsys):
    project = new_project({"models/customers.sql": MODEL, "models/sources.yml": SOURCES})
    project.table(
        "events",
        [("INSERT", 1, "ada", 1), ("UPDATE_AFTER", 1, "Ada", 3), ("INSERT", 2, "bob", 3)],
        "op string, id int, name string, lsn int",
    )
    project.run("run")
    project.table("events", [("DELETE", 1, None, 5), ("DELETE", 2, None, 3), ("INSERT", 3, "z", 1)])
    found = report(project, capsys, "customers")
    standing = "against the state after batch 1: 2 new changes, 2 duplicates, 1 late, 1 ties"
    tie = '{"id":2,"_sequence":3} differ in: _row_kind'
    assert list(found)[-1] == standing and found[standing] == [tie]
    assert found["two different changes of one key have one sequence: 1"] == [tie]
    project.write("models/customers.sql", MODEL.replace("unique_key='id'", "unique_key='name'"))
    message = project.run(
        "run-operation", "diagnose", "--args", "{model: customers}", expect_failure=True
    ).log
    assert "Invalid 'unique_key'" in message


@pytest.mark.thorough
def test_rows_are_not_compared_where_the_next_run_changes_the_columns(new_project, capsys):
    model = MODEL.replace("tie_handling='LAST'", "on_schema_change='append_new_columns'")
    project = new_project({"models/customers.sql": model, "models/sources.yml": SOURCES})
    columns = "op string, id int, name string, lsn int"
    project.table("events", [("INSERT", 1, "ada", 1)], columns)
    project.run("run")
    project.write("models/customers.sql", model.replace("*", "op, id, lsn"))
    found = report(project, capsys, "customers")
    changes = "the next run changes the columns of the state, so it was not compared"
    assert list(found)[-1] == changes
    project.run("run")
    found = report(project, capsys, "customers")
    standing = "against the state after batch 1: 0 new changes, 1 duplicates, 0 late, 0 ties"
    assert list(found)[-1] == standing


@pytest.mark.thorough
def test_ties_with_a_state_of_rows_in_parts_are_not_counted(new_project, capsys):
    model = MODEL.replace("tie_handling='LAST'", "ignore_null_updates=true")
    project = new_project({"models/customers.sql": model, "models/sources.yml": SOURCES})
    columns = "op string, id int, name string, lsn int"
    project.table("events", [("UPDATE_AFTER", 1, "ada", 1)], columns)
    project.run("run")
    found = report(project, capsys, "customers")
    assert list(found)[-1] == "not counted: ties of changes with the state, at which a run stops"
