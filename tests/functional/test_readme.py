"""The examples of README.md and docs/ do what they show, and every link leads somewhere."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml
from pyspark.sql import Row

from tests.spark import REPO

README = REPO / "README.md"
PAGES = [README, REPO / "CONTRIBUTING.md", *sorted((REPO / "docs").rglob("*.md"))]
EXAMPLE_PAGES = [
    REPO / "docs/reference/from_changelog.md",
    REPO / "docs/reference/apply_changelog.md",
    REPO / "docs/reference/to_changelog.md",
    REPO / "docs/reference/diff_tables.md",
]
DAY = timedelta(days=1)
TIME = "%Y-%m-%d %H:%M:%S"

Table = list[dict[str, Any]]


def blocks(text: str) -> dict[str, str]:
    """The code blocks that name a file in their first line: {path: text}."""
    found = re.findall(r"^```\w+\n(?:--|#) (\S+\.(?:sql|yml))\n(.*?)^```$", text, re.M | re.S)
    assert len(dict(found)) == len(found), "two blocks of one file"
    return dict(found)


def tables(text: str) -> list[Table]:
    """The tables of a text, each a list of {column: value}."""
    found = []
    for part in re.findall(r"(?:^\|.*\|\n)+", text, re.M):
        lines = [[cell.strip() for cell in line[1:-1].split("|")] for line in part.splitlines()]
        names = [name.strip("`") for name in lines[0]]
        found.append([dict(zip(names, map(value, cells), strict=True)) for cells in lines[2:]])
    return found


def value(cell: str) -> Any:
    if re.fullmatch(r'`\{".*\}`', cell):
        return json.loads(cell[1:-1])
    if re.fullmatch(r"`'.*'`", cell):
        return cell[2:-2]
    if re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", cell):
        return datetime.strptime(cell, TIME)
    if re.fullmatch(r"-?\d+", cell):
        return int(cell)
    return {"": None, "true": True, "false": False}.get(cell, cell)


def spark_type(values: list[Any]) -> str:
    """The type of a column, from the values that are not NULL."""
    known = [v for v in values if v is not None]
    if known and isinstance(known[0], dict):
        names = {name: None for v in known for name in v}
        fields = (f"{name} {spark_type([v.get(name) for v in known])}" for name in names)
        return f"struct<{', '.join(fields)}>"
    types = {bool: "boolean", int: "bigint", str: "string", datetime: "timestamp"}
    return types[type(known[0])] if known else "string"


def land(project, relation: str, table: Table, columns_of: Table | None = None) -> None:
    """Append rows to a Delta table; its types are those of `columns_of`, made at the first call."""
    every = columns_of or table
    schema = ", ".join(f"{name} {spark_type([row[name] for row in every])}" for name in every[0])
    project.spark.sql(f"create table if not exists {relation} ({schema}) using delta")
    text = json.dumps(table, default=lambda time: time.strftime(TIME))
    text = text.replace("\\", r"\\").replace("'", r"\'")
    project.spark.sql(
        f"insert into {relation} select inline(from_json('{text}', 'array<struct<{schema}>>',"
        f" map('mode', 'FAILFAST', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss')))"
    )


def check(project, relation: str, expected: Table) -> None:
    """The relation has these columns and rows, in any order of rows."""
    found = project.sql(f"select * from {relation}")
    names = [row.col_name for row in project.sql(f"describe {relation}")]
    assert names == list(expected[0])
    assert Counter(map(texts, found)) == Counter(texts(row.values()) for row in expected)


def texts(row: Any) -> tuple[str, ...]:
    """The values of a row, structs too, as something that has a hash."""
    values = (v.asDict(recursive=True) if isinstance(v, Row) else v for v in row)
    return tuple(json.dumps(v, default=str, sort_keys=True) for v in values)


@pytest.fixture
def bronze(spark):
    """The schema of the README's source; afterwards without its table."""
    spark.sql("create schema if not exists bronze")
    yield
    spark.sql("drop table if exists bronze.customers")


