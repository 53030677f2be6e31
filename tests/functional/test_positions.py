"""Positions: how far a source was read. They lose nothing, and they never go back."""

from __future__ import annotations

import re

import pytest

from .batch_log import batch_log

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='id', MORE,
    op_mapping={'c': 'INSERT'}) }}
select op, id from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""


@pytest.fixture
def make(new_project):
    def create(**reads):
        models = {f"models/{name}.sql": MODEL.replace("MORE", f"read={read}")
                  for name, read in reads.items()}  # fmt: skip
        return new_project({"models/sources.yml": SOURCES, **models}, name="positions")

    return create


def ids(project, model="customers"):
    return sorted(row.id for row in project.sql(f"select id from {model}"))


STRICT = "{'column': 'place', 'strict': true}"


def test_a_binary_column_is_read_on(make):
    """The position of X'80' was that of X'FF': as texts they are one."""
    project = make(customers="{'column': 'place'}", strict=STRICT)
    project.sql("create table events using delta as select 'c' as op, 1 as id, X'0080' as place")
    project.run("run")
    project.sql("insert into events values ('c', 2, X'00FF'), ('c', 3, X'81')")
    project.run("run")
    assert ids(project) == ids(project, "strict") == [1, 2, 3]
    (position,) = batch_log(project, "customers")["batch"]["position"].values()
    assert position == {"column": "place", "type": "binary", "value": "81"}


# in their order, the least and the greatest among them
TIMES = ["-290308-12-21 19:59:05.224192", "0000-01-01 00:00:00.000001", "1582-10-10 00:00:00",
         "1969-12-31 23:59:59.999999", "2026-01-02 03:04:05", "2026-01-02 03:04:05.000001",
         "9999-12-31 23:59:59.999999", "+10000-01-01 00:00:00",
         "+294247-01-10 04:00:54.775807"]  # fmt: skip
TEXTS = ["", "\t", "\n", " ", " \r\n", "${x}", "'", "' or 1 = 1 --", "*/ /* {{ x }}", "-- x",
         "10", "9", "A", "\\", "\\'", "\\u0041", "`", "a", "a ", "aA", "ab", "null", "é", "ﬁ",
         "😀"]  # fmt: skip
NINES = "9" * 38
VALUES = {
    "tinyint": ["-128", "-1", "0", "127"],
    "smallint": ["-32768", "0", "32767"],
    "int": ["-2147483648", "0", "2147483647"],
    "bigint": ["-9223372036854775808", "-1", "0", "9007199254740993", "9223372036854775807"],
    "decimal(38,0)": [f"-{NINES}", "-1", "0", NINES[:-1] + "8", NINES],
    "decimal(38,38)": [f"-0.{NINES}", "-1E-38", "0", "1E-38", "0.1", f"0.{NINES}"],
    "decimal(10,2)": ["-0.01", "0", "0.01", "1.10", "99999999.99"],
    "date": ["-5877641-06-23", "-0001-12-31", "1582-10-10", "1969-12-31", "1970-01-01",
             "9999-12-31", "+10000-01-01", "+5881580-07-11"],
    "timestamp_ntz": TIMES,
    "timestamp": TIMES,
    "string": TEXTS,
    "binary": ["", "00", "0000", "00FF", "7F", "80", "8000", "C3A9", "FF", "FFFF"],
}  # fmt: skip
# every value is the end of a batch once: what is read must be what came with it
READ = """
{% macro read(sources) %}
{% for type, ends in sources.items() %}
{% set seen = namespace(last=none) %}
{% for source in ends %}
{% set place = dbt_changelog.read_place('it', source, {'column': 'PLACE', 'lookback': none}) %}
{% set next = dbt_changelog.source_end('it', source, place, seen.last, {}) %}
{% set next = dbt_changelog.parse_batch_log(dbt_changelog._to_chunks({'at': next})).at %}
{% set strict = dbt_changelog.strict_range_sql('it', source, 'place', seen.last, next) %}
{% set again = dbt_changelog.range_sql(source, 'place', none, seen.last, next) %}
{% set said = dbt_changelog.read_ranges(strict).values() | list %}
{% set numbers = [] %}
{% for range in strict, again %}
{% for row in run_query('select number from ' ~ range ~ ' order by 1') %}
{% do numbers.append(row[0] | int) %}
{% endfor %}
{% endfor %}
{% set expected = [loop.index] + ([loop.index - 1] if loop.index > 1 else []) + [loop.index] %}
{% do print('WRONG ' ~ type ~ ' ' ~ loop.index ~ ': ' ~ numbers ~ ', ' ~ next ~ ', ' ~ said)
   if numbers != expected or said != [next] %}
{% set seen.last = next %}
{% endfor %}
{% do print('READ ' ~ type ~ ' ' ~ ends | length) %}
{% endfor %}
{% endmacro %}
"""


