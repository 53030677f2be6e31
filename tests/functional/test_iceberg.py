"""Iceberg: what differs from Delta for a user, and dbt-spark's mistakes with `catalog.schema`."""

from __future__ import annotations

import pytest
from dbt.adapters.spark.relation import SparkRelation

from .batch_log import batch_log

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
COLUMNS = "op string, id int, name string, lsn int"
FIRST = [("c", 1, "ada", 1), ("c", 2, "bob", 2), ("c", 3, "eve", 3)]
COPY_ON_WRITE = "tblproperties={'write.merge.mode': 'copy-on-write'}"
SECOND = [("u", 1, "Ada", 4), ("d", 2, None, 5)]
MODELS = ("customers", "terms")


def model(more="", columns="*"):
    return f"""
    {{{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
        op_mapping={{'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}},
        read={{'column': 'lsn'}} {more}) }}}}
    select {columns} from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
    """


@pytest.fixture
def make(new_project):
    def create(files, rows=FIRST):
        project = new_project({"models/sources.yml": SOURCES, **files}, name="iceberg")
        project.table("events", rows, COLUMNS)
        return project

    return create


def properties(project, table):
    return {row.key: row.value for row in project.sql(f"show tblproperties {table}")}


@pytest.mark.thorough
def test_models_of_dbt_are_found_again(make):
    """An incremental model of a catalog goes on: dbt-spark alone replaces it in each run."""
    project = make({
        "models/iceberg/counts.sql": """
        {{ config(materialized='incremental', incremental_strategy='append') }}
        select {{ 2 if is_incremental() else 1 }} as run
        """,
        "models/iceberg/view_of_counts.sql": "select * from {{ ref('counts') }}",
    })  # fmt: skip
    # where there is no schema yet there is nothing in it
    project.run("compile")
    for _ in range(3):
        project.run("run")
    runs = project.sql(f"select run from {project.place('iceberg')}.view_of_counts order by run")
    assert [row.run for row in runs] == [1, 2, 2]


def test_a_snapshot_that_compares_columns_runs_again(make):
    """dbt looks for its table in an undefined database, which dbt-spark does not read."""
    project = make({
        "models/people.sql": """
        select id, max_by(name, lsn) as name from {{ source('bronze', 'events') }} group by id
        """,
        "snapshots/seen.sql": """
        {% snapshot seen %}
        {{ config(schema='ice.' ~ target.schema, file_format='iceberg', unique_key='id',
            strategy='check', check_cols=['name']) }}
        select * from {{ ref('people') }}
        {% endsnapshot %}
        """,
    })  # fmt: skip
    project.run("build")
    project.table("events", [("u", 1, "Ada", 4)])
    project.run("build")
    seen = f"{project.place('iceberg')}.seen"
    rows = project.sql(f"select name, dbt_valid_to is null from {seen} where id = 1 order by 1")
    assert rows == [("Ada", True), ("ada", False)]


LOG = """
{{ config(materialized='to_changelog', unique_key='id') }}
select * from {{ ref('Customers') }}
"""
COUNTS = """
{{ config(materialized='incremental', incremental_strategy='append') }}
select {{ 2 if is_incremental() else 1 }} as run
"""


@pytest.mark.thorough
def test_names_with_capitals(make):
    """The catalog keeps them: dbt-spark alone looks for small letters, and fails."""
    files = {"Customers": model(), "Feed": LOG, "Counts": COUNTS}
    project = make({f"models/iceberg/{name}.sql": text for name, text in files.items()})
    project.run("run")
    project.table("events", SECOND)
    project.run("run")
    place = project.place("iceberg")
    assert project.sql(f"select run from {place}.Counts order by run") == [(1,), (2,)]
    project.run("run", "--full-refresh", "--select", "Customers", "Feed")
    contents = project.sql(f"select id, name from {place}.Customers order by id")
    assert contents == [(1, "Ada"), (3, "eve")]
    assert len(project.sql(f"select * from {place}.Feed")) == 6


@pytest.mark.thorough
def test_second_run_is_a_merge(make):
    project = make({"models/iceberg/customers.sql": model()})
    first = project.run("run").nodes["customers"].message
    assert first == "batch 1, 3 rows inserted, 0 rows updated, 0 rows deleted"
    project.table("events", [*SECOND, ("c", 4, "zoe", 6)])
    second = project.run("run").nodes["customers"].message
    assert second == "batch 2, 1 rows inserted, 1 rows updated, 1 rows deleted"
    assert project.run("run").nodes["customers"].message == "nothing new"
    state = f"{project.place('iceberg')}.customers__state"
    snapshots = project.sql(f"select parent_id from {state}.snapshots order by committed_at")
    assert [row.parent_id is None for row in snapshots] == [True, False]


