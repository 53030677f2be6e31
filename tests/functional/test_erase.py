"""dbt run-operation erase: the values of a key leave all tables of a model."""

from __future__ import annotations

import json

import pytest

from .conftest import usual
from .project import STORAGES

MODEL = """
{{ config(materialized='from_changelog', unique_key=KEY, sequence_by='lsn' MORE,
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}) }}
select op, id, country, name, lsn from {{ source('bronze', 'events') }}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
KEYLESS = """
{{ config(materialized='from_changelog', op_mapping={'c': 'INSERT', 'u': 'INSERT'}) }}
select op, id from {{ source('bronze', 'events') }} where op <> 'd'
"""
CONFLICTS = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='_lsn', on_conflict='NOTHING',
          op_mapping={'c': 'INSERT', 'u': 'INSERT', 'd': 'DELETE'}) }}
select op, id, name, lsn as _lsn from {{ source('bronze', 'events') }}
"""
COLUMNS = "op string, id int, country string, name string, lsn int"
EVENTS = [
    *[("c", 1, "de", "Ada", 1), ("c", 2, "fr", "Bob", 2), ("u", 2, "fr", "Rob", 3)],
    *[("c", 3, "de", "Cid", 4), ("d", 3, "de", None, 5)],
]


def making(new_project, storage, more="", key="'id'", codes="", **models):
    text = MODEL.replace("MORE", more).replace("KEY", key)
    text = text.replace("'DELETE'}", f"'DELETE'{codes}}}")
    files = {f"models/{storage}/customers.sql": text, "models/sources.yml": SOURCES}
    files |= {f"models/{storage}/{name}.sql": model for name, model in models.items()}
    project = new_project(files, "erase")
    project.table("events", EVENTS, COLUMNS)
    project.run("run")
    return project


def erase(project, keys, model="customers", **options):
    args = json.dumps({"model": model, "keys": keys})
    return project.run("run-operation", "erase", "--args", args, **options).log


def names(project, storage="delta", model="customers"):
    found = project.sql(f"select id, name from {project.contents(storage, model)} order by id")
    return [tuple(row) for row in found]


@pytest.mark.parametrize("storage", usual(STORAGES, ["delta"]))
def test_a_key_stays_deleted_without_values(new_project, storage):
    project = making(new_project, storage)
    log = erase(project, [{"id": 2}, {"id": 9}])
    said = "Erased 1 of 2 keys of from_changelog model 'customers'; no table of it has"
    assert f'{said} {{"id":9}}' in log
    assert "customers__state" in log and ": 1 rows without values, which stay deleted" in log
    assert names(project, storage) == [(1, "Ada")]
    state = project.state(storage, "customers")
    columns = "id, country, name, lsn, _sequence, _row_kind, _image_hash"
    found = project.sql(f"select {columns} from {state} where id = 2")
    assert found == [(2, None, None, None, 3, "DELETE", None)]

    # all events come again, and one that came late: none brings it back; a newer one does
    project.table("events", [("u", 2, "fr", "Robert", 2)])
    project.run("run")
    assert names(project, storage) == [(1, "Ada")]
    project.table("events", [("c", 2, "fr", "Bob again", 6)])
    project.run("run")
    assert names(project, storage) == [(1, "Ada"), (2, "Bob again")]
    # a deleted key has nothing left but the key
    assert "Erased 1 of 1 keys" in erase(project, [{"ID": "3"}])


