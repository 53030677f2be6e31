"""The examples of README.md and docs/ do what they show, and every link leads somewhere."""

from __future__ import annotations

import json
import re
import subprocess
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
    """The schema of the README's sources; afterwards without their tables."""
    spark.sql("create schema if not exists bronze")
    yield
    for name in "customer_events", "member_events", "inventory_events":
        spark.sql(f"drop table if exists bronze.{name}")


def readme() -> tuple[str, dict[str, str]]:
    text = README.read_text(encoding="utf-8")
    files = blocks(text)
    assert yaml.safe_load(files.pop("packages.yml"))["packages"]
    return text, files


def without(files: dict[str, str], *models: str) -> dict[str, str]:
    return {path: text for path, text in files.items() if Path(path).stem not in models}


WRONG_EVENTS: Table = [
    {"run": 3, "op": op, "id": key, "name": name, "lsn": lsn}
    for op, key, name, lsn in [
        ("u", 1, "Ann again", 40),
        ("c", 4, "Dan", 70),
        ("c", 4, "Dana", 70),
        ("x", 5, "Eve", 80),
        ("c", None, "Fay", 90),
        ("c", 6, "Gus", None),
    ]
]


def test_readme_by_hand_and_with_the_package(new_project, bronze):
    text, files = readme()
    files = without(files, "members", "inventory")
    by_hand = files["models/customers_by_hand.sql"]
    by_arrival = by_hand.replace("id, name, lsn\n", "id, name, lsn, run\n").replace(
        "lsn > (select max(lsn)", "run > (select max(run)"
    )
    assert by_arrival.count("run") == 3
    events, wrong, expected = tables(section(text, "What a hand-written model gets wrong"))[:3]
    others = {"models/by_arrival.sql": by_arrival, "models/at_once.sql": by_hand}
    project = new_project(files | others, name="readme")
    for run in 1, 2:
        arrived = [event for event in events if event["run"] == run]
        land(project, "bronze.customer_events", arrived, columns_of=events)
        assert project.run("build", "--exclude", "at_once").count("pass") == 2
    check(project, "customers_by_hand", wrong)
    check(project, "customers", expected)
    project.run("run", "--select", "at_once")
    check(project, "at_once", expected)
    assert set(project.tables()) - {"customers_by_hand", "by_arrival", "at_once"} == {
        row["object"].strip("`") for row in tables(section(text, "What a model makes"))[0]
    }

    land(project, "bronze.customer_events", WRONG_EVENTS, columns_of=events)
    result = project.run("run", expect_failure=True)
    assert "To fix: " in result.nodes["customers"].message
    check(project, "customers", expected)
    names = dict(project.sql("select id, name from customers_by_hand"))
    assert names.pop(4) in ("Dan", "Dana")
    assert names == {1: "Anna", 2: "Bob", 5: "Eve", None: "Fay"}
    assert project.sql("select name from by_arrival where id = 1") == [("Ann again",)]


def test_what_the_readme_names_is_there():
    """Its table says of each name whether it is a materialization, a macro or both."""
    rows = tables(section(README.read_text(encoding="utf-8"), "Batch, stream and macro"))[0]
    names = [re.findall(r"`(\w+)`", row["name"])[0] for row in rows]
    _, materialization, macro = rows[0]
    for folder, column in ("materializations", materialization), ("functions", macro):
        files = {path.stem for path in (REPO / "macros" / folder).glob("*.sql")}
        said = {name for name, row in zip(names, rows, strict=True) if row[column]}
        assert said == files & set(names)
        assert folder == "functions" or said == files


def test_readme_text(new_project, bronze):
    text, files = readme()
    events, expected = tables(section(text, "A table from Kafka's text"))
    records = [
        {name: json.dumps(v) if isinstance(v, dict) else v for name, v in event.items()}
        for event in events
    ]
    files = without(files, "customers_by_hand", "members") | {"models/customers.sql": "select 1"}
    project = new_project(files, name="readme_text")
    land(project, "bronze.inventory_events", records[:3], columns_of=records)
    project.run("run", "--select", "inventory")
    check(project, "inventory", [{"sku": "A", "on_hand": 3, "manual": None}])
    land(project, "bronze.inventory_events", records[3:], columns_of=records)
    project.run("run", "--select", "inventory")
    check(project, "inventory", expected)


