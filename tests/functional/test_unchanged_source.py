"""A run does not read a source that is as the last batch left it, and misses nothing by it."""

from __future__ import annotations

import pytest
from pyspark.sql import SparkSession

from .conftest import usual
from .test_materialization import COLUMNS, EVENTS, SOURCES, model, names

READ = "{'column': 'lsn', 'lookback': 0}"


@pytest.fixture
def project(new_project, request):
    files = {"models/sources.yml": SOURCES, "models/customers.sql": model(read=READ)}
    project = new_project(files, home=request.param)
    project.table("events", EVENTS, COLUMNS)
    project.run("run")
    return project


@pytest.fixture
def statements(monkeypatch):
    """What Spark is asked from now on."""
    asked, ask = [], SparkSession.sql

    def sql(self, text, *args, **kwargs):
        asked.append(text)
        return ask(self, text, *args, **kwargs)

    monkeypatch.setattr(SparkSession, "sql", sql)
    return asked


def reads(statements):
    """Those that read rows of the source."""
    return [sql for sql in statements if "max(`lsn`)" in sql or "newer_rows" in sql]


def run(project, statements):
    """The message of the model, and how many statements read the source."""
    statements.clear()
    message = project.run("run").nodes["customers"].message
    return message, len(reads(statements))


# what a model may read beside its events
OTHERS = [
    "{{ ref('corrections') }}",
    "SCHEMA.corrections",
    "(select * from SCHEMA.corrections) as more",
    "(table SCHEMA.corrections) as more",
    "{{ dbt_changelog.new_rows(source('bronze', 'events')) }} as e, SCHEMA.corrections",
]
homes = pytest.mark.parametrize("project", usual(["delta", "iceberg"], ["delta"]), indirect=True)


@homes
def test_an_unchanged_source_is_not_read(project, statements):
    assert run(project, statements) == ("nothing new", 0)
    # a row at the position that was read
    project.table("events", [("c", 3, "eve", 4)])
    message, count = run(project, statements)
    assert message.startswith("batch 2") and count == 2
    assert names(project) == ["Ada", "eve"]
    assert run(project, statements) == ("nothing new", 0)
    # a change that brings no event: its version is no batch's, so what is read is compared
    project.sql("delete from events where lsn = 1")
    assert [run(project, statements) for _ in range(2)] == [("nothing new", 2)] * 2


@homes
def test_a_model_that_reads_otherwise_reads_again(project, statements):
    project.table("events", [("c", 3, "eve", 2)])
    assert run(project, statements) == ("nothing new", 2)
    project.table("events", [("c", 4, "zoe", 9)])
    run(project, statements)
    assert names(project) == ["Ada", "zoe"]
    project.write("models/customers.sql", model(read="{'column': 'lsn', 'lookback': 7}"))
    run(project, statements)
    assert names(project) == ["Ada", "eve", "zoe"]


@pytest.mark.parametrize("project", ["delta"], indirect=True)
def test_a_table_of_the_same_name_is_another_source(project, statements):
    (version,) = {row.version for row in project.sql("describe history events limit 1")}
    project.sql("drop table events")
    project.table("events", [*EVENTS[:-1], ("c", 3, "eve", 4)], COLUMNS)
    assert project.sql("describe history events limit 1")[0].version == version
    run(project, statements)
    assert names(project) == ["Ada", "eve"]


@pytest.mark.parametrize("project", ["delta"], indirect=True)
def test_a_view_has_no_version(project, statements):
    project.sql("create view shown as select * from events")
    project.write("models/sources.yml", SOURCES.replace("events", "shown"))
    project.write("models/customers.sql", model(read=READ).replace("'events'", "'shown'"))
    for _ in range(2):
        run(project, statements)
    assert run(project, statements) == ("nothing new", 2)


@pytest.mark.parametrize("project", ["delta"], indirect=True)
@pytest.mark.parametrize("more", usual(OTHERS, OTHERS[:2]))
def test_what_else_a_model_reads_is_read(project, statements, more):
    project.write("models/corrections.sql", "select 'u' as op, 1 as id, 'Eve' as name, 9 as lsn")
    more = f"union all select '{{{{ var(\"op\", \"u\") }}}}' as op, 1, 'ada', 3 from {more}"
    more = more.replace("SCHEMA", project.schema)
    project.run("run", "--select", "corrections")
    project.write("models/customers.sql", f"{model(read=READ)} {more} where false")
    project.table("events", [("c", 3, "eve", 9)])
    for message in ("batch 2", "nothing new"):
        assert run(project, statements)[0].startswith(message)
    assert [sql for sql in statements if "newer_rows" in sql]


@pytest.mark.parametrize("project", ["delta"], indirect=True)
def test_what_depends_on_the_time_is_read(project, statements):
    text = f"{model(read=READ)} where DUE"
    for lsn, due in ((8, "date'2024-01-01' < current_date()"), (9, "{{ var('late', 1) }} < 2")):
        project.write("models/customers.sql", text.replace("DUE", due))
        project.table("events", [("c", 3, "eve", lsn)])
        run(project, statements)
        assert run(project, statements) == ("nothing new", 2 if "current" in due else 0)
    statements.clear()
    project.run("run", vars={"late": 0})
    assert len(reads(statements)) == 1