@pytest.mark.thorough
@pytest.mark.parametrize("handling", ["FAIL", "LAST"])
def test_the_last_event_of_an_erased_key_is_a_repeated_one(new_project, handling):
    more = f", tie_handling='{handling}', changelog=true, state_ttl='0'"
    more += ", on_schema_change='append_new_columns'"
    project = making(new_project, "delta", more)
    erase(project, [{"id": 2}])
    changes = "select count(*) from customers__changelog"
    before = project.sql(changes)
    project.run("run")
    diagnosed = project.run("run-operation", "diagnose", "--args", "{model: customers}").log
    assert ", 0 ties" in diagnosed
    # after a change of columns hashes are computed anew
    text = (project.root / "models/delta/customers.sql").read_text(encoding="utf-8")
    project.write("models/delta/customers.sql", text.replace("name, lsn", "name, 1 as more, lsn"))
    project.run("run")
    assert names(project) == [(1, "Ada")]
    assert project.sql(f"{changes} where id = 2") == [(0,)]
    assert project.sql(f"{changes} where id <> 2") >= before


IN_PARTS = {
    "parts": ", ignore_null_updates=['country']",
    "soft rows": ", soft_delete='is_deleted'",
    "soft parts": ", ignore_null_updates=['country'], soft_delete='is_deleted'",
}


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("storage", "case"),
    [
        *[("delta", "soft parts"), ("delta", "parts"), ("delta", "soft rows")],
        *[("iceberg", "soft parts"), ("parquet", "soft parts")],
    ],
)
def test_no_value_of_a_row_that_came_in_parts_comes_back(new_project, storage, case):
    codes = ", 't': 'TRUNCATE'" if "parts" in case else ""
    project = making(new_project, storage, IN_PARTS[case], codes=codes)
    assert "Erased 1 of 1 keys" in erase(project, [{"id": 2}])
    cid = [(3, "Cid")] if "soft" in case else []

    def kept():
        columns = "country, name, lsn, _row_kind, _image_hash"
        state = project.state(storage, "customers")
        return project.sql(f"select {columns} from {state} where id = 2")

    assert names(project, storage) == [(1, "Ada"), *cid]
    # all events come again, its last one, too, and some of a part of the row and late
    project.table("events", [("u", 2, "at", "Robert", 1)])
    project.run("run")
    truncate = [("t", None, None, None, 0)] if codes else []
    project.table("events", [("d", 2, None, None, 0), *truncate])
    project.run("run")
    assert names(project, storage) == [(1, "Ada"), *cid]
    assert kept() == [(None, None, None, "DELETE", None)]
    assert "Erased 1 of 1 keys" in erase(project, [{"id": 2}])
    # what was not sent since is unknown
    project.table("events", [("c", 2, None, "Bob again", 6)])
    project.run("run")
    assert kept() == [(None, "Bob again", 6, "UPDATE_AFTER", *kept()[0][4:])]
    assert names(project, storage) == [(1, "Ada"), (2, "Bob again"), *cid]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("storage", "more", "statements"),
    [
        ("delta", IN_PARTS["soft parts"], ["erase state", "erase staged", "erase changelog"]),
        ("iceberg", "", ["erase state", "erase staged", "erase changelog"]),
        ("parquet", "", ["erase state", "contents view"]),
    ],
)
def test_an_erasure_that_failed_may_be_repeated(new_project, storage, more, statements):
    more += ", changelog=true" if "erase changelog" in statements else ""
    project = making(new_project, storage, more)
    before = names(project, storage)
    for statement in statements:
        fail = {"dbt_changelog_fail_after": statement}
        log = erase(project, [{"id": 2}], vars=fail, expect_failure=True)
        assert f"Failed on purpose after '{statement}'" in log
    project.run("run")
    assert "Erased 1 of 1 keys" in erase(project, [{"id": 2}])
    assert names(project, storage) == [row for row in before if row[0] != 2]
    if "erase changelog" in statements:
        for table in "changelog", "changes":
            found = project.sql(f"select id from {project.place(storage)}.customers__{table}")
            assert 2 not in [row.id for row in found], table


