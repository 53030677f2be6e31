"""changelog_stream: the same program, once per micro-batch.

All tests of streams are in this file: the JVM calls back one Python process only, and that of the
tests is shared by two.
"""

from __future__ import annotations

import json
import shutil
import socket
import time
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

import pytest

from dbt_changelog._lease import _began
from dbt_changelog._trigger import Service

from . import changelogs, test_adopt, test_erase, test_shop
from .changelogs import BATCHES, SEED, comparable, contents, fold, fold_by_key, without
from .conftest import ProjectFactory
from .project import Project
from .test_laws import CHANGELOGS, MODELS, Call, Laws, files_options
from .test_laws import SOURCES as TABLES

COLUMNS = "op string, id int, name string, lsn int"
MAPPING = "op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}"
CUSTOMERS = (
    "{{ config(materialized='changelog_stream', function='from_changelog', unique_key='id',"
    f" sequence_by='lsn', {MAPPING}) }}}}\n"
    "select op, id, name, lsn from {{ dbt_changelog.stream(source('bronze', 'events')) }}\n"
)
ONE_FILE = "'events'), {'maxFilesPerTrigger': 1, 'streaming-max-files-per-micro-batch': 1})"
BY_FILE = CUSTOMERS.replace("'events'))", ONE_FILE)
LOGGED = CUSTOMERS.replace("unique_key='id'", "unique_key='id', changelog=true, state_ttl='0'")
BAG = (
    "{{ config(materialized='changelog_stream', function='from_changelog', changelog=true,"
    " op_mapping={'c': 'INSERT', 'd': 'DELETE'}) }}\n"
    "select op, id, name, lsn from stream {{ source('bronze', 'events') }} where op <> 'u'\n"
)
LISTS = (
    BAG.replace("changelog=true,", "unique_key='id', on_conflict='DEDUPLICATE',")
    .replace("select op, id, name, lsn", "select op, id, name, lsn as _lsn")
    .replace("changelog_stream',", "changelog_stream', sequence_by='_lsn',")
)
HISTORY = LOGGED.replace("state_ttl='0'", "stored_as_scd_type=2")
CHANGES = (
    "{{ config(materialized='changelog_stream', function='to_changelog', unique_key='id') }}\n"
    "select * from stream {{ ref('logged') }}__changelog\n"
)
ROWS = (
    "{{ config(materialized='changelog_stream', function='to_changelog') }}\n"
    "select id, name from stream {{ source('bronze', 'events') }}\n"
)
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
FIRST = [("c", 1, "Ada", 1), ("c", 2, "Ben", 2)]
SECOND = [("u", 1, "Eve", 3), ("d", 2, None, 4)]


@pytest.fixture
def make(new_project: ProjectFactory, home: str) -> Any:
    """A project of these models, with the first events in bronze.events."""

    def create(**models: str) -> Project:
        files = {f"models/{name}.sql": text for name, text in models.items()}
        project = new_project({**files, "models/sources.yml": SOURCES}, home=home)
        project.table("events", FIRST, COLUMNS)
        return project

    return create


def rows(project: Project, table: str, columns: str = "*") -> list[tuple[Any, ...]]:
    return sorted(tuple(row) for row in project.sql(f"select {columns} from {table}"))


def checkpoints(project: Project, model: str) -> Path:
    """The folder that has the checkpoints of a model."""
    described = project.sql(f"describe schema extended {project.schema}")
    (location,) = (row.info_value for row in described if row.info_name == "Location")
    return Path(str(location).removeprefix("file:")) / "_checkpoints" / model


def test_a_run_takes_what_is_there_and_the_next_what_came_since(make):
    project = make(customers=CUSTOMERS)
    project.run("run")
    assert rows(project, "customers") == [(1, "Ada", 1), (2, "Ben", 2)]
    project.table("events", SECOND)
    result = project.run("run")
    assert rows(project, "customers") == [(1, "Eve", 3)]
    assert result.nodes["customers"].message.startswith("batch 2")
    assert project.run("run").nodes["customers"].message == "nothing new"
    batches = rows(project, "dbt_changelog_batches", "batch_id, rows_inserted, rows_deleted")
    assert batches == [(1, 2, 0), (2, 0, 1)]


def test_a_micro_batch_is_a_batch(make, home):
    project = make(customers=BY_FILE)
    project.run("run")
    (first,) = rows(project, "dbt_changelog_batches", "count(*)")[0]
    for event in SECOND:
        project.table("events", [event])
    result = project.run("run")
    # each event is read once: the MERGE looks for files to write again in no pass of its own
    assert result.log.count("; 1 rows read in ") == 2, result.log
    assert rows(project, "customers") == [(1, "Eve", 3)]
    batches = rows(project, "dbt_changelog_batches", "batch_id, rows_updated, rows_deleted")
    assert batches[first:] == [(first + 1, 1, 0), (first + 2, 0, 1)]
    # the rows of a run are a file
    file = "_file" if home == "iceberg" else "_metadata.file_path"
    assert len(rows(project, "dbt_changelog_batches", f"distinct {file}")) == 2


@pytest.mark.thorough
def test_a_micro_batch_without_rows_is_no_batch(make):
    project = make(customers=CUSTOMERS + "where op <> 'other'\n")
    project.run("run")
    for _ in range(2):
        project.table("events", [("other", 1, "Eve", 3)])
        assert project.run("run").nodes["customers"].message == "nothing new"
    project.table("events", SECOND)
    assert project.run("run").nodes["customers"].message.startswith("batch 2")
    assert rows(project, "customers") == [(1, "Eve", 3)]