@pytest.mark.parametrize("catalog", ["iceberg", "hadoop"])
def test_views_are_made_once(make, catalog):
    """Their catalog does not tell what they read, and a schema of contents is another one."""
    project = make({
        f"models/{catalog}/customers.sql": model(),
        f"models/{catalog}/terms.sql": model(", stored_as_scd_type=2"),
    })  # fmt: skip
    made = []
    for new in ([], SECOND, []):
        if new:
            project.table("events", new)
        project.run("run")
        made.append([project.ran(name).count("create or replace view") for name in MODELS])
    assert made == [[1, 2], [0, 0], [0, 0]]


def test_table_properties_decide_how_a_merge_writes(make):
    project = make({
        "models/iceberg/marked.sql": model(),
        "models/iceberg/written.sql": model(f", {COPY_ON_WRITE}"),
        # it cannot have marked rows
        "models/iceberg/version_1.sql": model(", tblproperties={'format-version': '1'}"),
    })  # fmt: skip
    project.run("run")
    project.table("events", SECOND)
    project.run("run")
    for name, delete_files in ("marked", 1), ("written", 0), ("version_1", 0):
        table = f"{project.place('iceberg')}.{name}"
        assert project.sql(f"select name from {table} order by name") == [("Ada",), ("eve",)]
        assert len(project.sql(f"select * from {table}__state.delete_files")) == delete_files


@pytest.mark.thorough
def test_layout_of_the_state(make, tmp_path):
    project = make({
        "models/iceberg/buckets.sql": model(", partition_by=['bucket(4, ID)', 'name']"),
        "models/iceberg/placed.sql": model(f", location_root='{tmp_path}'"),
    })  # fmt: skip
    project.run("run")
    project.table("events", SECOND)
    project.run("run")
    place = project.place("iceberg")
    fields = project.sql(f"describe {place}.buckets__state")
    assert [row.data_type for row in fields if row.col_name.startswith("Part ")] == [
        "bucket(4, id)",
        "name",
    ]
    for name in "buckets", "placed":
        assert len(project.sql(f"select * from {place}.{name}")) == 2
    assert (tmp_path / "placed__state" / "metadata").is_dir()


@pytest.mark.thorough
def test_a_random_value_needs_staging(make):
    """Spark reads the source of a copy-on-write MERGE twice: it must give the same rows."""
    random = "where rand() < 2"
    project = make({
        "models/iceberg/written.sql": model(f", {COPY_ON_WRITE}") + random,
        "models/iceberg/marked.sql": model() + random,
        "models/iceberg/staged.sql": model(", changelog=true") + random,
    })  # fmt: skip
    project.run("run")
    project.table("events", SECOND)
    nodes = project.run("run", expect_failure=True).nodes
    assert "INVALID_NON_DETERMINISTIC_EXPRESSIONS" in (nodes["written"].message or "")
    for name in "marked", "staged":
        assert nodes[name].status == "success", nodes[name].message
        found = project.sql(f"select name from {project.place('iceberg')}.{name} order by name")
        assert found == [("Ada",), ("eve",)]


def test_small_numbers_are_stored_as_int(make):
    small = "cast(id as smallint) as id, named_struct('n', cast(lsn as tinyint)) as s"
    project = make({"models/iceberg/customers.sql": model(columns=f"op, {small}, name, lsn")})
    project.run("run")
    project.table("events", SECOND)
    project.run("run")
    contents = project.spark.table(f"{project.place('iceberg')}.customers")
    assert dict(contents.dtypes) == {
        **{"id": "int", "s": "struct<n:int>", "name": "string", "lsn": "int"}
    }
    assert sorted(row.name for row in contents.collect()) == ["Ada", "eve"]


@pytest.mark.thorough
def test_names_of_any_characters(make):
    columns = "op, id as `select`, name as `o p'=`, lsn as `l.s`"
    project = make({
        "models/iceberg/customers.sql": model(", changelog=true", columns)
        .replace("unique_key='id'", "unique_key='select'")
        .replace("sequence_by='lsn'", "sequence_by='l.s'")
    })  # fmt: skip
    project.run("run")
    project.table("events", SECOND)
    project.run("run")
    customers = f"{project.place('iceberg')}.customers"
    assert project.sql(f"select `o p'=` from {customers} order by 1") == [("Ada",), ("eve",)]
    found = project.sql(
        f"select _row_kind, `o p'=` from {customers}__changelog where _batch_id = 2 order by 1"
    )
    assert found == [("DELETE", None), ("UPDATE_AFTER", "Ada")]