@pytest.mark.parametrize("storage", ["delta", "iceberg"])
def test_the_changelog_and_what_is_staged(new_project, storage):
    project = making(new_project, storage, ", changelog=true")
    place = project.place(storage)
    log = erase(project, [{"id": 2}, {"id": 3}])
    assert "customers__changelog: 4 rows deleted" in log
    assert "customers__changes: 4 rows deleted" in log
    for table in "changelog", "changes":
        found = project.sql(f"select distinct id from {place}.customers__{table}")
        assert found == [(1,)], table
    again = erase(project, [{"id": 2}, {"id": 3}])
    assert "Erased 2 of 2 keys" in again and "customers__changelog: 0 rows deleted" in again


LOG = """
{{ config(materialized='to_changelog', unique_key=KEY MORE) }}
select id, country, name from {{ source('bronze', 'rows') }}
"""


TWO_KEYS = ("['id', 'country']", ", before='before', after='after'", [{"country": "fr", "id": 2}])
CARRIED = ("'id'", ", before='row', after='row', passthrough='id'", [{"id": 2}])


@pytest.mark.parametrize("storage", ["delta", pytest.param("iceberg", marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    ("key", "more", "keys"),
    [
        ("'id'", "", [{"id": 2}]),
        pytest.param(*TWO_KEYS, marks=pytest.mark.thorough),
        pytest.param(*CARRIED, marks=pytest.mark.thorough),
    ],
)
def test_an_event_table(new_project, storage, key, more, keys):
    sources = SOURCES.replace("events", "rows")
    model = LOG.replace("KEY", key).replace("MORE", more)
    project = new_project({f"models/{storage}/feed.sql": model, "models/s.yml": sources}, "erase")
    columns = "id int, country string, name string"
    project.table("rows", [(1, "de", "Ada"), (2, "fr", "Bob")], columns)
    project.run("run")
    project.sql("delete from rows where name = 'Bob'")
    project.run("run")
    place = project.place(storage)
    log = erase(project, keys, model="feed")
    assert "feed: 2 rows deleted" in log and "feed__changes: 1 rows deleted" in log
    for table in "feed", "feed__state", "feed__changes":
        found = project.sql(f"select to_json(struct(*)) as row from {place}.{table}")
        assert not any("Bob" in row["row"] for row in found), table
    assert len(project.sql(f"select * from {place}.feed")) == 1


@pytest.mark.thorough
def test_what_removes_the_older_files(new_project):
    """The statements that it prints run, and leave no file with the value."""
    more = ", tblproperties={'delta.enableDeletionVectors': 'true'}"
    reader = "{{ config(materialized='table') }} select * from {{ ref('customers') }}"
    project = making(new_project, "delta", more, reader=reader)
    project.sql("create table customers__before_changelog using delta as select 2 as id")
    log = erase(project, [{"id": 2}])
    statements = [line.strip(" ;") for line in log.splitlines() if line.startswith("  ")]
    table = f"{project.schema}.customers__state"
    assert statements == [f"reorg table {table} apply (purge)", f"vacuum {table}"]
    assert "Models that read it may have copies: reader" in log
    assert f"Not looked at: {project.schema}.customers__before_changelog" in log
    project.sql(statements[0])
    project.spark.conf.set("spark.databricks.delta.retentionDurationCheck.enabled", "false")
    try:
        project.sql(f"{statements[1]} retain 0 hours")
    finally:
        project.spark.conf.unset("spark.databricks.delta.retentionDurationCheck.enabled")
    (row,) = project.sql(f"describe detail {table}")
    files = project.spark.read.parquet(f"{row.location}/*.parquet")
    assert {row.name for row in files.collect()} == {"Ada", None}


@pytest.mark.thorough
def test_what_removes_the_older_files_on_iceberg(new_project):
    more = ", changelog=true, tblproperties={'write.update.mode': 'merge-on-read'}"
    project = making(new_project, "iceberg", more)
    log = erase(project, [{"id": 2}])
    statements = [line.strip(" ;") for line in log.splitlines() if line.startswith("  ")]
    assert [s.split("(")[0].rsplit(".", 1)[1] for s in statements] == [
        *("rewrite_data_files", "rewrite_position_delete_files", "expire_snapshots"),
        *("expire_snapshots", "expire_snapshots"),
    ]
    for statement in statements:
        project.sql(statement)
    paths = "select file_path"
    for table in "state", "changes", "changelog":
        name = f"{project.place('iceberg')}.customers__{table}"
        assert len(project.sql(f"select * from {name}.snapshots")) == 1
        files = [
            row.file_path for row in project.sql(f"{paths} from {name}.all_files where content = 0")
        ]
        assert project.spark.read.parquet(*files).where("name in ('Bob', 'Rob')").count() == 0


@pytest.mark.thorough
def test_what_removes_the_older_files_on_parquet(new_project):
    project = making(new_project, "parquet")
    before = project.state("parquet", "customers")
    log = erase(project, [{"id": 2}])
    assert f"  drop table {before};" in log
    project.sql(f"drop table {before}")
    assert names(project, "parquet") == [(1, "Ada")]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("7", "'7' is no list of keys"),
        ({"id": 7}, "is no list of keys"),
        ([], "is no list of keys"),
        ([{"id": 1}, {"idd": 2}], "'{'idd': 2}' has other columns than the unique_key: id"),
        ([{"id": 1, "name": "Ada"}], "has other columns than the unique_key: id"),
        ([{"id": None}], "id is 'None', and a key has one value"),
        ([{"id": 1}, {"id": "x"}], "'x' is no int, as the key column id is"),
        ([{"id": 1}, {"id": 1.5}], "'1.5' is no int, as the key column id is"),
    ],
)
def test_wrong_keys_write_nothing(erasable, keys, words):
    before = erasable.sql("describe history customers__state")
    log = erase(erasable, keys, expect_failure=True)
    assert "Invalid 'keys' in from_changelog model 'customers': " in log
    assert words in log and "To fix: " in log
    assert erasable.sql("describe history customers__state") == before