@pytest.mark.thorough
def test_a_new_column_comes_with_the_next_micro_batch(make):
    model = CUSTOMERS.replace("unique_key", "on_schema_change='append_new_columns', unique_key")
    project = make(customers=model)
    project.run("run")
    project.write("models/customers.sql", model.replace("select ", "select 'x' as more, "))
    assert project.run("run").nodes["customers"].message == "nothing new"
    assert rows(project, "customers") == [(1, "Ada", 1), (2, "Ben", 2)]
    project.table("events", SECOND)
    project.run("run")
    assert rows(project, "customers", "id, name, more") == [(1, "Eve", "x")]


def test_a_changelog_is_emitted_and_read_on(make):
    project = make(logged=LOGGED, changes=CHANGES)
    project.run("run")
    project.table("events", SECOND)
    project.run("run")
    kinds = "_batch_id, _row_kind, id, name"
    assert rows(project, "logged__changelog", kinds) == [
        (1, "INSERT", 1, "Ada"), (1, "INSERT", 2, "Ben"),
        (2, "DELETE", 2, "Ben"), (2, "UPDATE_AFTER", 1, "Eve"),
    ]  # fmt: skip
    assert rows(project, "changes", "_batch_id, op, id, name") == rows(
        project, "logged__changelog", kinds
    )


@pytest.mark.thorough
def test_a_stream_keeps_versions(make):
    project = make(history=HISTORY)
    project.run("run")
    project.table("events", [*SECOND, ("u", 2, "Bob", 3)])
    project.run("run")
    versions = [(1, "Ada", 1, 1, 3, False), (1, "Eve", 3, 3, None, True)]
    versions += [(2, "Ben", 2, 2, 3, False), (2, "Bob", 3, 3, 4, False)]
    assert rows(project, "history") == versions
    assert rows(project, "history__current") == [(1, "Eve", 3)]
    kinds = rows(project, "history__changelog", "_batch_id, id, _row_kind, valid_from, valid_to")
    assert kinds == [
        *[(1, 1, "INSERT", 1, None), (1, 2, "INSERT", 2, None)],
        *[(2, 1, "INSERT", 3, None), (2, 1, "UPDATE_AFTER", 1, 3)],
        *[(2, 2, "INSERT", 3, 4), (2, 2, "UPDATE_AFTER", 2, 3)],
    ]


@pytest.mark.thorough
def test_events_of_a_stream_wait_for_a_watermark(new_project, home):
    """Four micro-batches of one run: each is judged by the watermark that the one before left."""
    config = "sequence_by='at', watermark='5 minutes', late_handling='KEEP', changelog=true"
    text = BY_FILE.replace("sequence_by='lsn'", config).replace("name, lsn", "name, at")
    project = new_project({"models/t.sql": text, "models/sources.yml": SOURCES}, home=home)
    times = [("c", 1, "a", 5), ("c", 2, "late", -1), ("c", 3, "b", 3), ("u", 1, "A", 11)]
    for number, (op, key, name, minute) in enumerate(times):
        event = (op, key, name, datetime(2026, 1, 1, 10) + timedelta(minutes=minute))
        columns = "op string, id int, name string, at timestamp"
        project.table("events", [event], None if number else columns)
    result = project.run("run")
    assert "1 events dropped" in result.nodes["t"].message
    assert rows(project, "t", "id, name") == [(1, "a"), (3, "b")]
    assert rows(project, "t__late", "id, name") == [(2, "late")]
    flush = {"dbt_changelog_flush": True}
    assert project.run("run").nodes["t"].message == "nothing new"
    assert "1 rows updated" in project.run("run", vars=flush).nodes["t"].message
    assert rows(project, "t", "id, name") == [(1, "A"), (3, "b")]
    assert project.run("run", vars=flush).nodes["t"].message == "nothing new"
    kinds = "_row_kind, id, name"
    assert rows(project, "t__changelog", kinds) == [
        ("INSERT", 1, "a"), ("INSERT", 3, "b"), ("UPDATE_AFTER", 1, "A"),
    ]  # fmt: skip


@pytest.mark.thorough
def test_each_event_counts_once_without_a_key(make):
    project = make(bag=BAG)
    project.run("run")
    project.table("events", [("c", 1, "Ada", 1), ("d", 2, "Ben", 2)])
    project.run("run")
    assert rows(project, "bag", "id, name") == [(1, "Ada"), (1, "Ada")]
    assert len(rows(project, "bag__changelog")) == 4


@pytest.mark.thorough
def test_a_stream_of_rows_that_have_another_key(make):
    project = make(lists=LISTS)
    project.run("run")
    project.table("events", [("c", 1, "Eve", 3), ("c", 2, "Bea", 4), ("d", 2, "Bea", 5)])
    result = project.run("run")
    assert rows(project, "lists") == [(1, "Eve"), (2, "Ben")]
    assert "1 rows updated, 0 rows deleted, 1 rows hidden" in result.nodes["lists"].message
    project.table("events", [("d", 1, "Ada", 6), ("d", 2, "Ben", 7)])
    project.run("run")
    assert rows(project, "lists") == [(1, "Eve")]


