"""No macro writes into a plan, a batch or a program: real runs, where whoever does so fails."""

from __future__ import annotations

from collections import Counter

import pytest
from dbt.clients.jinja import MacroGenerator

from tests.frozen import MAKERS, WrittenError, frozen

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
EVENTS = "at int, op string, id int, name string, was string"
FROM = "{{ dbt_changelog.new_rows(source('bronze', 'events')) }}"
READ = "materialized='from_changelog', read={'column': 'at', 'strict': true}"
KEY = "unique_key='id', sequence_by='at'"
UPSERT = "op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}"
PAIRS = "op_mapping={'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}"
SIDES = "before='before', after='after'"
IMAGES = (
    "if(op = 'c', null, struct(id, was as name)) as before,"
    " if(op = 'd', null, struct(id, name)) as after"
)
MODELS = {
    "keyed": (f"{READ}, {KEY}, {UPSERT}", "at, op, id, name"),
    "keyless": (f"{READ}, {PAIRS}, {SIDES}", f"op, {IMAGES}"),
    "logged": (f"{READ}, {KEY}, {PAIRS}, {SIDES}, changelog=true", f"at, op, {IMAGES}"),
    "backed": (f"{READ}, {KEY}, {PAIRS}, changelog=true, counters='full'", "at, op, id, name"),
}
EVENT_TABLES = {
    "of_table": ("unique_key='id'", "select id, name from {{ ref('keyed') }}"),
    "of_changes": (
        "encoding='retract'",
        "select * from {{ dbt_changelog.changes(ref('logged')) }}",
    ),
}
FILES = {
    "models/sources.yml": SOURCES,
    **{
        f"models/{name}.sql": f"{{{{ config({config}) }}}}\nselect {columns} from {FROM}"
        for name, (config, columns) in MODELS.items()
    },
    **{
        f"models/{name}.sql": f"{{{{ config(materialized='to_changelog', {config}) }}}}\n{query}"
        for name, (config, query) in EVENT_TABLES.items()
    },
}
BATCHES = [
    [("c", 1, "ada", None), ("c", 2, "bob", None), ("c", 3, "eve", None)],
    [("u", 1, "Ada", "ada"), ("d", 2, None, "bob"), ("c", 4, "kim", None)],
]


@pytest.fixture
def made(monkeypatch):
    """What macros give on is frozen; how often each of them has made something."""
    call, counts = MacroGenerator.call_macro, Counter()

    def call_and_freeze(self, *args, **kwargs):
        found, name = call(self, *args, **kwargs), self.get_name()
        if name not in MAKERS:
            return found
        counts[name] += 1
        return frozen(found)

    monkeypatch.setattr(MacroGenerator, "call_macro", call_and_freeze)
    return counts


@pytest.mark.thorough
def test_runs_with_plans_that_can_not_be_written_to(new_project, made):
    project = new_project(FILES, name="frozen")
    project.sql(f"create table events ({EVENTS}) using delta")
    for at, batch in enumerate(BATCHES, 1):
        rows = ", ".join(
            f"({', '.join('null' if v is None else repr(v) for v in (at, *row))})" for row in batch
        )
        project.sql(f"insert into events values {rows}")
        before = made.copy()
        project.run("run")
        made_now = made - before
        assert set(made_now) == MAKERS
        assert made_now["from_changelog_program"] == len(MODELS)
        assert made_now["to_changelog_program"] == len(EVENT_TABLES)
    for name in MODELS:
        rows = project.sql(f"select id, name from {name} order by id")
        assert [tuple(row) for row in rows] == [(1, "Ada"), (3, "eve"), (4, "kim")], name
    for name in EVENT_TABLES:
        counted = project.sql(f"select _batch_id, count(*) from {name} group by 1 order by 1")
        assert [tuple(row) for row in counted] == [(1, 3), (2, 4)], name


def test_a_macro_that_writes_into_a_plan_fails(new_project, made):
    writes = """
    {% macro write_into() %}
      {% do dbt_changelog.decode_plan('it', {}).update({'uid': 'another'}) %}
    {% endmacro %}
    """
    project = new_project({"macros/write_into.sql": writes}, name="frozen")
    result = project.run("run-operation", "write_into", expect_failure=True)
    assert WrittenError.__name__ in result.debug_log or "never written to" in result.log