@pytest.fixture(scope="module")
def erasable(new_project):
    """A model whose keys are all right, and two of which nothing can be erased."""
    return making(new_project, "delta", keyless=KEYLESS, conflicts=CONFLICTS)


def test_a_model_of_which_nothing_can_be_erased(erasable):
    log = erase(erasable, [{"id": 1}], model="keyless", expect_failure=True)
    assert "the model has no unique_key, so nothing says which rows belong together" in log
    log = erase(erasable, [{"id": 1}], model="conflicts", expect_failure=True)
    assert "with read='full' the next run would bring its values back" in log
    erasable.write("models/delta/later.sql", MODEL.replace("KEY", "'id'").replace("MORE", ""))
    log = erase(erasable, [{"id": 1}], model="later", expect_failure=True)
    assert "later__state is not there" in log


@pytest.mark.thorough
def test_a_key_that_the_query_spells_in_another_case(new_project):
    project = making(new_project, "delta")
    text = MODEL.replace("MORE", "").replace("KEY", "'ID'").replace("op, id,", "op, id as ID,")
    project.write("models/delta/customers.sql", text)
    project.table("events", [("c", 4, "de", "Dan", 7)])
    project.run("run")
    log = erase(project, [{"id": 2}])
    assert "Erased 1 of 1 keys of from_changelog model 'customers'\n" in log
    assert names(project) == [(1, "Ada"), (4, "Dan")]


@pytest.mark.thorough
def test_a_batch_half_done_comes_first(new_project):
    project = making(new_project, "delta", ", changelog=true")
    project.table("events", [("u", 2, "fr", "Robert", 6)])
    fail = {"dbt_changelog_fail_after": "append changelog"}
    project.run("run", vars=fail, expect_failure=True)
    log = erase(project, [{"id": 2}], expect_failure=True)
    assert "began a batch and did not end it" in log
    project.run("run")
    assert "Erased 1 of 1 keys" in erase(project, [{"id": 2}])
    assert names(project) == [(1, "Ada")]
