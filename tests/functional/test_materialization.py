"""What every dbt materialization owes its user, for models of from_changelog."""

from __future__ import annotations

import pytest

from .batch_log import batch_log
from .conftest import usual

EVENTS = [("c", 1, "ada", 1), ("c", 2, "bob", 2), ("u", 1, "Ada", 3), ("d", 2, None, 4)]
COLUMNS = "op string, id int, name string, lsn int"
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""


def model(more="", columns="*", read="{'column': 'lsn'}"):
    return f"""
    {{{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn', read={read},
        op_mapping={{'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}} {more}) }}}}
    select {columns} from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
    """


@pytest.fixture
def make(new_project, home):
    def create(files, home=home, **kwargs):
        project = new_project({"models/sources.yml": SOURCES, **files}, home=home, **kwargs)
        project.table("events", EVENTS, COLUMNS)
        return project

    return create


def names(project, table="customers"):
    return sorted(row.name for row in project.sql(f"select name from {table}"))


def test_full_refresh_builds_the_state_anew_and_batch_ids_go_on(make):
    project = make({"models/customers.sql": model()})
    project.run("run")
    project.sql("update events set name = 'Augusta' where lsn = 3")
    project.run("run")
    assert names(project) == ["Ada"]
    project.run("run", "--full-refresh")
    assert names(project) == ["Augusta"]
    assert batch_log(project, "customers")["batch"]["id"] == 2
    batches = project.sql("select * from dbt_changelog_batches order by batch_id")
    read = [(row.batch_id, row.is_full_refresh, row.from_position) for row in batches]
    assert read == [(1, False, "{}"), (2, True, "{}")]


@pytest.mark.thorough
def test_full_refresh_false_in_the_config_wins(make):
    project = make({"models/customers.sql": model(", full_refresh=False")})
    project.run("run")
    project.sql("update events set name = 'Augusta' where lsn = 3")
    project.run("run", "--full-refresh")
    assert names(project) == ["Ada"]


def test_empty_never_commits_a_batch(make):
    project = make({"models/customers.sql": model()})
    project.run("run", "--empty")
    assert names(project) == []
    assert batch_log(project, "customers")["batch"] == {"id": 0, "position": {}}
    project.run("run")
    log = batch_log(project, "customers")
    assert names(project) == ["Ada"]
    project.run("run", "--empty")
    project.run("run", "--empty", "--full-refresh")
    assert names(project) == ["Ada"]
    assert batch_log(project, "customers") == log
    assert project.sql("select batch_id from dbt_changelog_batches") == [(1,)]


@pytest.mark.thorough
def test_read_full_needs_no_position_and_changes_nothing_twice(make):
    project = make({"models/customers.sql": model(read="'full'")})
    project.run("run")
    message = project.run("run").nodes["customers"].message
    assert message == "nothing new, 0 rows inserted, 0 rows updated, 0 rows deleted"
    project.table("events", [("c", 3, "eve", 0)])
    message = project.run("run").nodes["customers"].message
    assert message == "batch 2, 1 rows inserted, 0 rows updated, 0 rows deleted"
    assert names(project) == ["Ada", "eve"]


def test_lookback_reads_what_arrived_late(make):
    project = make({
        "models/customers.sql": model(read="{'column': 'lsn', 'lookback': 3}"),
        "models/strict.sql": model(),
    })  # fmt: skip
    project.run("run")
    project.table("events", [("c", 3, "eve", 2), ("c", 5, "zoe", 9)])
    project.run("run")
    assert names(project) == ["Ada", "eve", "zoe"]
    # without a lookback the same row is below the position
    assert names(project, "strict") == ["Ada", "zoe"]


def test_a_run_that_finds_nothing_new_writes_nothing(make):
    project = make({
        "models/customers.sql": model(read="{'column': 'lsn', 'lookback': 3}"),
        "models/logged.sql": model(", changelog=true", read="{'column': 'lsn', 'lookback': 3}"),
    }, home="delta")  # fmt: skip

    def versions():
        tables = "customers__state", "logged__state", "logged__changelog", "logged__changes"
        return [project.sql(f"describe history {table} limit 1")[0].version for table in tables]

    project.run("run")
    before = versions()
    nodes = project.run("run").nodes
    assert {nodes[name].message for name in ("customers", "logged")} == {"nothing new"}
    assert versions() == before
    # a late row at the same position is found
    project.table("events", [("c", 3, "eve", 2)])
    project.run("run")
    assert names(project) == names(project, "logged") == ["Ada", "eve"]


