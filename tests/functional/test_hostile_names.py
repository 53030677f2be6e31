"""Names and values of any characters: right contents over two runs, or our own error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .batch_log import batch_log
from .project import Node, Project

MARKS = [
    "a b", "a.b", "it's", 'say "hi"', "tick`tock", "`", "back\\slash", "\\", "a,b", "a;b", "--",
    "/*", "*/", "$", "%s", "{{ x }}", "{a}", "(a)", "a=b", "*", "1", "1st", "a:b<int>", "'",
    "tab\there", "-U",
]  # fmt: skip
WORDS = ["select", "order", "GROUP", "from", "table", "MixedCase", "żółw", "🐢", "NULL", "all"]
OURS = [
    "events", "changes", "batch", "state", "last_changes", "hashed_changes", "winners", "images",
    "row_kinds", "rows_or_tombstones", "by_key", "emitted", "parts", "applied", "old_rows",
    "new_rows", "batch_rows", "differences", "_1", "_op", "_hash",
]  # fmt: skip
# names that stand in what we generate around a user's columns: taken, or refused in our words
TAKEN = [
    "_row_kind", "_sequence", "_ordinal", "_batch_id", "_position", "_image_hash", "_changed_at",
    "_image", "_last", "_rival", "_row", "_is_stored", "_stored", "_place", "_own_kind",
    "_next_kind", "_next_sequence", "_part", "_is_live", "_following", "_old", "_new",
]  # fmt: skip
NAMES = MARKS + WORDS + OURS

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


def quote(name: str) -> str:
    return f"`{name.replace('`', '``')}`"


def literal(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{text}'".replace("${", "\\u0024{")


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


def some(start: int, count: int) -> list[str]:
    return [NAMES[(start + place) % len(NAMES)] for place in range(count)]


def flat(source: str, number: int, **config: Any) -> tuple[str, str, list[str]]:
    """Every name has every role in one of the models, op only one of each kind of name."""
    first = 4 * number
    op, keys, seqs, values = NAMES[number], some(first, 4), some(first + 5, 4), some(first + 11, 9)
    # the names of a model are different ones
    values = [name for name in values if name != op]
    keys, seqs = ([name for name in names if name != op] for names in (keys, seqs))
    columns = [("op", [op]), ("k", keys), ("seq", seqs), ("v", values[:-1]), ("at", values[-1:])]
    selected = [f"{column} as {quote(name)}" for column, names in columns for name in names]
    text = model(
        source, op=op, unique_key=keys, sequence_by=seqs, op_mapping=MAPPING,
        read={"column": values[-1]}, **config,
    )  # fmt: skip
    return f"select {', '.join(selected)} from log", text, [keys[0], values[0]]


def images(source: str, number: int, **config: Any) -> tuple[str, str, list[str]]:
    first = 4 * number
    op, before, after, *passed = some(number + 15, 6)
    keys = [name for name in some(first, 4) if name not in (before, after)]
    seq, values = NAMES[(number + 33) % len(NAMES)], some(first + 5, 4)

    def row(text: str) -> str:
        fields = [f"{literal(name)}, k" for name in keys]
        fields += [f"{literal(name)}, {text}" for name in values]
        return f"named_struct({', '.join(fields)})"

    passed = [name for name in passed if name not in keys + values]
    view = f"""
    select op as {quote(op)}, seq as {quote(seq)},
      {", ".join(f"at as {quote(name)}" for name in passed or ["at"])},
      if(op = 'c', null, {row("lower(v)")}) as {quote(before)},
      if(op = 'd', null, {row("v")}) as {quote(after)}
    from log
    """
    text = model(
        source, op=op, before=before, after=after, unique_key=keys, sequence_by=seq,
        op_mapping=MAPPING, passthrough=passed,
        read={"column": (passed or ["at"])[0], "lookback": 1}, **config,
    )  # fmt: skip
    return view, text, [keys[0], values[0]]


def last(source: str, number: int, **config: Any) -> tuple[str, str, list[str]]:
    return flat(source, number, tie_handling="LAST", invalid_op_handling="LOG", **config)


MAPPING = {"c": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"}
COUNT = -(-len(NAMES) // 4)
CASES = {
    **{f"flat_{number}": (flat, number) for number in range(COUNT)},
    **{f"images_{number}": (images, number) for number in range(COUNT)},
    "last_3": (last, 3), "last_8": (last, 8),
}  # fmt: skip
PARTS = {name: make(name, number, changelog=number % 2 == 0)
         for name, (make, number) in CASES.items()}  # fmt: skip


@pytest.fixture(scope="module")
def named(new_project, spark):
    # Delta takes most marks only with this
    setting = "spark.databricks.delta.properties.defaults.columnMapping.mode"
    spark.conf.set(setting, "name")
    files = {f"models/m_{name}.sql": text for name, (_, text, _) in PARTS.items()}
    project: Project = new_project(
        {"models/sources.yml": sources(*PARTS), **files}, name="hostile_names"
    )
    project.table("log", FIRST, LOG)
    for name, (view, _, _) in PARTS.items():
        project.sql(f"create view {name} as {view}")
    results = [project.run("run")]
    project.table("log", SECOND)
    results.append(project.run("run"))
    spark.conf.unset(setting)
    return project, results


@pytest.mark.parametrize("name", CASES)
def test_any_name_in_any_role(named, name):
    project, results = named
    for result in results:
        node: Node = result.nodes[f"m_{name}"]
        assert node.status == "success", f"{name}: {(node.message or '')[:700]}"
    columns = ", ".join(map(quote, PARTS[name][2]))
    found = project.sql(f"select {columns} from m_{name}")
    assert sorted(map(tuple, found)) == sorted(CONTENTS)
    if CASES[name][1] % 2 == 0:
        found = project.sql(f"select _batch_id, _row_kind, {columns} from m_{name}__changelog")
        # not "order by all": one of the names is `all`
        assert sorted(map(tuple, found)) == CHANGES


# a name that stands in what we write beside the user's columns is refused, or it works
@pytest.fixture(scope="module")
def taken(new_project):
    files = {}
    for name in TAKEN:
        files[f"models/m{name}.sql"] = model(
            f"source{name}", unique_key="k", sequence_by="seq", op_mapping=MAPPING, changelog=True,
            read={"column": "at"},
        )  # fmt: skip
    tables = [f"source{name}" for name in TAKEN]
    project: Project = new_project({"models/sources.yml": sources(*tables), **files}, "taken_names")
    project.table("log", FIRST, LOG)
    for name in TAKEN:
        project.sql(f"create view source{name} as select op, k, seq, v as {name}, at from log")
    results = [project.run("run", expect_failure=True)]
    project.table("log", SECOND)
    return project, [*results, project.run("run", expect_failure=True)]


@pytest.mark.parametrize("name", TAKEN)
def test_our_own_names(taken, name):
    project, results = taken
    nodes = [result.nodes[f"m{name}"] for result in results]
    refused = f"Invalid 'input' in from_changelog model 'm{name}': its column '{name}'"
    if refused in (nodes[0].message or ""):
        assert refused in (nodes[1].message or "")
        return
    assert [node.status for node in nodes] == ["success"] * 2, [node.message for node in nodes]
    assert sorted(map(tuple, project.sql(f"select k, {name} from m{name}"))) == sorted(CONTENTS)
    found = project.sql(
        f"select _batch_id, _row_kind, k, {name} from m{name}__changelog order by all"
    )
    assert found == CHANGES


# --- values ---

VALUES = [
    "'", '"', "''", "\\", "\\\\", "\\'", "a\nb", "a\r\nb", "", "żółw 🐢", "${x}",
    "${env:HOME}",
    "{{ x }}", "{% x %}", "{# x #}", "%s", ";", "x; y", "--", "/*", "*/", "`", "null", "None",
    "true",
    "1", "2020-01-01", "a\tb", "\\u0041", "\\n", "[x]", "_", "%",
]  # fmt: skip


@pytest.fixture(scope="module")
def valued(new_project):
    files = {}
    for number, value in enumerate(VALUES):
        files[f"models/m_{number}.sql"] = model(
            f"v_{number}", unique_key="k", sequence_by="seq", read={"column": "at"},
            op_mapping={value: "INSERT", f"{value}u": "UPDATE_AFTER", f"{value}d": "DELETE"},
            changelog=number % 4 == 0, tie_handling=["FAIL", "LAST"][number % 2],
        )  # fmt: skip
    tables = [f"v_{number}" for number in range(len(VALUES))]
    project: Project = new_project({"models/sources.yml": sources(*tables), **files}, "values")
    columns = "number int, op string, k string, seq int, v string, at string"

    def land(*rows: tuple[str, str, int, str, str], columns: str | None = None) -> None:
        """Each row for each value: what stands for the value is `.`."""
        project.table("log", [
            (number, *(text.replace(".", value) if isinstance(text, str) else text for text in row))
            for row in rows for number, value in enumerate(VALUES)
        ], columns)  # fmt: skip

    land((".", ".", 1, ".", "."), (".", ".x", 2, "bob", "."), columns=columns)
    for number, table in enumerate(tables):
        rows = f"select * except (number) from log where number = {number}"
        project.sql(f"create view {table} as {rows}")
    results = [project.run("run")]
    land((".u", ".", 3, ".2", ".z"), (".d", ".x", 4, "bob", ".z"))
    results.append(project.run("run"))
    land((".?", ".", 9, "", ".z"))
    return project, [*results, project.run("run", expect_failure=True)]


@pytest.mark.parametrize("number", range(len(VALUES)), ids=[repr(value) for value in VALUES])
def test_any_value(valued, number):
    project, results = valued
    value, name = VALUES[number], f"m_{number}"
    for result in results[:2]:
        assert result.nodes[name].status == "success", (result.nodes[name].message or "")[:700]
    assert project.sql(f"select k, v, at from {name}") == [(value, f"{value}2", f"{value}z")]
    (position,) = batch_log(project, name)["batch"]["position"].values()
    assert position["value"] == f"{value}z"
    # dbt indents what it shows
    shown = value.replace("\n", "\n  ")
    assert f"Unknown op code '{shown}?' in column op" in (results[2].nodes[name].message or "")
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
TABLES = ["order", "select", "table", "state", "changes", "events", "batch", "Mixed"]


def test_reserved_words_as_model_schema_and_source(new_project):
    files = {
        "macros/generate_schema_name.sql": """
        {% macro generate_schema_name(name, node) %}{{ name or target.schema }}{% endmacro %}
        """,
        "models/sources.yml": sources(*TABLES).replace("{{ target.schema }}", "from"),
    }
    for name in TABLES:
        head = model(name, unique_key="k", sequence_by="seq", read={"column": "at"},
                     op_mapping=MAPPING, changelog=True, schema="select", alias=name)  # fmt: skip
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
        found = project.sql(
            f"select _batch_id, _row_kind, k, state from `select`.`{name}__changelog` order by all"
        )
        assert found == CHANGES, name
    project.run("run-operation", "diagnose", "--args", "{model: m_order}")