def test_rows_of_a_stream_are_inserts(make):
    project = make(rows=ROWS)
    project.run("run")
    project.table("events", [("c", 3, "Cleo", 1)])
    project.run("run")
    assert rows(project, "rows", "_batch_id, op, id, name") == [
        (1, "INSERT", 1, "Ada"), (1, "INSERT", 2, "Ben"), (2, "INSERT", 3, "Cleo"),
    ]  # fmt: skip


@pytest.mark.thorough
def test_without_a_row_the_model_is_there(make):
    project = make(customers=CUSTOMERS)
    project.run("run", "--empty")
    assert rows(project, "customers") == []
    project.run("run")
    assert len(rows(project, "customers")) == 2


@pytest.mark.thorough
def test_a_full_refresh_is_one_batch_and_begins_a_new_checkpoint(make):
    project = make(logged=LOGGED.replace("'events'))", ONE_FILE))
    project.run("run")
    for event in SECOND:
        project.table("events", [event])
    before = {path.name for path in checkpoints(project, "logged").iterdir() if path.is_dir()}
    project.run("run", "--full-refresh")
    assert rows(project, "logged") == [(1, "Eve", 3)]
    emitted = rows(project, "logged__changelog", "_batch_id, _row_kind, id")[2:]
    assert [row[1:] for row in emitted] == [("DELETE", 2), ("UPDATE_AFTER", 1)]
    assert emitted[0][0] == emitted[1][0]
    after = {path.name for path in checkpoints(project, "logged").iterdir() if path.is_dir()}
    assert len(after) == 1 and not before & after
    project.table("events", [("c", 3, "Cleo", 5)])
    project.run("run")
    assert rows(project, "logged") == [(1, "Eve", 3), (3, "Cleo", 5)]


@pytest.mark.thorough
def test_a_stream_that_is_told_to_stop_refreshes_nothing(make, monkeypatch):
    project = make(customers=CUSTOMERS)
    project.run("run")
    with monkeypatch.context() as patch:
        # as when the signal comes before Spark has the rows
        patch.setattr(Service, "is_on", True)
        Service.stop.set()
        result = project.run("run", "--full-refresh", expect_failure=True)
    assert "was stopped before its full refresh" in result.log
    assert rows(project, "customers") == [(1, "Ada", 1), (2, "Ben", 2)]
    project.table("events", SECOND)
    # of a new command
    project.run("run")
    assert rows(project, "customers") == [(1, "Eve", 3)]


STEPS = [
    pytest.param("stage changes", marks=pytest.mark.thorough),
    "append changelog",
    pytest.param("write state", marks=pytest.mark.thorough),
    pytest.param("commit batch", marks=pytest.mark.thorough),
]


@pytest.mark.parametrize("step", STEPS)
def test_a_run_after_a_failure_goes_on(make, step):
    project = make(logged=LOGGED)
    project.run("run")
    project.table("events", SECOND)
    project.run("run", vars={"dbt_changelog_fail_after": step}, expect_failure=True)
    project.table("events", [("c", 3, "Cleo", 5)])
    project.run("run")
    assert rows(project, "logged") == [(1, "Eve", 3), (3, "Cleo", 5)]
    assert rows(project, "logged__changelog", "_row_kind, id") == [
        ("DELETE", 2), ("INSERT", 1), ("INSERT", 2), ("INSERT", 3), ("UPDATE_AFTER", 1),
    ]  # fmt: skip


def test_a_lost_checkpoint_is_an_error(make):
    project = make(customers=CUSTOMERS)
    project.run("run")
    shutil.rmtree(checkpoints(project, "customers"))
    result = project.run("run", expect_failure=True)
    assert "is not in" in result.log and "--full-refresh" in result.log
    assert len(rows(project, "customers")) == 2
    project.run("run", "--full-refresh")
    assert len(rows(project, "customers")) == 2


@pytest.mark.thorough
def test_a_lost_state_is_an_error(make):
    project = make(customers=CUSTOMERS)
    project.run("run")
    project.sql("drop view customers")
    project.sql("drop table customers__state")
    result = project.run("run", expect_failure=True)
    assert "customers__state is gone" in result.log
    project.run("run", "--full-refresh")
    assert len(rows(project, "customers")) == 2


@pytest.mark.thorough
def test_the_checkpoint_of_another_model_is_an_error(make, tmp_path):
    folder = f"function='from_changelog', checkpoint_location='{tmp_path}/shared'"
    shared = CUSTOMERS.replace("function='from_changelog'", folder)
    project = make(customers=shared, others=shared)
    result = project.run("run", expect_failure=True)
    assert "has the checkpoint of uid 'model.functional.customers'" in result.log


@pytest.mark.thorough
def test_the_checkpoint_of_another_table_is_an_error(make, tmp_path):
    """As of two targets that have one folder: a refresh would remove that of the other."""
    folder = f"checkpoint_location='{tmp_path}/shared', alias=var('name', 'customers')"
    project = make(model=CUSTOMERS.replace("unique_key=", f"{folder}, unique_key="))
    project.run("run")
    other = {"name": "others"}
    result = project.run("run", "--full-refresh", vars=other, expect_failure=True)
    assert f"has the checkpoint of {project.schema}.customers, and this model is" in result.log
    project.table("events", SECOND)
    project.run("run")
    assert rows(project, "customers") == [(1, "Eve", 3)]


@pytest.mark.thorough
def test_a_state_that_was_put_back_is_an_error(make):
    project = make(customers=CUSTOMERS)
    project.run("run")
    kept = checkpoints(project, "customers")
    shutil.copytree(kept, kept.with_name("kept"))
    project.table("events", SECOND)
    project.run("run")
    shutil.rmtree(kept)
    kept.with_name("kept").rename(kept)
    result = project.run("run", expect_failure=True)
    assert "or is an older one" in result.log