@pytest.mark.thorough
def test_rows_without_a_place_are_read_every_time(make):
    project = make({"models/customers.sql": model("", "op, id, name, coalesce(lsn, 7) as lsn")})
    project.run("run")
    project.table("events", [("c", 3, "eve", None)])
    project.run("run")
    project.run("run")
    assert names(project) == ["Ada", "eve"]


@pytest.mark.thorough
def test_read_of_timestamps_keeps_microseconds(make):
    time = "timestamp_micros(1767225600000000 + lsn) as read_at"
    project = make({
        "models/customers.sql": model(read="{'column': 'read_at', 'lookback': '0'}")
        .replace("source('bronze', 'events')", "ref('timed')"),
        "models/timed.sql": f"select *, {time} from {{{{ source('bronze', 'events') }}}}",
    })  # fmt: skip
    project.run("run")
    (position,) = batch_log(project, "customers")["batch"]["position"].values()
    assert position == {"column": "read_at", "type": "timestamp", "value": "1767225600000004"}
    project.table("events", [("c", 3, "eve", 5)])
    project.run("run")
    assert names(project) == ["Ada", "eve"]
    assert "`read_at` >= timestamp_micros(1767225600000004)" in project.ran("customers")


@pytest.mark.thorough
def test_hooks_run_before_and_after(make):
    hooks = """, pre_hook=["insert into {{ target.schema }}.events values ('c', 9, 'hook', 3)",
            "create or replace temporary view marks as select '!' as mark"],
        post_hook="create or replace table {{ this }}_copy using delta as select * from {{ this }}"
    """
    columns = "op, id, name || (select mark from marks) as name, lsn"
    query = model(hooks, columns, read="'full'").rstrip() + ";\n"
    project = make({"models/customers.sql": query}, home="delta")
    project.run("run")
    assert names(project, "customers_copy") == ["Ada!", "hook!"]


LOG = """
{{ config(materialized='to_changelog', unique_key='id',
    persist_docs={'relation': true, 'columns': true}) }}
select * from {{ ref('customers') }}
"""
LOG_DOCS = """
models:
  - name: log
    description: {}
    columns: [{{name: OP, description: What happened}}, {{name: gone, description: Not there}}]
"""


def test_docs_reach_the_view_the_event_table_and_the_catalog(make):
    project = make({
        "models/customers.sql": model(", persist_docs={'relation': true, 'columns': true}"),
        "models/customers.yml": """
        models:
          - name: customers
            description: Who buys
            config: {tags: [nightly]}
            columns: [{name: name, description: "The customer's name"}]
        """,
        "models/log.sql": LOG,
        "models/log.yml": LOG_DOCS.format("What they bought"),
    })  # fmt: skip
    project.run("run")
    rows = {row.col_name: row for row in project.sql("describe extended customers")}
    assert rows["name"].comment == "The customer's name"
    assert rows["Comment"].data_type == "Who buys"
    for text in "What they bought", "What they buy":
        project.write("models/log.yml", LOG_DOCS.format(text))
        project.run("run", "--select", "tag:nightly", "log")
        rows = {row.col_name: row for row in project.sql("describe extended log")}
        assert (rows["Comment"].data_type, rows["op"].comment) == (text, "What happened")
    assert "comment on table" not in project.run("run", "--select", "log").debug_log
    result = project.run("docs", "generate")
    catalog = result.raw.result.nodes["model.functional.customers"]
    assert list(catalog.columns) == ["id", "name", "lsn"]


CONTRACT = """
models:
  - name: customers
    config: {contract: {enforced: true}}
    %s
    columns:
      - {name: id, data_type: %s, constraints: [{type: not_null}, {type: primary_key}]}
      - {name: name, data_type: string, constraints: [{type: not_null}]}
      - {name: lsn, data_type: int}
"""


def test_contract_is_about_the_contents(make):
    yml = CONTRACT % ("", "int")
    project = make({"models/customers.sql": model(), "models/customers.yml": yml})
    project.run("run")
    assert names(project) == ["Ada"]
    project.write("models/customers.yml", CONTRACT % ("", "string"))
    result = project.run("run", expect_failure=True)
    assert "enforced contract that failed" in result.nodes["customers"].message
    # a column that the contents would not get
    project.write("models/customers.yml", f"{yml}      - {{name: twice, data_type: int}}\n")
    project.write("models/customers.sql", model().replace("*", "*, 2 * lsn as twice"))
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert "it is ignore, and the contract has the columns twice" in message


