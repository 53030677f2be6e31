"""Names and values of any characters: right contents over two runs, or our own error."""

from __future__ import annotations

import json
from typing import Any

import pytest

from .project import Node, Project

MARKS = [
    "a b", "a.b", "it's", 'say "hi"', "tick`tock", "`", "back\\slash", "\\", "a,b", "a;b", "--",
    "/*", "*/", "${x}", "$", "%s", "{{ x }}", "{a}", "(a)", "a=b", "*", "1", "1st", "a:b<int>", "'",
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
    "_next_kind", "_next_sequence", "_part", "_is_live", "_following", "_old", "_new", "_part",
]  # fmt: skip
NAMES = MARKS + WORDS + OURS

EXPECT = None
LOG = "op string, k int, seq int, v string, at int"
FIRST = [("c", 1, 1, "ada", 1), ("c", 2, 2, "bob", 2), ("c", 3, 3, "eve", 2)]
SECOND = [
    ("u", 1, 4, "Ada", 3),
    ("d", 2, 5, "bob", 3),
    ("c", 4, 6, "zoe", 4),
    ("u", 1, 1, "ada", 4),
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
    """As Jinja writes it; a name may hold braces."""
    text = json.dumps(value, ensure_ascii=False)
    return text.replace("true", "True").replace("false", "False")


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


def rotated(start: int, count: int) -> list[str]:
    """Each name has each role once, beside other names."""
    return [NAMES[(start + 7 * step) % len(NAMES)] for step in range(count)]


def flat(name: str, names: list[str], changelog: bool) -> tuple[str, str]:
    op, key, seq, value, at = names
    pairs = zip(["op", "k", "seq", "v", "at"], map(quote, names), strict=True)
    view = f"select {', '.join(f'{column} as {name}' for column, name in pairs)} from log"
    mapping = {"c": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"}
    return view, model(
        name, op=op, unique_key=key, sequence_by=[seq], op_mapping=mapping, read={"column": at},
        changelog=changelog,
    )  # fmt: skip


def images(name: str, names: list[str], changelog: bool) -> tuple[str, str]:
    op, key, seq, value, at, before, after = names

    def row(text: str) -> str:
        return f"named_struct({literal(key)}, k, {literal(value)}, {text})"

    view = f"""
    select op as {quote(op)}, seq as {quote(seq)}, at as {quote(at)},
      if(op = 'c', null, {row("lower(v)")}) as {quote(before)},
      if(op = 'd', null, {row("v")}) as {quote(after)}
    from log
    """
    mapping = {"c": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"}
    return view, model(
        name, op=op, before=before, after=after, unique_key=[key], sequence_by=seq,
        op_mapping=mapping, passthrough=at, read={"column": at, "lookback": 1},
        changelog=changelog,
    )  # fmt: skip


def tie_last(name: str, names: list[str], changelog: bool) -> tuple[str, str]:
    view, text = flat(name, names, changelog)
    return view, text.replace("config(", "config(tie_handling='LAST', invalid_op_handling='LOG', ")


SHAPES = {"flat": (flat, 5), "images": (images, 7), "last": (tie_last, 5)}
CASES = {
    f"{shape}_{number}": (shape, rotated(number, SHAPES[shape][1]))
    for shape in SHAPES
    for number in range(0 if shape != "last" else 3, len(NAMES), 1 if shape != "last" else 9)
}


@pytest.fixture(scope="module")
def named(new_project):
    files, views = {"models/sources.yml": sources(*CASES, "log")}, {}
    for number, (name, (shape, names)) in enumerate(CASES.items()):
        views[name], files[f"models/m_{name}.sql"] = SHAPES[shape][0](name, names, number % 2 == 0)
    project: Project = new_project(files, name="hostile_names")
    project.table("log", FIRST, LOG)
    for name, view in views.items():
        project.sql(f"create view {name} as {view}")
    first = project.run("run", expect_failure=EXPECT)
    project.table("log", SECOND)
    second = project.run("run", expect_failure=EXPECT)
    return project, first, second


@pytest.mark.parametrize("name", CASES)
def test_any_name_in_any_role(named, name):
    project, first, second = named
    _, names = CASES[name]
    for result in first, second:
        node = result.nodes[f"m_{name}"]
        assert node.status == "success", f"{names}: {(node.message or '')[:600]}"
    key, value = quote(names[1]), quote(names[3])
    found = project.sql(f"select {key}, {value} from m_{name}")
    assert {tuple(row) for row in found} == CONTENTS and len(found) == len(CONTENTS), names
    if list(CASES).index(name) % 2 == 0:
        found = project.sql(
            f"select _batch_id, _row_kind, {key}, {value} from m_{name}__changelog order by all"
        )
        assert found == CHANGES, names