@pytest.mark.thorough
def test_files_that_a_killed_process_left_half_written_are_written_anew(make):
    project = make(customers=CUSTOMERS)
    project.run("run")
    folder = checkpoints(project, "customers")
    for name in ("dbt_changelog.json", "running.json"):
        (folder / name).write_text('{"uid": "new"}')
        # a checksum file that has its head only
        (folder / f".{name}.crc").write_bytes(b"crc\0\0\0\2\0")
    project.table("events", SECOND)
    project.run("run")
    assert rows(project, "customers") == [(1, "Eve", 3)]


@pytest.mark.thorough
def test_a_process_that_was_killed_while_spark_began_a_checkpoint_stops_nobody(make):
    project = make(customers=CUSTOMERS)
    project.run("run", "--empty")
    offsets = checkpoints(project, "customers") / "a1b2c3d4/offsets"
    offsets.mkdir(parents=True)
    (offsets / ".0.5d1a1c9e-6c1c-4f0e-9d9b-2f1c1d1e1f10.tmp").write_text("v1")
    project.run("run")
    assert rows(project, "customers") == [(1, "Ada", 1), (2, "Ben", 2)]


@pytest.mark.thorough
def test_no_hook_runs_where_the_stream_runs_elsewhere(make):
    hook = "pre_hook='create table {{ target.schema }}.hooked (id int)'"
    project = make(customers=CUSTOMERS.replace("unique_key=", f"{hook}, unique_key="))
    held = {"host": socket.gethostname(), "pid": 1, "began": _began(1), "seen": 0}
    folder = checkpoints(project, "customers")
    folder.mkdir(parents=True)
    (folder / "running.json").write_text(json.dumps(held))
    assert "runs in process 1 on" in project.run("run").nodes["customers"].message
    assert "hooked" not in project.tables()
    (folder / "running.json").unlink()
    project.run("run")
    assert "hooked" in project.tables()


def test_a_query_without_a_stream_is_refused(make):
    project = make(customers=CUSTOMERS.split("{{ dbt_changelog.stream")[0] + SOURCE)
    result = project.run("run", expect_failure=True)
    assert "it reads no stream" in result.log
    assert "customers__state" not in project.tables()


SOURCE = "{{ source('bronze', 'events') }}"


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("function='upsert'", "'upsert' is not one of from_changelog, to_changelog"),
        ("read='full'", "there is no such argument"),
        ("trigger='once'", "is neither 'available_now' nor"),
        ("trigger={'processing_time': '1 second'}", "it has no end"),
        ("checkpoint_location=1", "is no folder"),
        ("checkpoint_location='s9://lake/customers'", 'No FileSystem for scheme "s9"'),
    ],
)
def test_a_wrong_config_says_what_to_do(make, config, words):
    name = config.split("=")[0]
    text = CUSTOMERS.replace("function='from_changelog',", "") if name == "function" else CUSTOMERS
    project = make(customers=text.replace("unique_key=", f"{config}, unique_key="))
    result = project.run("run", expect_failure=True)
    assert words in result.log and "To fix: " in result.log
    assert project.tables() == ["dbt_changelog_batches", "events"]


@pytest.mark.thorough
def test_a_stream_ends_when_nothing_comes(make):
    trigger = "trigger={'processing_time': '1 second', 'idle_for': '3 seconds'}, unique_key="
    project = make(customers=CUSTOMERS.replace("unique_key=", trigger))
    project.run("run")
    assert len(rows(project, "customers")) == 2


BY_COLUMN = (
    CUSTOMERS.replace("changelog_stream', function='", "")
    .replace(
        "{{ dbt_changelog.stream(source('bronze', 'events')) }}",
        "{{ dbt_changelog.new_rows(source('bronze', 'events')) }}",
    )
    .replace("unique_key", "read={'column': 'lsn'}, unique_key")
)


@pytest.mark.thorough
def test_a_model_with_a_key_may_become_a_stream_and_go_back(make):
    project = make(customers=BY_COLUMN)
    project.run("run")
    project.table("events", SECOND[:1])
    project.write("models/customers.sql", CUSTOMERS)
    project.run("run")
    assert rows(project, "customers") == [(1, "Eve", 3), (2, "Ben", 2)]
    project.table("events", SECOND[1:])
    project.write("models/customers.sql", BY_COLUMN)
    project.run("run")
    assert rows(project, "customers") == [(1, "Eve", 3)]
    project.table("events", [("c", 3, "Cleo", 5)])
    project.write("models/customers.sql", CUSTOMERS)
    project.run("run")
    assert rows(project, "customers") == [(1, "Eve", 3), (3, "Cleo", 5)]


@pytest.mark.thorough
def test_where_each_event_counts_a_stream_does_not_take_over(make):
    by_column = BAG.replace("changelog_stream', function='", "").replace("stream {{", "{{")
    by_column = by_column.replace("{{ source('bronze', 'events') }}", NEW_ROWS)
    by_column = by_column.replace("changelog=true", "read={'column': 'lsn', 'strict': true}")
    bag = BAG.replace("changelog=true,", "")
    for first, then in ((by_column, bag), (bag, by_column)):
        project = make(bag=first)
        project.run("run")
        project.table("events", [("c", 3, "Cleo", 5)])
        project.write("models/bag.sql", then)
        result = project.run("run", expect_failure=True)
        assert "--full-refresh" in result.log
        assert len(rows(project, "bag")) == 2
        project.run("run", "--full-refresh")
        assert len(rows(project, "bag")) == 3