@pytest.mark.thorough
def test_positions_of_every_type_lose_nothing(new_project, capsys):
    project = new_project({"macros/read.sql": READ}, name="positions")
    ends = {}
    for type_, values in VALUES.items():
        rows = [f"struct({n} as number, {literal(type_, value)} as place)"
                for n, value in enumerate(values, 1)]  # fmt: skip
        ends[type_] = [f"(select inline(array({', '.join(rows[:n])})))"
                       for n in range(1, len(rows) + 1)]  # fmt: skip
    # padded as they are stored, or not
    project.sql("create table texts (number int, padded char(3), short varchar(3)) using delta")
    project.sql("insert into texts values (1, 'a', 'a'), (2, 'ab', 'ab'), (3, 'b', 'b')")
    for name in ("padded", "short"):
        ends[name] = [f"(select number, {name} as place from {project.schema}.texts"
                      f" where number <= {n})" for n in (1, 2, 3)]  # fmt: skip
    call = "{% macro go() %}{{ read(ENDS) }}{% endmacro %}".replace("ENDS", repr(ends))
    project.write("macros/go.sql", call)
    project.run("run-operation", "go")
    said = capsys.readouterr().out
    assert "WRONG" not in said
    found = dict(re.findall(r"^READ (\S+) (\d+)$", said, re.M))
    assert found == {type_: str(len(sources)) for type_, sources in ends.items()}


def literal(type_, value):
    """By hex, so that this test does not rely on what writes texts as literals."""
    if type_ == "binary":
        return f"X'{value}'"
    text = f"cast(X'{value.encode().hex()}' as string)"
    zone = " || 'Z'" if type_ == "timestamp" else ""
    return f"cast({text}{zone} as {type_})"


@pytest.mark.thorough
def test_a_source_that_ends_below_the_position_is_an_error(make):
    """Rows between would never be read: the position went back with them, or stayed above."""
    project = make(
        customers="{'column': 'place'}",
        strict=STRICT,
        patient="{'column': 'place', 'lookback': '2 hours'}",
        hasty="{'column': 'place', 'lookback': '1 hour'}",
    )
    arrive(project, "create table events using delta as", 1, "10:00:00.000001")
    project.run("run")
    position = batch_log(project, "customers")["batch"]["position"]
    arrive(project, "create or replace table events using delta as", 2, "08:30:00")

    nodes = project.run("run", expect_failure=True).nodes
    for model in "customers", "strict", "hasty":
        message = nodes[model].message
        assert f"Invalid 'read' in from_changelog model '{model}'" in message
        assert "is 2026-01-01 08:30:00, and it was read up to 2026-01-01 10:00:00.000001" in message
        assert "To fix: run with --full-refresh" in message
        assert ("read.lookback" in message) is (model != "strict")
        assert ids(project, model) == [1]
    # it reads them, and its position waits for what is above
    assert ids(project, "patient") == [1, 2]
    assert batch_log(project, "patient")["batch"]["position"] == position

    # retention: nothing is new
    project.sql("delete from events")
    nodes = project.run("run").nodes
    for model in "customers", "strict", "patient":
        assert nodes[model].message.startswith("nothing new")
    assert batch_log(project, "customers")["batch"]["position"] == position
    arrive(project, "insert into events", 3, "10:00:00.000002")
    project.run("run")
    assert ids(project) == ids(project, "strict") == [1, 3]
    assert ids(project, "patient") == [1, 2, 3]
    project.run("run", "--full-refresh", "--select", "customers")
    assert ids(project) == [3]


def arrive(project, statement, id_, time):
    project.sql(f"{statement} select 'c' as op, {id_} as id, timestamp'2026-01-01 {time}' as place")


TEXT = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by=SEQUENCE,
    read={'column': 'at'}, op_mapping={'c': 'INSERT'}) }}
select op, id, place, named_struct('file', place, 'n', id) as both
from {{ dbt_changelog.new_rows(source('bronze', 'RELATION')) }}
"""
# name: (sequence_by, what it reads, words of its one warning)
TEXTS_NAMED = {
    "sequence": ("place", "cast_events", "`place` of sequence_by is a text"),
    "a_struct": ("both", "cast_events", "`both` of sequence_by has a text"),
    "reads": ("id", "events", "at of {schema}.events, by which it reads, is a text"),
    "meant": ("cast(place as string)", "cast_events", None),
}


@pytest.mark.thorough
def test_a_text_is_warned_of_once(new_project):
    """'10' is not above '9': what arrives as '10' after '9' would never be read."""
    files = {
        f"models/{name}.sql": TEXT.replace("SEQUENCE", f"'{s}'").replace("RELATION", relation)
        for name, (s, relation, _) in TEXTS_NAMED.items()
    }
    files["models/sources.yml"] = SOURCES.replace(
        "{name: events}", "{name: events}, {name: cast_events}"
    )
    project = new_project(files, name="texts")
    project.sql(
        "create table events using delta as select 'c' as op, 1 as id, '9' as place, '9' as at"
    )
    project.sql(
        "create view cast_events as select * except (at), cast(at as binary) as at from events"
    )
    warnings = project.run("run").warnings
    for name, (_, _, words) in TEXTS_NAMED.items():
        found = [text for text in warnings if f"model '{name}' " in text]
        assert len(found) == (1 if words else 0), found
        assert words is None or words.format(schema=project.schema) in found[0]
        assert words is None or "'9' is later than '10'" in found[0]