@pytest.mark.thorough
def test_a_table_of_that_name_is_kept_aside(make):
    project = make({"models/iceberg/customers.sql": model()})
    place = project.place("iceberg")
    project.sql(f"create schema if not exists {place}")
    project.sql(f"create table {place}.customers using iceberg as select 'precious' as name")
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert "Invalid 'alias'" in message and "--full-refresh" in message
    project.run("run", "--full-refresh")
    kept = project.sql(f"select name from {place}.customers__before_changelog")
    assert kept == [("precious",)]
    assert len(project.sql(f"select * from {place}.customers")) == 3


@pytest.mark.thorough
def test_full_refresh_and_empty(make):
    project = make({"models/hadoop/customers.sql": model(", changelog=true")})
    tables = f"{project.place('hadoop')}.customers"
    project.run("run", "--empty")
    assert batch_log(project, tables)["batch"] == {"id": 0, "position": {}}
    project.run("run")
    project.sql("update events set name = 'Augusta' where lsn = 1")
    project.run("run", "--full-refresh")
    assert batch_log(project, tables)["batch"]["id"] == 2
    changes = project.sql(f"select _row_kind, name from {tables}__changelog where _batch_id = 2")
    assert changes == [("UPDATE_AFTER", "Augusta")]
    batches = project.sql(f"select batch_id from {project.place('hadoop')}.dbt_changelog_batches")
    assert sorted(batches) == [(1,), (2,)]


def test_ref_finds_contents_in_their_schema(make):
    project = make({
        "models/hadoop/customers.sql": model(),
        "models/hadoop/report.sql": "{{ config(materialized='table') }}"
        "select count(*) as n from {{ ref('customers') }}",
        "models/customers.yml": """
        models: [{name: customers, columns: [{name: id, data_tests: [unique, not_null]}]}]
        """,
    })  # fmt: skip
    assert project.run("build").count("pass") == 2
    # the schema is of the contents of our models only
    assert project.sql(f"select n from {project.place('hadoop')}.report") == [(3,)]
    for command in "show_plan", "diagnose":
        project.run("run-operation", command, "--args", "{model: customers}")


@pytest.mark.thorough
def test_docs_have_the_columns(make):
    described = "models: [{name: customers, columns: [{name: name, description: Of a person}]}]"
    project = make({
        "models/iceberg/customers.sql": model(", persist_docs={'relation': true, 'columns': true}"),
        "models/customers.yml": described,
    })  # fmt: skip
    project.run("run")
    comments = project.sql(f"describe {project.place('iceberg')}.customers")
    assert [row.comment for row in comments if row.col_name == "name"] == ["Of a person"]
    catalog = project.run("docs", "generate").raw.result.nodes
    assert list(catalog["model.functional.customers"].columns) == ["id", "name", "lsn"]


def test_no_place_for_the_contents(make):
    named = ", contents_schema="
    project = make({
        "models/hadoop/none.sql": model(f"{named}none"),
        "models/hadoop/same.sql": model(f"{named}'lake.other'"),
        "models/hadoop/number.sql": model(f"{named}7"),
        "models/hadoop/placed.sql": model(", location_root='/lake'"),
        "models/hadoop/clustered_too.sql": model(", clustered_by='id'"),
        "models/iceberg/clustered.sql": model(", clustered_by='id'"),
        "models/iceberg/transform.sql": model(", partition_by='bucket(4, idd)'"),
        "models/iceberg/half_transform.sql": model(", partition_by='bucket(id)'"),
    })  # fmt: skip
    nodes = project.run("run", expect_failure=True).nodes
    for name, argument, words in [
        ("none", "contents_schema", "has no views"),
        ("same", "contents_schema", "has no views"),
        ("number", "contents_schema", "is not the name of a schema"),
        ("clustered", "clustered_by", "set partition_by, for example"),
        ("clustered_too", "clustered_by", "set partition_by, for example"),
        ("transform", "partition_by", "column 'idd' is not in"),
        ("half_transform", "partition_by", "column 'bucket(id)' is not in"),
    ]:
        message = nodes[name].message or ""
        assert f"Invalid '{argument}' in from_changelog model '{name}'" in message
        assert words in message and "To fix: " in message
    assert "custom location" in (nodes["placed"].message or "")
    for storage in "iceberg", "hadoop":
        tables = project.sql(f"show tables in {project.place(storage)}")
        assert [row.tableName for row in tables] == ["dbt_changelog_batches"]


def test_contents_schema_needs_the_pip_module(make, monkeypatch):
    monkeypatch.delattr(SparkRelation, "create_from")
    project = make({"models/hadoop/customers.sql": model()})
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert "Invalid 'contents_schema'" in message and "To fix: pip install" in message


