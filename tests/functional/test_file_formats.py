"""file_format: what a catalog can hold, and a model whose format changes."""

from __future__ import annotations

import re

import pytest

from .batch_log import table_log

MODEL = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn', read={'column': 'lsn'},
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'} MORE) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
LOG = """
{{ config(materialized='to_changelog', unique_key='id' MORE) }}
select id, name from {{ source('bronze', 'events') }}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
COLUMNS = "op string, id int, name string, lsn int"
FIRST = [("c", 1, "ada", 1), ("c", 2, "bob", 2), ("c", 3, "eve", 3)]
CATALOG = "spark.sql.catalog.spark_catalog"
REFRESH = "--full-refresh"


def model(text=MODEL, **config):
    return text.replace("MORE", "".join(f", {name}={config[name]!r}" for name in config))


@pytest.fixture
def make(new_project):
    def create(files):
        project = new_project({"models/sources.yml": SOURCES, **files}, name="formats")
        project.table("events", FIRST, COLUMNS)
        return project

    return create


@pytest.fixture
def setting(spark):
    """Changes what the session says of its catalog; the catalog stays as it is."""
    before = spark.conf.get(CATALOG)
    yield lambda value: spark.conf.set(CATALOG, value) if value else spark.conf.unset(CATALOG)
    spark.conf.set(CATALOG, before)


def names(project):
    return sorted(row.name for row in project.sql("select name from customers"))


def state_of(project):
    """The table that the contents read."""
    (row,) = project.sql("show create table customers")
    (name,) = set(re.findall(r"\bcustomers__state\w*", row.createtab_stmt))
    return name


def provider(project, table):
    rows = project.sql(f"describe table extended {table}")
    return next(row.data_type for row in rows if row.col_name == "Provider")


def states(project):
    """{table: its last batch} of all states."""
    tables = [row.tableName for row in project.sql("show tables like 'customers__state*'")]
    return {table: table_log(project, table)["batch"]["id"] for table in tables}


# (folder, config): what the message says
REFUSED = {
    "iceberg_in_session": ("", {"file_format": "iceberg"}, "holds delta or parquet"),
    "delta_in_iceberg": ("iceberg/", {"file_format": "delta"}, "holds iceberg"),
    "parquet_in_iceberg": ("iceberg/", {"file_format": "parquet"}, "holds iceberg"),
    "delta_beside_views": ("hadoop/", {"file_format": "delta"}, "holds iceberg"),
    "csv": ("", {"file_format": "csv"}, "'csv' is not one of delta, iceberg, parquet"),
    "capitals": ("iceberg/", {"file_format": "Iceberg"}, "is not one of delta, iceberg, parquet"),
}
REFUSED_LOGS = {
    "iceberg_log": ("", {"file_format": "iceberg"}, "holds delta or parquet"),
    "delta_log": ("iceberg/", {"file_format": "delta"}, "holds iceberg"),
    "csv_log": ("", {"file_format": "csv"}, "'csv' is not one of delta, iceberg, parquet"),
}


def test_what_a_catalog_can_not_hold_is_refused_by_name(make):
    project = make(
        {
            f"models/{folder}{name}.sql": model(text, **config)
            for text, cases in ((MODEL, REFUSED), (LOG, REFUSED_LOGS))
            for name, (folder, config, _) in cases.items()
        }
    )
    nodes = project.run("run", expect_failure=True).nodes
    for name, (_, config, words) in (REFUSED | REFUSED_LOGS).items():
        message = nodes[name].message or ""
        assert f"Invalid 'file_format' in {'to' if 'log' in name else 'from'}_changelog" in message
        assert words in message
        assert config["file_format"] in message
        assert "To fix: " in message
    for schema in (project.place("delta"), project.place("iceberg"), project.place("hadoop")):
        rows = project.sql(f"show tables in {schema}")
        found = {row.tableName for row in rows if not row.isTemporary}
        assert found <= {"events", "dbt_changelog_batches"}


def test_a_refused_refresh_keeps_the_state(make):
    project = make({"models/customers.sql": model()})
    project.run("run")
    before = states(project)
    project.write("models/customers.sql", model(file_format="iceberg"))
    for arguments in ([], [REFRESH]):
        message = project.run("run", *arguments, expect_failure=True).nodes["customers"].message
        assert "Invalid 'file_format' in from_changelog model 'customers'" in message
        assert "org.apache.spark.sql.delta.catalog.DeltaCatalog" in message
    assert (states(project), names(project)) == (before, ["ada", "bob", "eve"])


@pytest.mark.thorough
def test_a_refresh_whose_write_fails_keeps_the_old_contents(make, setting):
    """Of a catalog of an unknown class nobody knows before what it holds."""
    project = make({"models/customers.sql": model()})
    project.run("run")
    before = states(project)
    project.write("models/customers.sql", model(file_format="iceberg"))
    setting("com.example.Catalog")
    message = project.run("run", REFRESH, expect_failure=True).nodes["customers"].message
    assert "Invalid 'file_format'" not in message
    assert (states(project), names(project)) == (before, ["ada", "bob", "eve"])
    project.write("models/customers.sql", model())
    project.table("events", [("u", 1, "Ada", 4)])
    project.run("run")
    assert names(project) == ["Ada", "bob", "eve"]


@pytest.mark.parametrize("more", [{}, {"file_format": "iceberg"}])
def test_without_delta_the_settings_are_named(make, setting, more):
    """Two models: the one of Parquet needs nothing, whatever the other one has."""
    project = make(
        {
            "models/customers.sql": model(file_format="parquet"),
            "models/others.sql": model(**more),
        }
    )
    setting(None)
    result = project.run("run", expect_failure=True)
    assert result.nodes["customers"].status == "success"
    message = result.nodes["others"].message
    assert "Invalid 'file_format' in from_changelog model 'others'" in message
    assert f"{CATALOG} is not set" in message
    assert "file_format='parquet'" in message
    if not more:
        assert f"{CATALOG}=org.apache.spark.sql.delta.catalog.DeltaCatalog" in message
        assert "spark.sql.extensions=io.delta.sql.DeltaSparkSessionExtension" in message
    assert len(message.splitlines()) < 12
    assert names(project) == ["ada", "bob", "eve"]
    assert provider(project, "dbt_changelog_batches") == "parquet"


def test_another_format_needs_a_full_refresh(make):
    project = make({"models/customers.sql": model()})
    project.run("run")
    before = states(project)
    project.write("models/customers.sql", model(file_format="parquet"))
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert (
        "Invalid 'file_format' in from_changelog model 'customers': it is parquet, but" in message
    )
    assert "delta" in message
    assert "--full-refresh" in message
    assert (states(project), names(project)) == (before, ["ada", "bob", "eve"])


@pytest.mark.thorough
def test_formats_to_and_fro(make):
    project = make({"models/customers.sql": model()})
    project.run("run")
    for batch, file_format in enumerate(["parquet", "delta", "parquet", "delta"], 2):
        project.write("models/customers.sql", model(file_format=file_format))
        project.table("events", [("u", 1, f"Ada {batch}", 10 * batch)])
        old = state_of(project)
        message = project.run("run", REFRESH).nodes["customers"].message
        assert message.startswith(f"batch {batch}, 3 rows inserted")
        assert names(project) == [f"Ada {batch}", "bob", "eve"]
        new = state_of(project)
        assert provider(project, new) == file_format
        # who reads the old state still can
        assert states(project) == {old: batch - 1, new: batch}
    project.table("events", [("d", 2, None, 99)])
    assert project.run("run").nodes["customers"].message == (
        "batch 6, 0 rows inserted, 0 rows updated, 1 rows deleted"
    )
    assert states(project) == {"customers__state": 6}
    assert names(project) == ["Ada 5", "eve"]


STATEMENTS = ["write state", "contents view", "drop old state", "batches row"]


@pytest.mark.thorough
@pytest.mark.parametrize("to", ["parquet", "delta"])
@pytest.mark.parametrize("repeated", [True, False])
def test_a_failed_change_of_format_loses_nothing(make, to, repeated):
    """After each statement: what was there is there, and both ways lead on."""
    formats = ["delta", "parquet"] if to == "parquet" else ["parquet", "delta"]
    before, after = (model(file_format=file_format) for file_format in formats)
    project = make({f"models/m{place}.sql": before for place in range(4)})
    # so that there is an old state to drop: the other format's
    project.run("run")
    for place, statement in enumerate(STATEMENTS):
        if statement == "drop old state":
            project.write(f"models/m{place}.sql", after)
            project.run("run", REFRESH, "--select", f"m{place}")
        project.write(f"models/m{place}.sql", after)
        project.run(
            *("run", REFRESH, "--select", f"m{place}"),
            vars={"dbt_changelog_fail_after": statement},
            expect_failure=True,
        )
        found = project.sql(f"select name from m{place} order by id")
        assert found == [("ada",), ("bob",), ("eve",)], statement
        if not repeated and statement == "write state":
            project.write(f"models/m{place}.sql", before)
    project.table("events", [("u", 1, "Ada", 4)])
    project.run("run", *([REFRESH] if repeated else []))
    for place, statement in enumerate(STATEMENTS):
        found = project.sql(f"select name from m{place} order by id")
        assert found == [("Ada",), ("bob",), ("eve",)], statement
    # what is old goes with the run after the next
    project.table("events", [("u", 1, "Eda", 5)])
    project.run("run")
    project.run("run")
    for place in range(4):
        tables = [row.tableName for row in project.sql(f"show tables like 'm{place}__state*'")]
        assert len(tables) == 1, tables


@pytest.mark.thorough
def test_contents_of_a_mixed_case_name_keep_their_state(make):
    """The session's catalog lists names in small letters: no state is taken for an old one."""
    project = make({"models/Customers.sql": model(file_format="parquet")})
    for lsn in range(4, 7):
        project.run("run")
        project.table("events", [("u", 1, f"Ada {lsn}", lsn)])
    project.run("run", REFRESH)
    assert names(project) == ["Ada 6", "bob", "eve"]