def test_readme_example(new_project, bronze):
    text = README.read_text(encoding="utf-8")
    files = blocks(text)
    assert yaml.safe_load(files.pop("packages.yml"))["packages"]
    events, expected = tables(text)[:2]
    assert len(events) == 5
    project = new_project(files, name="readme")

    land(project, "bronze.customers", events[:2], columns_of=events)
    assert project.run("build").count("pass") == 2
    check(project, "customers", [{"id": 1, "name": "Ann"}])
    land(project, "bronze.customers", events[2:], columns_of=events)
    assert project.run("build").count("pass") == 2
    check(project, "customers", expected)
    assert "`ingested_at` >= timestamp'2026-01-01 09:00:00Z'" in project.ran("customers")

    # each event comes again, later: alone, and beside the first one
    again = [{**event, "ingested_at": event["ingested_at"] + DAY} for event in events]
    land(project, "bronze.customers", again, columns_of=events)
    result = project.run("run")
    assert "0 rows inserted, 0 rows updated" in result.nodes["customers"].message
    check(project, "customers", expected)
    project.run("run", "--full-refresh")
    check(project, "customers", expected)

    assert set(project.tables()) == {
        row["object"].strip("`") for row in tables(section(text, "What a model makes"))[0]
    }


@dataclass
class Example:
    title: str
    model: str
    files: dict[str, str]
    source: str
    events: Table
    expected: Table


def section(text: str, title: str) -> str:
    return re.split(r"^#+ ", text.split(f"# {title}\n", 1)[1], maxsplit=1, flags=re.M)[0]


def examples() -> list[Example]:
    """A section with a model and two tables, what goes in and what comes out, is an example."""
    found = []
    for page in EXAMPLE_PAGES:
        for part in re.split(r"^#+ ", page.read_text(encoding="utf-8"), flags=re.M):
            files = blocks(part)
            if not files:
                continue
            rows = tables(part)
            (path,) = files
            (source,) = set(re.findall(r"source\('bronze', '(\w+)'\)", files[path]))
            title = part.splitlines()[0]
            assert len(rows) == 2, title
            found.append(Example(title, Path(path).stem, files, source, *rows))
    return found


@pytest.fixture(scope="module")
def docs_project(new_project):
    """One run of all examples."""
    sources = ", ".join(sorted({f"{{name: {example.source}}}" for example in examples()}))
    files = {
        "models/bronze.yml": f"sources: [{{name: bronze, schema: '{{{{ target.schema }}}}',"
        f" tables: [{sources}]}}]"
    }
    for example in examples():
        files |= example.files
    project = new_project(files, name="docs")
    for example in examples():
        land(project, f"{project.schema}.{example.source}", example.events)
    project.run("run")
    return project


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.model)
def test_docs_example(docs_project, example):
    check(docs_project, example.model, example.expected)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPO).as_posix())
def test_links_lead_somewhere(page):
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists() and file.is_relative_to(REPO), target
        assert not anchor or anchor in anchors(file), target
    for path in re.findall(r"`((?:docs|integration_tests|macros|src|tests)/[\w./]+)`", text):
        assert (REPO / path).exists(), path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPO).as_posix())
def test_tables_are_whole(page):
    """Each has a head, and each row as many cells: a `|` in a cell ends it, in code too."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.M):
        rows = table.splitlines()
        assert re.fullmatch(r"\|(-+\|)+", rows[1]), rows[0]
        wide = [row for row in rows if row.count("|") - row.count("\\|") != rows[1].count("|")]
        assert not wide


def anchors(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def test_every_argument_of_to_changelog_is_in_the_reference():
    page = (REPO / "docs/reference/to_changelog.md").read_text(encoding="utf-8")
    defaults = (REPO / "macros/args/encode_defaults.sql").read_text(encoding="utf-8")
    documented = {row["name"].strip("`") for row in tables(section(page, "Parameters"))[0]}
    assert documented == {*re.findall(r"'(\w+)': ", defaults), "input"}


def test_every_argument_is_in_the_reference():
    page = (REPO / "docs/reference/from_changelog.md").read_text(encoding="utf-8")
    defaults = (REPO / "macros/args/decode_defaults.sql").read_text(encoding="utf-8")
    names = re.findall(r"'(\w+)': ", defaults)
    assert len(names) > 10
    documented = {row["name"].strip("`") for row in tables(section(page, "Parameters"))[0]}
    assert documented == {*names, "input", "read", "changelog", "counters", "contents_schema"}
    planned = (REPO / "macros/args/planned_config_names.sql").read_text(encoding="utf-8")
    for name in re.findall(r"'(\w+)'", planned):
        assert f"`{name}`" in section(page, "Not built yet")