@pytest.mark.thorough
@pytest.mark.parametrize("later", [{"op": "u", "name": "Eve"}, {"op": "z", "name": "eve"}])
def test_wrong_data_commits_nothing(make, later):
    project = make({"models/iceberg/customers.sql": model()})
    project.run("run")
    state = f"{project.place('iceberg')}.customers__state"
    before = len(project.sql(f"select * from {state}.snapshots"))
    project.table("events", [(later["op"], 3, later["name"], 3), ("c", 9, "new", 9)])
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert ("have one sequence" if later["op"] == "u" else "Unknown op code 'z'") in message
    assert "To fix: " in message
    assert len(project.sql(f"select * from {state}.snapshots")) == before


@pytest.mark.thorough
def test_rows_are_counted_without_a_key(make):
    keyless = """
    {{ config(materialized='from_changelog', op_mapping={'c': 'INSERT', 'd': 'DELETE'},
        read={'column': 'lsn', 'strict': true}, changelog=true) }}
    select op, id, map('name', name, 'id', id) as tags
    from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
    """
    rows = [("c", 1, "ada", 1), ("c", 1, "ada", 2), ("d", 2, "bob", 3)]
    project = make({"models/iceberg/bag.sql": keyless}, rows)
    bag = f"{project.place('iceberg')}.bag"
    project.run("run")
    assert project.sql(f"select id from {bag}") == [(1,), (1,)]
    for statement, row in (
        ("stage changes", ("d", 1, "ada", 4)),
        ("write state", ("c", 2, "bob", 5)),
    ):
        project.table("events", [row])
        project.run("run", vars={"dbt_changelog_fail_after": statement}, expect_failure=True)
    project.table("events", [("c", 2, "bob", 6)])
    project.run("run")
    assert project.sql(f"select id, tags['name'] from {bag} order by id") == [
        (1, "ada"),
        (2, "bob"),
    ]
    changes = project.sql(f"select _row_kind, id from {bag}__changelog order by id, _row_kind")
    assert [row.id for row in changes] == [1, 1, 1, 2, 2, 2]
    # its counts over the state are not all for Iceberg to make
    project.run("run-operation", "diagnose", "--args", "{model: bag}")


def roll_back(project, table):
    """To the snapshot before the last one; properties stay as they are."""
    snapshots = project.sql(f"select snapshot_id from {table}.snapshots order by committed_at")
    name = table.split(".", 1)[1]
    project.sql(f"call ice.system.set_current_snapshot('{name}', {snapshots[-2].snapshot_id})")


TABLES = {"customers": "customers__state", "emitting": "emitting__state", "feed": "feed"}


def messages(project, *arguments):
    nodes = project.run("run", *arguments, expect_failure=True).nodes
    return {name: nodes[name].message for name in nodes if name in TABLES}


def names(project, model):
    rows = project.sql(f"select name from {project.place('iceberg')}.{model} order by id")
    return [row.name for row in rows]


@pytest.fixture
def rolled(make):
    """A state, one with a changelog and an event table, each without their second batch."""
    files = {
        "customers": model(),
        "emitting": model(", changelog=true"),
        "feed": "{{ config(materialized='to_changelog', unique_key='lsn') }}"
        " select lsn, name from {{ source('bronze', 'events') }}",
    }
    project = make({f"models/iceberg/{name}.sql": text for name, text in files.items()})
    project.run("run")
    project.table("events", SECOND)
    project.run("run")
    for table in TABLES.values():
        roll_back(project, f"{project.place('iceberg')}.{table}")
    project.table("events", [("c", 4, "zoe", 6)])
    return project


def test_a_table_that_was_rolled_back_does_not_lose_events(rolled):
    """It goes forward again by the statement in the error."""
    for name, message in messages(rolled).items():
        assert f".{name}" in message and "was rolled back to before snapshot" in message
        rolled.sql(message.split("go forward again with ")[1].split(", or ")[0])
    rolled.run("run")
    assert names(rolled, "customers") == names(rolled, "emitting") == ["Ada", "eve", "zoe"]
    feed = rolled.sql(f"select lsn from {rolled.place('iceberg')}.feed order by 1")
    assert [row.lsn for row in feed] == [1, 2, 3, 4, 5, 6]


@pytest.mark.thorough
def test_a_state_that_was_rolled_back_is_built_anew(rolled):
    """Unless a changelog has told of it; and a rollback to before that is noticed, too."""
    found = messages(rolled, "--full-refresh")
    assert "snapshot" not in found["customers"] and "snapshot" in found["emitting"]
    assert names(rolled, "customers") == ["Ada", "eve", "zoe"]
    assert rolled.run("run", "--select", "customers").nodes["customers"].message == "nothing new"
    roll_back(rolled, f"{rolled.place('iceberg')}.customers__state")
    assert "which batch 3 wrote" in messages(rolled, "--select", "customers")["customers"]