NEW_ROWS = "{{ dbt_changelog.new_rows(source('bronze', 'events')) }}"
FEED = (
    "{{ config(materialized='changelog_stream', function='from_changelog', unique_key='id',"
    " sequence_by=['_commit_version', 'kind_rank'], op='_change_type',"
    " op_mapping={'insert': 'INSERT', 'update_preimage': 'UPDATE_BEFORE',"
    " 'update_postimage': 'UPDATE_AFTER', 'delete': 'DELETE'}) }}\n"
    "select _change_type, _commit_version, id, name,"
    " if(_change_type in ('insert', 'update_postimage'), 1, 0) as kind_rank"
    " from {{ dbt_changelog.stream(source('bronze', 'accounts'), {'readChangeFeed': true}) }}\n"
)


@pytest.mark.parametrize("home", ["delta"])
def test_a_change_data_feed_is_a_stream(make, home):
    project = make(copy=FEED)
    feed = "tblproperties ('delta.enableChangeDataFeed' = 'true')"
    project.sql(f"create table accounts (id int, name string) using delta {feed}")
    project.write("models/sources.yml", SOURCES.replace("{name: events}", "{name: accounts}"))
    project.sql("insert into accounts values (1, 'Ada'), (2, 'Ben'), (3, 'Cleo')")
    project.run("run")
    project.sql("update accounts set name = 'Eve' where id = 1")
    project.sql("delete from accounts where id = 2")
    project.run("run")
    assert rows(project, "copy", "id, name") == [(1, "Eve"), (3, "Cleo")]


WHOLE = CUSTOMERS.replace("changelog_stream', function='", "").replace("dbt_changelog.stream(", "(")


@pytest.mark.thorough
@pytest.mark.parametrize("home", ["iceberg"])
def test_a_new_stream_of_a_table_whose_snapshots_expired_is_refused(make, home):
    """It would read what the rest added. Loaded as a whole, and then followed, nothing is lost."""
    project = make(customers=CUSTOMERS)

    def expire() -> int:
        table = f"table => '{project.schema.removeprefix('ice.')}.events'"
        until = "older_than => timestamp '2100-01-01 00:00:00', retain_last => 1"
        project.sql(f"call ice.system.expire_snapshots({table}, {until})")
        return time.time_ns() // 1_000_000

    def follow(moment: int) -> None:
        options = f"'events'), {{'stream-from-timestamp': {moment}}})"
        project.write("models/customers.sql", CUSTOMERS.replace("'events'))", options))

    project.table("events", [("c", 3, "Cleo", 3)])
    expire()
    result = project.run("run", expect_failure=True)
    assert "a new stream would miss" in result.log and "To fix: " in result.log
    assert project.tables() == ["dbt_changelog_batches", "events"]
    assert not checkpoints(project, "customers").exists()
    project.write("models/customers.sql", WHOLE)
    project.run("run")
    moment = expire()
    project.table("events", [("u", 1, "Eve", 4)])
    follow(moment)
    project.run("run")
    assert rows(project, "customers", "id, name") == [(1, "Eve"), (2, "Ben"), (3, "Cleo")]
    # one that goes on needs no snapshot that it has passed, and no option
    expire()
    project.table("events", [("d", 2, None, 5)])
    project.write("models/customers.sql", CUSTOMERS)
    project.run("run")
    assert rows(project, "customers", "id, name") == [(1, "Eve"), (3, "Cleo")]
    # not even that at which its checkpoint began
    expire()
    project.table("events", [("c", 9, "Ian", 5)])
    project.table("events", [("d", 9, None, 6)])
    project.run("run")
    expire()
    project.run("run")
    assert rows(project, "customers", "id, name") == [(1, "Eve"), (3, "Cleo")]
    # but that up to which it was read
    project.table("events", [("c", 8, "Fay", 6)])
    expire()
    lost = project.run("run", expect_failure=True)
    assert "no longer has the snapshot up to which it was read" in lost.log
    assert "To fix: run with --full-refresh" in lost.log
    # nor does a full refresh forget what it can not read again
    follow(moment)
    moment = expire()
    refreshed = project.run("run", "--full-refresh", expect_failure=True)
    assert "a new stream would miss" in refreshed.log
    assert rows(project, "customers", "id, name") == [(1, "Eve"), (3, "Cleo")]
    project.write("models/customers.sql", WHOLE)
    project.run("run", "--full-refresh")
    project.table("events", [("c", 4, "Dan", 6)])
    follow(moment)
    project.run("run")
    assert rows(project, "customers", "id, name") == [
        *[(1, "Eve"), (3, "Cleo"), (4, "Dan"), (8, "Fay")],
    ]


RATE = (
    "{{ config(materialized='changelog_stream', function='from_changelog', unique_key='id',"
    " sequence_by='value', trigger={'processing_time': '1 second', 'run_for': '20 seconds'},"
    " op_mapping={'u': 'UPDATE_AFTER'}) }}\n"
    "select 'u' as op, value % 10 as id, value"
    " from {{ dbt_changelog.stream(format='rate', options={'rowsPerSecond': 20}) }}\n"
)