def test_dbt_does_not_say_that_constraints_are_ignored(make):
    project = make({
        "models/customers.sql": model(),
        "models/customers.yml": CONTRACT % ("", "int"),
        "models/view.sql": "{{ config(materialized='view') }} select 1 as id",
        "models/view.yml": CONTRACT.replace("customers", "view") % ("", "int"),
    })  # fmt: skip
    (warning,) = project.run("parse", "--no-partial-parse").warnings
    assert "not supported for view materializations" in warning


def test_constraints_hold_for_live_rows_only(make):
    check = "constraints: [{type: check, expression: \"name <> 'eve'\"}]"
    project = make({
        "models/customers.sql": model(),
        "models/customers.yml": CONTRACT % (check, "int"),
    })  # fmt: skip
    project.run("run")  # its tombstone has no name
    for event, words in [
        (("c", 3, None, 5), "constraint not_null (name)"),
        (("c", 3, "eve", 5), "constraint check (name <> 'eve')"),
    ]:
        project.table("events", [event])
        message = project.run("run", expect_failure=True).nodes["customers"].message
        assert words in message and "To fix:" in message
        project.sql("delete from events where lsn = 5")
    project.write("models/customers.yml", CONTRACT % ("constraints: [{type: custom}]", "int"))
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert "Invalid 'constraints'" in message
    assert names(project) == ["Ada"]


@pytest.mark.parametrize("more", usual(["", ", changelog=true"], [""]))
def test_constraints_are_about_rows_that_are_written(make, more):
    """A late event changes nothing, so what it says breaks nothing, in whatever run it comes."""
    project = make({
        "models/customers.sql": model(more, "op, id, name, lsn % 10 as lsn"),
        "models/customers.yml": CONTRACT % ("", "int"),
    })  # fmt: skip
    project.run("run")
    project.table("events", [("u", 1, None, 12), ("c", 3, "eve", 15)])
    project.run("run")
    assert names(project) == ["Ada", "eve"]
    project.table("events", [("u", 1, None, 16), ("c", 4, "zoe", 17)])
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert "constraint not_null (name)" in message
    # nothing of that batch is anywhere, so the event may be mended
    project.sql("update events set name = 'Augusta' where lsn = 16")
    project.run("run")
    assert names(project) == ["Augusta", "eve", "zoe"]


PARTS = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='_lsn',
    op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 't': 'TRUNCATE'}, read={'column': '_lsn'},
    ignore_null_updates=true, changelog=%s) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'visits')) }}
"""
STAYS = """
models:
  - name: stays
    config: {contract: {enforced: true}}
    constraints: [{type: check, expression: 'came <= went'}]
    columns:
      - {name: id, data_type: int}
      - {name: name, data_type: string, constraints: [{type: not_null}]}
      - {name: came, data_type: int}
      - {name: went, data_type: int}
