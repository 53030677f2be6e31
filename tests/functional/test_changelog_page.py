"""The examples of docs/concepts/changelog.md: the events of each run, and the changelog they give.

An example is a section with a model. Two tables are its events and its `<model>__changelog`; the
column `run` says which run reads an event: a number with dbt's options, or the time that it is
then. One table is the contents of a model that reads the changelog of another.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.spark import REPO

from .test_readme import blocks, check, land, tables

pytestmark = pytest.mark.thorough

PAGE = (REPO / "docs/concepts/changelog.md").read_text(encoding="utf-8")
PARTS = [part for part in re.split(r"^#+ ", PAGE, flags=re.M) if blocks(part)]
EXAMPLES = {Path(next(iter(blocks(part)))).stem: part for part in PARTS}
# a third table explains, it is no example
WRITERS = {name: tables(part)[:2] for name, part in EXAMPLES.items() if len(tables(part)) > 1}
READERS = {name: tables(part)[0] for name, part in EXAMPLES.items() if name not in WRITERS}


def runs_of(name):
    """{what the column `run` says: the events}"""
    runs = {}
    for event in WRITERS[name][0]:
        values = {column: value for column, value in event.items() if column != "run"}
        runs.setdefault(str(event.get("run", 1)), []).append(values)
    return runs


def source_yml():
    found = sorted(set(re.findall(r"source\('(\w+)', '(\w+)'\)", PAGE)))
    tables_of = {}
    for source, table in found:
        tables_of.setdefault(source, []).append(f"{{name: {table}}}")
    head = "{{name: {}, schema: '{{{{ target.schema }}}}', tables: [{}]}}"
    listed = [head.format(source, ", ".join(names)) for source, names in tables_of.items()]
    return f"sources: [{', '.join(listed)}]"


@pytest.fixture(scope="module")
def project(new_project):
    files = {"models/sources.yml": source_yml()}
    for part in PARTS:
        files |= blocks(part)
    project = new_project(files, name="changelog_page", threads=2)
    runs = sorted({(n, run) for name in WRITERS for n, run in enumerate(runs_of(name))})
    for number, run in runs:
        names = [name for name in WRITERS if list(runs_of(name))[number:][:1] == [run]]
        for name in names:
            (source,) = re.findall(r"source\('bronze', '(\w+)'\)", EXAMPLES[name])
            every = [event for events in runs_of(name).values() for event in events]
            land(project, f"{project.schema}.{source}", runs_of(name)[run], columns_of=every)
        options = [word for word in run.split() if word.startswith("--")]
        clock = {"dbt_changelog_now": run} if ":" in run else None
        project.run("run", "--select", *names, *options, vars=clock)
    project.run("run", "--select", *READERS)
    return project


@pytest.mark.parametrize("name", WRITERS)
def test_changelog(project, name):
    expected = WRITERS[name][1]
    found = project.sql(f"select {', '.join(expected[0])} from {name}__changelog")
    assert Counter(map(tuple, found)) == Counter(tuple(row.values()) for row in expected)


@pytest.mark.parametrize("name", READERS)
def test_reader(project, name):
    check(project, name, READERS[name])
