"""Columns of a source that are char(n) or varchar(n): they are stored as strings."""

from __future__ import annotations

import pytest

MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='seq', read={'column': 'lsn'},
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'} MORE) }}
select COLUMNS from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
KEYLESS = """
{{ config(materialized='from_changelog', read={'column': 'lsn', 'strict': true},
          op_mapping={'c': 'INSERT', 'd': 'DELETE'} MORE) }}
select op, id, name from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
where op <> 'u'
"""
LOG = """
{{ config(materialized='to_changelog', unique_key='id' MORE) }}
select id, name, at from {{ source('bronze', 'events') }} where op <> 'd' and lsn > 2
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
FLAT = "op, id, name, seq, at, lsn"
IMAGES = "op, seq, id, struct(id, name, at, lsn) as after, name as kept"
MODELS = {
    "flat": (MODEL, FLAT, ""),
    "partitioned": (MODEL, FLAT, ", partition_by='name'"),
    "logged": (MODEL, FLAT, ", changelog=true, state_ttl='0'"),
    "images": (MODEL, IMAGES, ", after='after', passthrough='kept'"),
    "keyless": (KEYLESS, FLAT, ""),
    "feed": (LOG, FLAT, ""),
    "trimmed": (MODEL, FLAT.replace("id,", "rtrim(id) as id,"), ""),
    "trimmed_and_written": (
        MODEL,
        FLAT.replace("id,", "rtrim(id) as id,"),
        ", tblproperties={'write.merge.mode': 'copy-on-write'}",
    ),
}
USUAL = ["flat", "images", "feed"]


def files(names, folder=""):
    found = {"models/sources.yml": SOURCES}
    for name in names:
        text, columns, more = MODELS[name]
        found[f"models/{folder}{name}.sql"] = text.replace("COLUMNS", columns).replace("MORE", more)
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("storage", "source", "names"),
    [
        ("delta", "delta", USUAL),
        ("delta", "delta", ["partitioned", "logged", "keyless"]),
        ("delta", "parquet", ["flat", "logged"]),
        ("iceberg", "parquet", [*MODELS][:6]),
        # a copy-on-write MERGE of Spark 4.1 would not find a padded key: the page of from_changelog
        # says so
        ("iceberg", "delta", ["flat", "trimmed", "trimmed_and_written"]),
        ("parquet", "delta", ["flat"]),
    ],
)
def test_columns_of_a_limited_length_are_strings(new_project, storage, source, names):
    folder = "" if storage == "delta" else f"{storage}/"
    project = new_project(files(names, folder), name="chars")
    project.sql(f"""create table events (op string, id char(4), name varchar(5), seq char(3),
        at struct<place: char(3)>, lsn int) using {source}""")

    def land(*rows):
        values = ", ".join(
            f"('{op}', '{key}', '{name}', '{seq}', named_struct('place', 'x'), {lsn})"
            for op, key, name, seq, lsn in rows
        )
        project.sql(f"insert into events values {values}")

    land(("c", "a", "ada", "1", 1), ("c", "b", "bob", "2", 2), ("c", "c", "cy", "3", 3))
    project.run("run")
    land(("u", "a", "Ada", "4", 4), ("d", "b", "bob", "5", 5), ("c", "d", "dot", "6", 6))
    project.run("run")
    place = project.place(storage)
    wanted = {
        "keyless": [("a   ", "ada"), ("c   ", "cy"), ("d   ", "dot")],
        **dict.fromkeys(
            ("trimmed", "trimmed_and_written"), [("a", "Ada"), ("c", "cy"), ("d", "dot")]
        ),
    }
    for name in names:
        found = project.sql(f"select id, name from {place}.{name} order by id")
        assert found == wanted.get(name, [("a   ", "Ada"), ("c   ", "cy"), ("d   ", "dot")]), name
    # a new table would limit their length, too, where the source's type is wider by then
    tables = [row.tableName for row in project.sql(f"show tables in {place}")]
    for table in tables:
        # staged changes are made anew with each batch
        if not table.endswith("__changes") and any(table.startswith(name) for name in names):
            schema = project.spark.table(f"{place}.{table}").schema
            limited = [
                field.name for field in schema if "__CHAR_VARCHAR_TYPE_STRING" in field.metadata
            ]
            assert limited in ([], ["at"]), table