@pytest.mark.thorough
def test_a_rate_is_a_stream(new_project):
    project = new_project({"models/counted.sql": RATE})
    project.run("run")
    found = rows(project, "counted", "id, value")
    assert [id for id, _ in found] == list(range(10))
    assert {value % 10 for _, value in found} == set(range(10))
    assert max(value for _, value in found) - min(value for _, value in found) == 9


FILES = (
    "{{ config(materialized='changelog_stream', function='from_changelog', unique_key='id',"
    f" sequence_by='lsn', {MAPPING}) }}}}\n"
    "select * from {{ dbt_changelog.stream(format='json', schema='op string, id int, name string,"
    " lsn int', options={'path': 'FOLDER', 'maxFilesPerTrigger': 1}) }}\n"
)
PYTHON = """
def model(dbt, session):
    dbt.config(
        materialized="changelog_stream",
        function="from_changelog",
        unique_key="id",
        sequence_by="lsn",
        op_mapping={"c": "INSERT", "u": "UPDATE_AFTER", "d": "DELETE"},
    )
    reader = session.readStream.schema("op string, id int, name string, lsn int")
    return reader.option("maxFilesPerTrigger", 1).json("FOLDER")
"""


@pytest.mark.parametrize("language", ["sql", "py"])
def test_files_are_a_stream(new_project, tmp_path, language):
    text = (FILES if language == "sql" else PYTHON).replace("FOLDER", str(tmp_path))
    project = new_project({f"models/customers.{language}": text})
    names = COLUMNS.replace(",", "").split()[::2]
    for number, event in enumerate([*FIRST, *SECOND]):
        line = json.dumps(dict(zip(names, event, strict=True)))
        (tmp_path / f"{number}.json").write_text(line)
    project.run("run")
    assert rows(project, "customers") == [(1, "Eve", 3)]


@pytest.mark.thorough
def test_the_example_follows_a_folder(new_project, tmp_path):
    """What `make demo` shows: files land while one run goes on, each a batch that readers see."""
    folder = tmp_path / "landing"
    example = test_shop.EXAMPLE / "models/stream/live_customers.sql"
    project = new_project(
        {
            "models/customers.sql": example.read_text(),
            "macros/landing_folder.sql": "{% macro landing_folder() %}"
            f"{{{{ return('{folder}') }}}}{{% endmacro %}}",
        }
    )
    folder.mkdir()
    shutil.copy(test_shop.FIXTURE / "batch_1.jsonl", folder)
    assert project.run("run").nodes["customers"].message.startswith("batch 1, 52 rows inserted")
    customers, seen = f"{project.schema}.customers", []

    def land() -> None:
        for batch in (2, 3):
            shutil.copy(test_shop.FIXTURE / f"batch_{batch}.jsonl", tmp_path / "a_file")
            (tmp_path / "a_file").rename(folder / f"{batch}.json")
            deadline = time.monotonic() + 240
            truth = test_shop.read_dump("customers", batch)
            while Counter(map(tuple, project.spark.table(customers).collect())) != truth:
                assert time.monotonic() < deadline
                time.sleep(1)
            seen.append(batch)

    connector = Thread(target=land, daemon=True)
    connector.start()
    follow = {"trigger": {"processing_time": "1 second", "idle_for": "15 seconds"}}
    lines = project.run("run", vars=follow).log.splitlines()
    assert seen == [2, 3]
    assert [line[:18] for line in lines if "rows read in" in line] == [
        "customers: batch 2", "customers: batch 3",
    ]  # fmt: skip


def test_python_models_run_in_the_session(new_project):
    project = new_project(
        {
            "models/events.py": """
            def model(dbt, session):
                dbt.config(materialized="table")
                return session.sql("select 'c' as op, 1 as id, 'Ada' as name, 1 as lsn")
            """,
            "models/customers.py": """
            def model(dbt, session):
                dbt.config(materialized="from_changelog", unique_key="id", sequence_by="lsn",
                           op_mapping={"c": "INSERT"})
                return dbt.ref("events").filter("id > 0")
            """,
        }
    )
    project.run("run")
    assert rows(project, "customers") == [(1, "Ada", 1)]


def test_text_of_a_format_is_a_stream(new_project):
    """As Kafka gives it. A value that was not sent stays, and a delete needs only its key."""
    model = """
    {{ config(materialized='changelog_stream', function='from_changelog', format='debezium',
              unique_key='id', payload_schema='id int, doc string') }}
    select key, value from {{ dbt_changelog.stream(source('bronze', 'events')) }}
    """
    project = new_project({"models/sources.yml": SOURCES, "models/customers.sql": model})

    def land(*events: tuple[str, dict[str, Any] | None, int]) -> None:
        for op, row, lsn in events:
            value = {"op": op, "before": None, "after": row, "source": {"lsn": lsn}}
            key = {"id": row["id"] if row else 2}
            found = [(json.dumps(key).encode(), json.dumps(value).encode())]
            project.table("events", found, "key binary, value binary" if lsn == 1 else None)

    land(("c", {"id": 1, "doc": "a"}, 1), ("c", {"id": 2, "doc": "b"}, 2))
    project.run("run")
    assert rows(project, "customers") == [(1, "a"), (2, "b")]
    unsent = {"id": 1, "doc": "__debezium_unavailable_value"}
    land(("d", None, 4), ("u", unsent, 3))
    project.run("run")
    assert rows(project, "customers") == [(1, "a")]