@pytest.mark.thorough
def test_a_log_keeps_its_format(make, setting):
    """A catalog that is not known may hold anything; the consumers of a log read what it is."""
    project = make({"models/feed.sql": model(LOG)})
    project.run("run")
    project.write("models/feed.sql", model(LOG, file_format="iceberg"))
    setting("com.example.Catalog")
    for arguments in ([], [REFRESH]):
        message = project.run("run", *arguments, expect_failure=True).nodes["feed"].message
        assert "Invalid 'file_format' in to_changelog model 'feed': it is iceberg, but" in message
        assert "let its consumers begin again" in message
    assert len(project.sql("select * from feed")) == 3


@pytest.mark.thorough
def test_a_changelog_keeps_its_format(make, setting):
    logged = {"changelog": True, "state_ttl": "0"}
    project = make({"models/customers.sql": model(**logged)})
    project.run("run")
    project.write("models/customers.sql", model(**logged, file_format="iceberg"))
    setting("com.example.Catalog")
    message = project.run("run", REFRESH, expect_failure=True).nodes["customers"].message
    assert "Invalid 'file_format' in from_changelog model 'customers': it is iceberg" in message
    assert "customers__changelog" in message
    assert "let its consumers begin again" in message
    assert names(project) == ["ada", "bob", "eve"]