def test_readme_images(new_project, bronze):
    text, files = readme()
    files = without(files, "inventory")
    events, expected = tables(section(text, "Events with images, and reading only what is new"))
    assert len(events) == 5
    by_hand = files.pop("models/customers_by_hand.sql").replace(
        "{{ source('bronze', 'customer_events') }}",
        "(select op, coalesce(after, before).id as id, coalesce(after, before).name as name,"
        " source.lsn as lsn"
        " from {{ source('bronze', 'member_events') }}) as events",
    )
    del files["models/customers.sql"]
    project = new_project(files | {"models/by_hand.sql": by_hand}, name="readme_images")

    land(project, "bronze.member_events", events[:2], columns_of=events)
    project.run("run", "--select", "members")
    check(project, "members", [{"id": 1, "name": "Ann"}])
    land(project, "bronze.member_events", events[2:], columns_of=events)
    project.run("run")
    check(project, "members", expected)
    # 2026-01-01 09:00:00
    assert "`ingested_at` >= timestamp_micros(1767258000000000)" in project.ran("members")
    assert sorted(project.sql("select id from by_hand")) == [(1,), (3,), (7,)]

    # each event comes again, later: alone, and beside the first one
    again = [{**event, "ingested_at": event["ingested_at"] + DAY} for event in events]
    land(project, "bronze.member_events", again, columns_of=events)
    result = project.run("run", "--select", "members")
    assert "0 rows inserted, 0 rows updated" in result.nodes["members"].message
    check(project, "members", expected)
    project.run("run", "--select", "members", "--full-refresh")
    check(project, "members", expected)


def test_quick_start(new_project, bronze):
    """Its files make a project, whose first run meets a table, and whose data tests pass."""
    page = (REPO / "docs/quick_start.md").read_text(encoding="utf-8")
    files = blocks(page)
    files.pop("packages.yml")
    settings = yaml.safe_load(files.pop("profiles.yml"))["my_project"]["outputs"]["dev"]
    known = yaml.safe_load((REPO / "integration_tests/profiles.yml").read_text(encoding="utf-8"))
    (outputs,) = (project["outputs"] for project in known.values())
    for name, text in settings["server_side_parameters"].items():
        if name.startswith("spark.sql"):
            assert text == outputs["dev"]["server_side_parameters"][name]
    packages = (REPO / "spark-packages.txt").read_text(encoding="utf-8")
    assert settings["server_side_parameters"]["spark.jars.packages"] in packages
    files["seeds/customers_dump.csv"] = "id,name,lsn\n1,Ann,1\n"
    project = new_project(files, name="quick_start")
    time = datetime(2026, 1, 1, 9)
    event = {"op": "r", "id": 1, "name": "Ann", "lsn": 1, "ingested_at": time}
    deleted = [{**event, "id": 2, "op": op, "lsn": lsn} for op, lsn in [("c", 2), ("d", 3)]]
    land(project, "bronze.customer_events", [event, *deleted])
    land(project, f"{project.schema}.customers", [{"id": 9, "name": "Old"}])

    result = project.run("run", expect_failure=True)
    assert "exists, and a model of this kind is a view" in result.nodes["customers"].message
    result = project.run("build", "--full-refresh")
    assert "batch 1, 1 rows inserted" in result.nodes["customers"].message
    assert result.count("pass") == 3
    check(project, "customers__before_changelog", [{"id": 9, "name": "Old"}])


def test_from_a_hand_written_model(new_project, bronze):
    """Its two models, one after the other, give the tables that it shows."""
    page = (REPO / "docs/how-to/adopt.md").read_text(encoding="utf-8")
    before, after = section(page, "Before"), section(page, "After")
    events, by_hand = tables(before)
    (expected,) = tables(after)
    project = new_project(
        blocks(before) | {"models/customers.yml": readme()[1]["models/customers.yml"]}, name="adopt"
    )
    for run in 1, 2:
        arrived = [event for event in events if event["run"] == run]
        land(project, "bronze.customer_events", arrived, columns_of=events)
        project.run("run")
    project.sql("insert into customers values (9, 'Zoe', 1)")
    check(project, "customers", by_hand)

    (model,) = blocks(after).items()
    project.write(*model)
    shown = project.run("run-operation", "show_plan", "--args", "{model: customers}").debug_log
    assert "rename to" in shown
    said = re.findall(r"^Adopted .*|\[batch .*\]", after, re.M)
    result = project.run("run")
    assert said[0].replace("analytics", project.schema) in result.log
    assert result.nodes["customers"].message == said[1][1:-1]
    check(project, "customers", expected)
    check(project, "customers__before_changelog", by_hand)