@pytest.mark.thorough
def test_a_table_is_adopted(new_project):
    model = """
    {{ config(materialized='changelog_stream', function='from_changelog', unique_key='id',
              sequence_by='lsn', op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'},
              adopt=true) }}
    select * from {{ dbt_changelog.stream(source('bronze', 'events')) }}
    """
    project = new_project(
        {"models/sources.yml": test_adopt.SOURCES, "models/customers.sql": model}, "adopt"
    )
    project.table("events", test_adopt.EVENTS, COLUMNS)
    test_adopt.make_table(project, "delta", "customers")
    project.run("run")
    assert rows(project, "customers") == test_adopt.CONTENTS
    project.table("events", [("u", 9, "Zoe", 9)])
    project.run("run")
    assert (9, "Zoe", 9) in rows(project, "customers")


@pytest.mark.thorough
def test_a_key_is_erased_that_a_stream_follows(new_project):
    """It breaks at rows that go from an append-only table, and goes on if it is told to."""
    follower = """
    {{ config(materialized='changelog_stream', function='from_changelog', unique_key='id',
              sequence_by=['_batch_id', '_sequence', '_ordinal'], op='_row_kind') }}
    select _row_kind, _batch_id, _sequence, _ordinal, id, name
    from {{ dbt_changelog.stream(dbt_changelog.beside(ref('customers'), 'changelog') OPTIONS) }}
    """
    first = follower.replace(" OPTIONS", "")
    project = test_erase.making(new_project, "delta", ", changelog=true", follower=first)
    assert test_erase.names(project, model="follower") == [(1, "Ada"), (2, "Rob")]
    test_erase.erase(project, [{"id": 2}])
    project.table("events", [("c", 4, "de", "Dan", 6)])
    log = project.run("run", expect_failure=True).log
    assert "DELTA_SOURCE_IGNORE_DELETE" in log or "DELTA_SOURCE_TABLE_IGNORE_CHANGES" in log
    options = ", options={'skipChangeCommits': 'true'}"
    project.write("models/delta/follower.sql", follower.replace(" OPTIONS", options))
    project.run("run")
    # what it has taken is its own to erase
    assert test_erase.names(project, model="follower") == [(1, "Ada"), (2, "Rob"), (4, "Dan")]
    test_erase.erase(project, [{"id": 2}], model="follower")
    assert test_erase.names(project, model="follower") == [(1, "Ada"), (4, "Dan")]


# law 5: the laws' logs as streams, a micro-batch for each file of their tables
STREAMS = {
    name: Call("model", name, *MODELS[name], is_stream=True)
    for name in ("codes", "images", "flag", "kinds_ties", "appended_images")
}


@pytest.fixture(scope="module")
def laws(new_project, home):
    print(f"DBT_CHANGELOG_SEED={SEED}")
    files = {f"models/{call.name}.sql": call.model() for call in STREAMS.values()}
    project = new_project({**files, **TABLES}, name="streams", threads=2, home=home)
    return Laws(project, STREAMS, {})


@pytest.mark.thorough
@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("name", STREAMS)
def test_law_5_a_stream_has_the_contents_of_its_log(laws, name, batch):
    call = STREAMS[name]
    laws.check(
        call,
        laws.found[call.name, batch],
        lambda log: map(comparable, contents(call.shape, log.until(batch), call.arguments)),
    )


@pytest.mark.thorough
@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("name", [name for name in STREAMS if STREAMS[name].writes_changelog])
def test_law_5_the_changelog_of_a_stream_folds_to_them(laws, name, batch):
    call = STREAMS[name]
    written = laws.written[call.name, batch]
    folded = {number: fold_by_key(changes) for number, changes in written.items()}
    laws.check(
        call,
        folded,
        lambda log: map(without, contents(call.shape, log.until(batch), call.arguments)),
    )


# law 5: dbt run at once, over a split, and the stream over it, whatever a micro-batch may have
LIMITS = (1, 2, 5, None)
WAYS = ("once", "split", "stream")


class Splits(Laws):
    """The logs in random pieces: what each way to read them has come to at the end."""

    def __init__(self, project: Project, calls: list[Call], chance: Random) -> None:
        self.project = project
        shapes = {call.shape.name: call.shape for call in calls}
        self.logs = {name: changelogs.logs_of(shape) for name, shape in shapes.items()}
        pieces = range(1, chance.randint(3, 6) + 1)
        for log in (log for logs in self.logs.values() for log in logs):
            log.batches = [chance.choice(pieces) for _ in log.events]
        stops = {*chance.sample(pieces[:-1], chance.randint(1, 2)), pieces[-1]}
        for piece in pieces:
            for table, columns in changelogs.TABLES.items():
                rows = [
                    row
                    for name, logs in self.logs.items()
                    if shapes[name].table == table
                    for log in logs
                    for row in log.rows(piece)
                ]
                project.table(table, rows, columns if piece == 1 else None)
            if piece in stops:
                project.run("run", "--exclude", "once_*")
        project.run("run", "--select", "once_*")
        self.ends = {call.name: self.rows(call.name) for call in calls}
        self.folds = {
            call.name: self.changes(f"{call.name}__changelog")
            for call in calls
            if call.writes_changelog
        }


