"""Names and values of any characters: right contents over two runs, or our own error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .batch_log import batch_log
from .conftest import chosen
from .project import Project

# names of what we write beside a user's columns, and of what our queries have on the way
REFUSED = [
    "_row_kind", "_sequence", "_ordinal", "_batch_id", "_position", "_image_hash", "_changed_at",
    "_weight", "_weight_before", "_was_live", "_dbtc_image", "_DBTC_any",
]  # fmt: skip
# names of relations in our queries, of columns in those of other systems
TAKEN = [
    "changes", "last_changes", "batch", "state", "events", "_place", "_change_type",
    "_commit_version", "_key", "_rank", "_kind", "_count", "_image", "_last", "_rival", "_row",
    "_stored", "_old", "_new", "_is_live",
]  # fmt: skip
LOG = "op string, k int, seq int, v string, at int"
FIRST = [("c", 1, 1, "ada", 1), ("c", 2, 2, "bob", 2), ("c", 3, 3, "eve", 2)]
SECOND = [
    ("u", 1, 4, "Ada", 3),
    ("d", 2, 5, "bob", 3),
    ("c", 4, 6, "zoe", 4),
    ("u", 1, 0, "ada", 4),
]
CONTENTS = {(1, "Ada"), (3, "eve"), (4, "zoe")}
CHANGES = [
    (1, "INSERT", 1, "ada"), (1, "INSERT", 2, "bob"), (1, "INSERT", 3, "eve"),
    (2, "DELETE", 2, "bob"), (2, "INSERT", 4, "zoe"),
    (2, "UPDATE_AFTER", 1, "Ada"), (2, "UPDATE_BEFORE", 1, "ada"),
]  # fmt: skip


def jinja(value: Any) -> str:
    return str(value) if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)


def model(source: str, **config: Any) -> str:
    arguments = "".join(f",\n  {name}={jinja(value)}" for name, value in config.items())
    return (
        f"{{{{ config(materialized='from_changelog'{arguments}) }}}}\n"
        f"select * from {{{{ dbt_changelog.new_rows(source('bronze', '{source}')) }}}}\n"
    )


def sources(*tables: str) -> str:
    listed = "".join(f"\n      - name: {table}" for table in tables)
    return (
        f"sources:\n  - name: bronze\n    schema: '{{{{ target.schema }}}}'\n    tables:{listed}\n"
    )


MAPPING = {"c": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"}


@pytest.fixture(scope="module")
def taken(new_project):
    def one(name: str) -> str:
        return model(
            f"source{name}", unique_key="k", sequence_by="seq", op_mapping=MAPPING, changelog=True,
            read={"column": "at"},
        )  # fmt: skip

    names = [*REFUSED, "_others"]
    files = {f"models/m{name}.sql": one(name) for name in names}
    tables = [f"source{name}" for name in names]
    project: Project = new_project({"models/sources.yml": sources(*tables), **files}, "taken_names")
    project.table("log", FIRST, LOG)
    for name in REFUSED:
        project.sql(f"create view source{name} as select op, k, seq, v as {name}, at from log")
    values = ", ".join(f"v as {name}" for name in TAKEN)
    project.sql(f"create view source_others as select op, k, seq, {values}, at from log")
    first = project.run("run", expect_failure=True)
    project.table("log", SECOND)
    project.run("run", "--select", "m_others")
    return project, first


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_that_we_write_is_refused(taken, name):
    _, result = taken
    refused = f"Invalid 'input' in from_changelog model 'm{name}': its column '{name}'"
    assert refused in result.nodes[f"m{name}"].message


@pytest.mark.parametrize("name", TAKEN)
def test_any_other_name_is_a_column_like_others(taken, name):
    project, _ = taken
    assert sorted(map(tuple, project.sql(f"select k, {name} from m_others"))) == sorted(CONTENTS)
    found = project.sql(
        f"select _batch_id, _row_kind, k, {name} from m_others__changelog order by all"
    )
    assert found == CHANGES


# --- values ---

VALUES = [
    "'", '"', "\\", "a\nb", "", "żółw 🐢", "${x}", "{{ x }}", "--", "/*",
]  # fmt: skip
# those whose unknown code is looked for in the error
SHOWN = [1, 2, 3]


@pytest.fixture(scope="module")
def valued(request, new_project, home):
    files = {}
    values = [(number, VALUES[number]) for number in sorted(chosen(request, "number"))]
    for number, value in values:
        files[f"models/m_{number}.sql"] = model(
            f"v_{number}", unique_key="k", sequence_by="seq", read={"column": "at"},
            op_mapping={value: "INSERT", f"{value}u": "UPDATE_AFTER", f"{value}d": "DELETE"},
            changelog=number % 4 == 0, tie_handling=["FAIL", "LAST"][number % 2],
        )  # fmt: skip
    tables = [f"v_{number}" for number, _ in values]
    files["models/sources.yml"] = sources(*tables)
    project: Project = new_project(files, "values", home=home)
    columns = "number int, op string, k string, seq int, v string, at string"

    def land(*rows: tuple[str, str, int, str, str], columns: str | None = None) -> None:
        """Each row for each value: what stands for the value is `.`."""
        project.table("log", [
            (number, *(text.replace(".", value) if isinstance(text, str) else text for text in row))
            for row in rows for number, value in values
        ], columns)  # fmt: skip

    land((".", ".", 1, ".", "."), (".", ".x", 2, "bob", "."), columns=columns)
    for (number, _), table in zip(values, tables, strict=True):
        rows = f"select * except (number) from log where number = {number}"
        project.sql(f"create view {table} as {rows}")
    results = [project.run("run")]
    land((".u", ".", 3, ".2", ".z"), (".d", ".x", 4, "bob", ".z"))
    results.append(project.run("run"))
    land((".?", ".", 9, "", ".z"))
    if shown := [f"m_{number}" for number, _ in values if number in SHOWN]:
        results.append(project.run("run", "--select", *shown, expect_failure=True))
    return project, results


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(VALUES)), ids=map(repr, VALUES))
def test_any_value(valued, number):
    project, results = valued
    value, name = VALUES[number], f"m_{number}"
    for result in results[:2]:
        assert result.nodes[name].status == "success", (result.nodes[name].message or "")[:700]
    assert project.sql(f"select k, v, at from {name}") == [(value, f"{value}2", f"{value}z")]
    (position,) = batch_log(project, name)["batch"]["position"].values()
    assert position["value"] == f"{value}z"
    if number in SHOWN:
        # dbt may indent what it shows
        message = (results[2].nodes[name].message or "").replace("\n  ", "\n")
        assert f"Unknown op code '{value}?' in column op" in message
    if number % 4 == 0:
        changes = project.sql(f"select _batch_id, _row_kind, k from {name}__changelog order by all")
        assert changes == [
            (1, "INSERT", value), (1, "INSERT", f"{value}x"),
            (2, "DELETE", f"{value}x"), (2, "UPDATE_AFTER", value),
        ]  # fmt: skip


# --- names of models, schemas and sources ---

WITH_CTES = """with changes as (
  select * from {{ dbt_changelog.new_rows(source('bronze', 'NAME')) }}
),
events as (select * from changes)
select op, k, seq, v as state, at as batch from events
"""
LOGGED = ["order", "changes"]
TABLES = ["order", "select", "table", "state", "changes", "events", "batch", "Mixed"]


@pytest.mark.thorough
def test_reserved_words_as_model_schema_and_source(new_project):
    files = {
        "macros/generate_schema_name.sql": """
        {% macro generate_schema_name(name, node) %}{{ name or target.schema }}{% endmacro %}
        """,
        "models/sources.yml": sources(*TABLES).replace("{{ target.schema }}", "from"),
    }
    for name in TABLES:
        head = model(name, unique_key="k", sequence_by="seq", read={"column": "at"},
                     op_mapping=MAPPING, schema="select", alias=name,
                     changelog=name in LOGGED)  # fmt: skip
        query = WITH_CTES.replace("NAME", name)
        files[f"models/m_{name}.sql"] = head[: head.index("select *")] + query
    project: Project = new_project(files, "reserved_words")
    project.table("log", FIRST, LOG)
    project.sql("create schema `from`")
    for name in TABLES:
        project.sql(f"create view `from`.`{name}` as select * from {project.schema}.log")
    project.run("run")
    project.table("log", SECOND)
    project.run("run")
    for name in TABLES:
        found = project.sql(f"select k, state from `select`.`{name}`")
        assert sorted(map(tuple, found)) == sorted(CONTENTS), name
    for name in LOGGED:
        found = project.sql(
            f"select _batch_id, _row_kind, k, state from `select`.`{name}__changelog` order by all"
        )
        assert found == CHANGES, name
    project.run("run-operation", "diagnose", "--args", "{model: m_order}")