def test_many_tables_from_one_log(tmp_path):
    """The page has the files of the example, which test_integration_project runs."""
    page = (REPO / "docs/how-to/many_tables.md").read_text(encoding="utf-8")
    files = blocks(page)
    assert len(files) == 2
    for path, text in files.items():
        assert (REPO / "integration_tests" / path).read_text(encoding="utf-8") == text, path
    (loop,) = re.findall(r"^for .*?^done$", page, re.M | re.S)
    models = tmp_path / "models/many_tables"
    models.mkdir(parents=True)
    subprocess.run(["sh", "-c", loop], cwd=tmp_path, check=True)
    written = {file.name: file.read_text() for file in models.iterdir()}
    assert len(written) == 3
    for name, text in written.items():
        assert (REPO / "integration_tests/models/many_tables" / name).read_text() == text


@dataclass
class Example:
    title: str
    model: str
    files: dict[str, str]
    source: str
    events: Table
    expected: Table


@pytest.mark.thorough
def test_data_tests_of_a_changelog_run_after_the_model(new_project):
    page = (REPO / "docs/reference/generic_tests.md").read_text(encoding="utf-8")
    files = {
        "models/customers.sql": """
        {{ config(materialized='from_changelog', changelog=true, unique_key='id',
            sequence_by='lsn') }}
        select * from {{ ref('events') }}
        """,
        "seeds/events.csv": "op,id,lsn\nINSERT,1,1\nINSERT,2,2\n",
    }
    project = new_project(files | blocks(page), name="tested_changelog")
    # the schema is new in the first build, and the second one has another batch
    for rows in ("", "UPDATE_AFTER,1,3\nDELETE,2,4\n"):
        project.write("seeds/events.csv", files["seeds/events.csv"] + rows)
        assert project.run("build").count("pass") == 2
    assert len(project.sql("select * from customers_changes")) == 4


def section(text: str, title: str) -> str:
    # a file's first line may be a comment that names it
    return re.split(r"^#+ (?!models/)", text.split(f"# {title}\n", 1)[1], maxsplit=1, flags=re.M)[0]


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


def words_of(file: str, macro: str) -> list[str]:
    """The quoted words of a macro: the names of arguments, before their defaults if it has any."""
    text = (REPO / "macros" / file).read_text(encoding="utf-8")
    body = re.split(r"{%-? *endmacro", text.split(f"macro {macro}()", 1)[1])[0]
    found = re.findall(r"'(\w+)': ", body) or re.findall(r"'(\w+)'", body)
    assert found
    return found


def test_every_argument_of_to_changelog_is_in_the_reference():
    page = (REPO / "docs/reference/to_changelog.md").read_text(encoding="utf-8")
    names = words_of("plan/encode_plan.sql", "encode_defaults")
    documented = {row["name"].strip("`") for row in tables(section(page, "Parameters"))[0]}
    assert documented == {*names, "input"}


def test_every_argument_is_in_the_reference():
    page = (REPO / "docs/reference/from_changelog.md").read_text(encoding="utf-8")
    names = words_of("plan/decode_plan.sql", "decode_defaults")
    documented = {row["name"].strip("`") for row in tables(section(page, "Parameters"))[0]}
    own = {
        *("adopt", "read", "changelog", "counters", "contents_schema", "format", "payload_schema"),
        *("unavailable_value", "ignore_null_updates", "columns_not_sent", "soft_delete"),
        *("tombstone_retention", "on_conflict", "consistent_group", "compact_every"),
        *("merge", "compact_above"),
        *("watermark", "late_handling", "max_future"),
        *("stored_as_scd_type", "valid_from", "valid_to", "is_current"),
        *("track_history_columns", "track_history_columns_except"),
    }
    assert documented == {*names, "input", *own}
    for name in words_of("plan/check_model_config.sql", "_planned_config_names"):
        assert f"`{name}`" in section(page, "Not built yet")