@pytest.fixture(
    scope="module",
    params=[pytest.param(turn, marks=pytest.mark.thorough) for turn in range(4)],
)
def splits(request, new_project, home):
    """Each turn gives the models other limits."""
    print(f"DBT_CHANGELOG_SEED={SEED}")
    calls = [
        Call("model", name, *MODELS[name], is_stream=way == "stream", files=limit, prefix=way)
        for name, limit in zip(STREAMS, LIMITS[request.param :] + LIMITS, strict=False)
        for way in WAYS
    ]
    files = {f"models/{call.name}.sql": call.model() for call in calls}
    project = new_project({**files, **TABLES}, name="splits", threads=2, home=home)
    return Splits(project, calls, Random(f"{SEED}:splits:{request.param}"))


@pytest.mark.parametrize("name", STREAMS)
@pytest.mark.parametrize("way", WAYS)
def test_law_5_contents_are_those_of_any_split(splits, name, way):
    call = STREAMS[name]
    splits.check(
        call,
        splits.ends[f"{way}_{name}"],
        lambda log: map(comparable, contents(call.shape, log.read_as, call.arguments)),
    )


@pytest.mark.parametrize("name", [name for name in STREAMS if STREAMS[name].writes_changelog])
@pytest.mark.parametrize("way", WAYS)
def test_law_5_changelogs_fold_to_those_of_any_split(splits, name, way):
    call = STREAMS[name]
    for folds in [fold_by_key] + [fold] * CHANGELOGS[name]:
        written = splits.folds[f"{way}_{name}"]
        splits.check(
            call,
            {number: folds(changes) for number, changes in written.items()},
            lambda log: map(without, contents(call.shape, log.read_as, call.arguments)),
        )


SHOP_SOURCES = """
sources: [{name: shop, schema: "{{ target.schema }}", tables: [{name: events}]}]
"""
SHOP_COLUMNS = "topic string, key string, value string, ingested_at timestamp"
SHOP_KEYS = {"customers": "id", "orders": "order_id, line_no"}


def shop_model(table: str, way: str, limit: int | None) -> str:
    """The example's own model with a changelog, and with a stream as its source."""
    text = (test_shop.EXAMPLE / f"models/shop/{table}.sql").read_text()
    text = text.replace("source('bronze', 'shop_events')", "source('shop', 'events')")
    text = text.replace("materialized=", "changelog=true, materialized=")
    if way == "stream":
        text = text.replace("'from_changelog'", "'changelog_stream', function='from_changelog'")
        text = text.replace("read={'column': 'ingested_at'},", "")
        text = text.replace("new_rows(", "stream(").replace(
            "'events')", f"'events'), {files_options(limit)}"
        )
    return text


def check_shop(project: Project, table: str, way: str, batch: int) -> None:
    """Contents and folded changelog are what the source's own table was after a batch."""
    columns, key = ", ".join(test_shop.TABLES[table]), SHOP_KEYS[table]
    last = "_batch_id desc, _sequence desc, _ordinal desc"
    folded = f"""
        select {columns} from (
          select *, row_number() over (partition by {key} order by {last}) as place
          from {table}_{way}__changelog
        ) where place = 1 and _row_kind in ('INSERT', 'UPDATE_AFTER')"""
    truth = test_shop.read_dump(table, batch)
    for text in (f"select {columns} from {table}_{way}", folded):
        found = Counter(map(tuple, project.sql(text)))
        assert found == truth, (
            f"{table}_{way} after batch {batch}, DBT_CHANGELOG_SEED={SEED}: "
            f"too many {list(found - truth)[:3]}, missing {list(truth - found)[:3]}\n{text}"
        )


@pytest.mark.thorough
@pytest.mark.parametrize(
    "limits",
    [
        {"customers": 5},
        *(
            {"customers": customers, "orders": orders}
            for customers, orders in [(1, 2), (2, 5), (5, None), (None, 1)]
        ),
    ],
    ids=lambda limits: "-".join(map(str, limits.values())),
)
def test_law_5_of_a_shop(new_project, home, limits):
    """Random pieces of each batch, and runs after some of them."""
    print(f"DBT_CHANGELOG_SEED={SEED}")
    chance = Random(f"{SEED}:shop:{limits}")
    files = {
        f"models/{table}_{way}.sql": shop_model(table, way, limit)
        for table, limit in limits.items()
        for way in WAYS
    }
    order_row = (test_shop.EXAMPLE / "macros/order_row.sql").read_text()
    files |= {"models/sources.yml": SHOP_SOURCES, "macros/order_row.sql": order_row}
    project = new_project(files, name="shop_streams", threads=2, home=home)
    # true contents are known at the end of a batch
    last = test_shop.BATCHES[-1]
    checks = {*chance.sample(test_shop.BATCHES[:-1], 1), last}
    within = chance.choice(test_shop.BATCHES)
    earlier: list[test_shop.Event] = []
    for batch in test_shop.BATCHES:
        events = test_shop.read_events(batch)
        start = datetime(2026, 1, 1, batch)
        landed = [
            (*event, start + timedelta(milliseconds=number))
            for number, event in enumerate(test_shop.delivered_again(events, earlier, chance))
        ]
        earlier += events
        cuts = sorted(chance.sample(range(1, len(landed)), chance.randint(0, 2)))
        for begin, end in zip([0, *cuts], [*cuts, len(landed)], strict=True):
            columns = SHOP_COLUMNS if batch == 1 and begin == 0 else None
            project.table("events", landed[begin:end], columns)
            if batch == within and begin == 0:
                project.run("run", "--exclude", "*_once")
        if batch in checks:
            project.run("run", *(["--exclude", "*_once"] if batch != last else []))
            for table in limits:
                for way in WAYS[batch != last :]:
                    check_shop(project, table, way, batch)