"""


@pytest.mark.thorough
@pytest.mark.parametrize("changelog", ["true", "false"])
def test_constraints_are_about_whole_rows_where_events_are_parts(make, changelog):
    """What an event does not send is there from one before, and has to go with what it sends."""
    project = make({
        "models/stays.sql": PARTS % changelog,
        "models/stays.yml": STAYS,
        "models/sources.yml": SOURCES.replace("events", "visits"),
    })  # fmt: skip
    columns = "op string, _lsn int, id int, name string, came int, went int"

    def contents():
        return project.sql("select * from stays order by id")

    project.table("visits", [("c", 1, 0, "joe", 1, 2), ("c", 1, 1, "ada", 1, 5)], columns)
    project.run("run")
    project.table("visits", [("u", 2, 1, None, 3, None), ("u", 3, 0, None, None, 7)])
    project.run("run")
    assert contents() == [(0, "joe", 1, 7), (1, "ada", 3, 5)]
    project.table("visits", [("u", 4, 1, None, 9, None)])
    message = project.run("run", expect_failure=True).nodes["stays"].message
    assert "the constraint check (came <= went) does not hold for" in message
    assert '"came":9,"went":5' in message
    project.table("visits", [("u", 5, 1, None, None, 10)])
    project.run("run")
    assert contents() == [(0, "joe", 1, 7), (1, "ada", 9, 10)]
    project.table("visits", [("t", 6, *[None] * 4), ("c", 7, 1, "ada", 8, 8)])
    project.run("run")
    project.table("visits", [("u", 5, 0, None, 9, None), ("u", 8, 1, None, 7, None)])
    project.run("run")
    assert contents() == [(1, "ada", 7, 8)]


@pytest.mark.thorough
def test_constraints_hold_where_each_run_writes_a_new_state(make):
    project = make({
        "models/parquet/customers.sql": model(),
        "models/parquet/customers.yml": CONTRACT % ("", "int"),
    }, home="delta")  # fmt: skip
    project.run("run")
    project.table("events", [("c", 3, None, 5)])
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert "constraint not_null (name)" in message
    assert names(project) == ["Ada"]


@pytest.mark.thorough
def test_eight_models_on_one_source_in_four_threads(make):
    project = make({f"models/m{n}.sql": model() for n in range(8)}, threads=4)
    project.run("run")
    project.table("events", [("c", 3, "eve", 5)])
    project.run("run")
    for n in range(8):
        assert names(project, f"m{n}") == ["Ada", "eve"]
    assert len(project.sql("select * from dbt_changelog_batches")) == 16


def test_dbt_tests_and_selectors_see_the_contents(make):
    yml = """
    models: [{name: customers, columns: [{name: id, data_tests: [unique, not_null]}]}]
    """
    project = make({
        "models/customers.sql": model(),
        "models/customers.yml": yml,
        "models/report.sql": "select count(*) as n from {{ ref('customers') }}",
    })  # fmt: skip
    result = project.run("build", "--select", "customers+")
    assert result.count("pass") == 2
    assert project.sql("select n from report") == [(1,)]


@pytest.mark.thorough
def test_a_table_of_that_name_is_kept_aside(make):
    project = make({"models/customers.sql": model()}, home="delta")
    project.sql("create table customers using delta as select 'precious' as name")
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert "Invalid 'alias'" in message and "--full-refresh" in message
    assert names(project) == ["precious"]
    project.run("run", "--full-refresh")
    assert names(project) == ["Ada"]
    assert names(project, "customers__before_changelog") == ["precious"]


TABLE = "table {} using delta as"
FOREIGN = {
    "customers__state": TABLE,
    "logged__changes": TABLE,
    "emitting__changelog": TABLE,
    "log__changes": TABLE,
    "history__current": "view {} as",
    "closed__current": TABLE,
}


def test_what_has_a_name_that_a_model_needs_and_is_not_ours_is_refused(make):
    logged, versions = ", changelog=true", ", stored_as_scd_type=2"
    log = "{{ config(materialized='to_changelog', unique_key='id') }} select 1 as id"
    texts = {
        "customers": model(),
        "logged": model(logged),
        "emitting": model(logged),
        "log": log,
        "history": model(versions),
        "closed": model(versions),
    }
    files = {f"models/{name}.sql": text for name, text in texts.items()}
    project = make(files, home="delta")
    for place, made in FOREIGN.items():
        project.sql(f"create {made.format(place)} select 'precious' as name")
    for arguments in ["run"], ["run", "--full-refresh"]:
        nodes = project.run(*arguments, expect_failure=True).nodes
        for place, made in FOREIGN.items():
            message = nodes[place.split("__")[0]].message
            what = f"the {made.split()[0]} {project.schema}.{place}, which this model would write"
            assert f"{what}, exists and was not made by this package" in message
    for place in FOREIGN:
        assert names(project, place) == ["precious"]


@pytest.mark.thorough
def test_a_state_that_is_lost_is_not_taken_for_a_batch_that_was_begun(make):
    """Its changelog has the last batch, and so has the table that it was staged in."""
    project = make({"models/customers.sql": model(", changelog=true")})
    project.run("run")
    project.table("events", [("u", 1, "Augusta", 5)])
    project.run("run")
    project.sql("drop table customers__state")
    for arguments in ["run"], ["run", "--full-refresh"]:
        message = project.run(*arguments, expect_failure=True).nodes["customers"].message
        assert "customers__state is gone, and the table" in message, message
        assert "To fix: restore the state; or drop the changelog" in message
    project.sql("drop table customers__changelog")
    project.run("run", "--full-refresh")
    assert names(project) == ["Augusta"]


@pytest.mark.thorough
def test_a_state_that_was_put_back_does_not_lose_batches(new_project):
    """The last batch alone could be finished from where it was staged."""
    files = {"models/sources.yml": SOURCES, "models/customers.sql": model(", changelog=true")}
    project = new_project(files)
    project.table("events", EVENTS, COLUMNS)
    project.run("run")
    first = project.sql("describe history customers__state limit 1")[0].version
    for lsn in 5, 6:
        project.table("events", [("u", lsn, "Augusta", lsn)])
        project.run("run")
    project.sql(f"restore table customers__state to version as of {first}")
    message = project.run("run", expect_failure=True).nodes["customers"].message
    assert "has batch 1, and" in message and "customers__changelog has batch 3" in message
    project.sql("delete from customers__changelog where _batch_id > 1")
    project.run("run")
    assert names(project) == ["Ada", "Augusta", "Augusta"]
    batches = project.sql("select distinct _batch_id from customers__changelog order by 1")
    assert [row[0] for row in batches] == [1, 2]


@pytest.mark.thorough
def test_a_name_in_capitals_is_the_same_name(make):
    """Of a schema, whose tables dbt looks for in small letters, also what was adopted; of a key."""
    capitals = model(", schema='Tall'")
    adopting = capitals.replace("schema=", "adopt=true, schema=")
    files = {"models/customers.sql": capitals, "models/adopting.sql": adopting}
    project = make(files, home="delta")
    schema = f"{project.schema}_tall"
    place = f"{schema}.customers"
    project.sql(f"create schema {schema}")
    project.sql(f"create table {schema}.adopting using delta as select 9 id, 'Eve' name, 0 lsn")
    project.run("run")
    assert names(project, place) == ["Ada"]
    assert names(project, f"{schema}.adopting") == ["Ada", "Eve"]
    columns = "op, id as ID, name, lsn as LSN"
    project.write("models/customers.sql", capitals.replace("*", columns))
    project.table("events", [("u", 1, "Augusta", 5)])
    project.run("run")
    assert names(project, place) == ["Augusta"]


def test_a_temporary_view_of_its_name_is_not_the_model(make):
    project = make({"models/customers.sql": model()}, home="delta")
    project.spark.sql("create temporary view customers as select 1 as one")
    try:
        project.run("run")
        project.table("events", [("u", 1, "Augusta", 5)])
        project.run("run")
        assert names(project, f"{project.schema}.customers") == ["Augusta"]
    finally:
        project.spark.sql("drop view customers")


def test_operations_know_what_this_is(make):
    text = model().strip() + "\n    {# of #} where '{{ this.identifier }}' = 'customers'"
    project = make({"models/customers.sql": text})
    project.run("run")
    for operation in "show_plan", "diagnose":
        project.run("run-operation", operation, "--args", "{model: customers}")


@pytest.mark.thorough
def test_layout_reaches_the_state(make, tmp_path):
    project = make({
        "models/partitioned.sql": model(
            f", partition_by='name', location_root='{tmp_path}',"
            " tblproperties={'delta.enableDeletionVectors': 'false', 'owner.team': 'crm'}"
        ),
        "models/clustered.sql": model(", liquid_clustered_by=['id']"),
        "models/clustered_too.sql": model(", clustered_by='id'"),
        # Delta refuses a table of both
        "models/for_iceberg.sql": model(
            ", tblproperties={'delta.enableIcebergCompatV2': 'true',"
            " 'delta.columnMapping.mode': 'name'}"
        ),
    }, home="delta")  # fmt: skip
    project.run("run")
    project.table("events", [("u", 1, "Augusta", 5)])
    project.run("run")
    for name in "partitioned", "clustered", "clustered_too", "for_iceberg":
        assert names(project, name) == ["Augusta"]
    detail = {name: project.sql(f"describe detail {name}__state")[0] for name in
              ("partitioned", "clustered", "clustered_too")}  # fmt: skip
    assert detail["partitioned"].partitionColumns == ["name"]
    assert detail["partitioned"].location.endswith(f"{tmp_path}/partitioned__state")
    assert detail["partitioned"].properties["owner.team"] == "crm"
    vectors = "delta.enableDeletionVectors"
    marks = {name: found.properties[vectors] for name, found in detail.items()}
    assert marks == {"partitioned": "false", "clustered": "true", "clustered_too": "true"}
    assert detail["clustered"].clusteringColumns == ["id"]
    assert detail["clustered_too"].clusteringColumns == ["id"]


def test_a_changed_key_or_column_is_refused_and_a_full_refresh_follows_it(make):
    project = make({"models/customers.sql": model()})
    project.run("run")
    for changed, words in [
        (model().replace("unique_key='id'", "unique_key=['id', 'lsn']"), "Invalid 'unique_key'"),
        (model().replace("sequence_by='lsn'", "sequence_by=['lsn', 'id']"), "'sequence_by'"),
        (model(columns="op, id, lsn"), "column 'name' of the state is not in the query"),
        (
            model(", on_schema_change='fail'", "*, 1 as age"),
            "column 'age' is not in the state",
        ),
        (model(columns="op, cast(id as bigint) as id, name, lsn"), "bigint in the query and int"),
        (model(", uid='other'"), "belongs to uid 'model.functional.customers'"),
    ]:
        project.write("models/customers.sql", changed)
        message = project.run("run", expect_failure=True).nodes["customers"].message
        assert words in message and "To fix:" in message
    project.write("models/customers.sql", model(columns="*, 1 as age"))
    project.run("run", "--full-refresh")
    assert project.sql("select age from customers") == [(1,)]


def test_log_skips_unknown_codes_and_says_so(make):
    project = make({
        "models/customers.sql": model(", invalid_op_handling='LOG'"),
        "models/skipped.sql": model(", invalid_op_handling='SKIP'"),
    })  # fmt: skip
    project.table("events", [("z", 7, "zoe", 5), ("y", 7, "zoe", 6), ("z", 7, "zoe", 7)])
    result = project.run("run")
    (warning,) = [text for text in result.warnings if "unknown op codes" in text]
    assert "'y' (1 events), 'z' (2 events)" in warning
    assert names(project) == names(project, "skipped") == ["Ada"]
    assert project.sql(
        "select events_invalid from dbt_changelog_batches where uid like '%customers'"
    ) == [(3,)]


def test_compile_and_show_read_all_rows_and_commit_nothing(make):
    project = make({"models/customers.sql": model()})
    project.run("run")
    log = batch_log(project, "customers")
    project.run("compile")
    assert "dbt_changelog range" not in project.compiled("customers")
    project.run("show", "--select", "customers")
    assert batch_log(project, "customers") == log


def test_show_plan_prints_plan_and_program(make):
    project = make({"models/customers.sql": model()})
    text = project.run("run-operation", "show_plan", "--args", "{model: customers}").log
    assert '"kernel": "last_write_wins"' in text
    assert "create or replace table" in text
    project.run("run")
    text = project.run("run-operation", "show_plan", "--args", "{model: customers}").log
    assert "merge into" in text
    text = project.run(
        "run-operation", "show_plan", "--args", "{model: nobody}", expect_failure=True
    ).log
    assert "They are: customers" in text


def test_what_ran_is_in_target_run(make):
    project = make({"models/customers.sql": model()})
    project.run("run")
    assert "create or replace table" in project.ran("customers")
    project.table("events", [("c", 3, "eve", 5)])
    project.run("run")
    assert "merge into" in project.ran("customers")


@pytest.mark.thorough
def test_strings_of_several_lines_stay_as_they_are(make):
    columns = "op, id, 'two\n    lines' as name, lsn"
    project = make({"models/customers.sql": model(columns=columns, read="'full'")})
    project.run("run")
    first = names(project)
    project.table("events", [("c", 3, "eve", 5)])
    project.run("run")
    assert names(project) == first * 2


@pytest.mark.thorough
def test_another_read_column_starts_over(make):
    def by(column):
        text = model("", "op, id, name, lsn", read=f"{{'column': '{column}'}}")
        return text.replace("source('bronze', 'events')", "ref('placed')")

    placed = "select *, lsn - 10 as place from {{ source('bronze', 'events') }}"
    project = make({"models/customers.sql": by("lsn"), "models/placed.sql": placed})
    project.run("run")
    # at the position of lsn this column has nothing new, and never will
    project.write("models/customers.sql", by("place"))
    project.table("events", [("c", 3, "eve", 5)])
    project.run("run")
    assert names(project) == ["Ada", "eve"]


@pytest.mark.thorough
def test_two_ranges_of_one_relation_keep_the_first_end(make):
    query = (
        model("", "*").strip()
        + """
    union all
    select op, id + 100, name, lsn from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
    """
    )
    project = make({"models/customers.sql": query})
    project.run("run")
    project.table("events", [("c", 3, "eve", 5)])
    project.run("run")
    assert names(project) == ["Ada", "Ada", "eve", "eve"]


@pytest.mark.thorough
def test_a_lookback_must_fit_its_column(make):
    project = make({
        "models/customers.sql": model(read="{'column': 'lsn', 'lookback': '1 hour'}"),
        "models/texts.sql": model(read="{'column': 'name', 'lookback': 1}"),
    })  # fmt: skip
    result = project.run("run", expect_failure=True)
    for name in "customers", "texts":
        assert "Invalid 'read.lookback'" in result.nodes[name].message
        assert "To fix: write a duration for a timestamp" in result.nodes[name].message
