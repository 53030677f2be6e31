"""dbt run --sample: as with --empty, nothing is read and nothing is committed."""

from __future__ import annotations

import pytest

from .batch_log import batch_log, table_log

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events, config: {event_time: at}}]
"""
READ = """
{{ config(materialized='from_changelog', MORE, op_mapping={'c': 'INSERT', 'd': 'DELETE'}) }}
select op, id, lsn from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
STRICT = "read={'column': 'lsn', 'strict': true}"
MODELS = {
    "bag": READ.replace("MORE", STRICT),
    "customers": READ.replace(
        "MORE", "unique_key='id', sequence_by='lsn', read={'column': 'lsn'}, changelog=true"
    ),
    "whole": """
        {{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
            op_mapping={'c': 'INSERT', 'd': 'DELETE'}) }}
        select op, id, lsn from {{ source('bronze', 'events') }}
        """,
    "rows_log": """
        {{ config(materialized='to_changelog', unique_key='id') }}
        select id, lsn from {{ source('bronze', 'events') }}
        """,
    "customers_log": """
        {{ config(materialized='to_changelog', unique_key='id') }}
        select * from {{ dbt_changelog.changes(ref('customers')) }}
        """,
}
SAMPLE = ["run", "--sample", "{'start': '2026-01-01', 'end': '2026-01-02'}"]


def found(project):
    rows = {name: sorted(row.id for row in project.sql(f"select id from {name}"))
            for name in MODELS}  # fmt: skip
    states = {name: batch_log(project, name) for name in ("bag", "customers", "whole")}
    return rows, states, [table_log(project, name) for name in ("rows_log", "customers_log")]


@pytest.mark.thorough
def test_a_sampled_run_reads_nothing_and_commits_nothing(new_project):
    files = {f"models/{name}.sql": text for name, text in MODELS.items()}
    project = new_project({"models/sources.yml": SOURCES, **files}, name="sample")
    project.sql(
        """create table events using delta as
        select 'c' as op, 1 as id, 1 as lsn, timestamp'2026-01-01 10:00:00' as at"""
    )
    result = project.run(*SAMPLE)
    (warning,) = [text for text in result.warnings if "--sample" in text]
    assert "bag, customers, customers_log, rows_log, whole read nothing" in warning
    rows, states, _ = found(project)
    assert rows == dict.fromkeys(MODELS, [])
    assert {log["batch"]["id"] for log in states.values()} == {0}

    project.run("run")
    committed = found(project)
    assert committed[0] == dict.fromkeys(MODELS, [1])
    project.sql("insert into events values ('c', 2, 2, '2026-01-01 11:00:00')")
    for more in [], ["--full-refresh"]:
        nodes = project.run(*SAMPLE, *more).nodes
        assert {nodes[name].message for name in MODELS} == {"nothing new"}
        assert found(project) == committed

    project.run("run")
    assert found(project)[0] == dict.fromkeys(MODELS, [1, 2])
    assert project.sql("select count(*) from dbt_changelog_batches") == [(10,)]


KEYED = "unique_key='id', sequence_by='lsn', read={'column': 'lsn'}, changelog=true"
LOGGED = {
    "customers": KEYED,
    "bag": STRICT + ", changelog=true",
    "in_parts": KEYED + ", ignore_null_updates=true",
    "versions": KEYED + ", stored_as_scd_type=2",
    "timed": KEYED + ", watermark='1 second'",
}
BESIDE = """{{ config(materialized='view') }}
select * from {{ dbt_changelog.beside(ref('MODEL'), 'changelog') }}"""


@pytest.mark.parametrize("storage", ["delta", pytest.param("iceberg", marks=pytest.mark.thorough)])
def test_an_empty_build_makes_the_changelog_for_those_that_read_it(new_project, storage):
    files = {"models/sources.yml": SOURCES}
    for name, config in LOGGED.items():
        order = "timestamp_seconds(lsn) as lsn" if name == "timed" else "lsn"
        text = READ.replace("MORE", config).replace("id, lsn", f"id, {order}")
        files[f"models/{storage}/{name}.sql"] = text
        files[f"models/{storage}/log_of_{name}.sql"] = BESIDE.replace("MODEL", name)
    project = new_project(files, name="empty_log", threads=2)
    project.table("events", [("c", 1, 1)], "op string, id int, lsn int")
    place = project.place(storage)
    for _ in range(2):
        project.run("run", "--empty")
        for name in LOGGED:
            assert project.sql(f"select * from {place}.log_of_{name}") == []
    project.run("run", vars={"dbt_changelog_flush": True})
    project.table("events", [("d", 1, 2)])
    project.run("run", vars={"dbt_changelog_flush": True})
    for name in LOGGED:
        found = project.sql(f"select _row_kind, id from {place}.log_of_{name} order by _batch_id")
        assert found[0] == ("INSERT", 1) and len(found) > 1, name
