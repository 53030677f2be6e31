"""watermark: events wait until their time is complete, and are applied in its order."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

import pytest

from .project import Project

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
MODEL = """
{{{{ config({config}) }}}}
select op, id, name, event_time, seen{more}
from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
"""
CONFIG: dict[str, Any] = {
    "materialized": "from_changelog",
    "unique_key": "id",
    "sequence_by": "event_time",
    "watermark": "5 minutes",
    "read": {"column": "seen"},
    # an event that is read again has the same time of arrival
    "passthrough": "seen",
}
COLUMNS = "op string, id int, name string, event_time timestamp, seen int"
FLUSH = {"dbt_changelog_flush": True}


def at(clock: str) -> datetime:
    return datetime.fromisoformat(f"2024-01-01 {clock}:00")


def model(more: str = "", /, **config: Any) -> str:
    settings = {name: value for name, value in (CONFIG | config).items() if value is not None}
    text = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    return MODEL.format(config=text, more=more)


class Arrivals:
    """A project whose events arrive one by one, each with a run after it."""

    def __init__(self, project: Project) -> None:
        self.project, self.count = project, 0

    def arrive(self, *events: tuple[Any, ...], **given: Any) -> str:
        """The message of the run, after these events came: (op, id, name, time)."""
        rows = [(op, id, name, at(time), self.count) for op, id, name, time in events]
        self.project.table("events", rows, None if self.count else COLUMNS)
        self.count += 1
        return self.run(**given)

    def run(self, *args: str, **given: Any) -> str:
        node = self.project.run("run", *args, vars=given.pop("vars", None), **given).nodes["t"]
        return node.message or ""

    def rows(self, columns: str = "id, name", table: str = "t") -> list[Any]:
        return self.project.sql(f"select {columns} from {table} order by all")


@pytest.fixture
def make(new_project, home):
    def make(name: str, **config: Any) -> Arrivals:
        files = {"models/sources.yml": SOURCES, "models/t.sql": model(**config)}
        return Arrivals(new_project(files, name, home=home))

    return make


def test_an_event_waits_for_its_time_and_a_late_one_is_dropped(make):
    """The example of FLIP-564, 4.1.2.2.1."""
    log = make("watermark")
    assert "0 events dropped, 1 events waiting" in log.arrive(("INSERT", 6, "A", "10:05"))
    assert "1 events dropped, 1 events waiting" in log.arrive(("INSERT", 5, "B", "09:55"))
    assert log.rows() == []
    assert "1 rows inserted" in log.arrive(("INSERT", 7, "C", "10:11"))
    assert log.rows() == [(6, "A")]
    assert log.run() == "nothing new"
    # below is late, at the watermark is not
    assert "1 events dropped" in log.arrive(
        ("INSERT", 8, "D", "10:05"), ("INSERT", 9, "E", "10:06")
    )
    assert log.rows() == [(6, "A"), (9, "E")]


def test_a_changelog_has_the_net_change_of_each_key(make):
    """The example of FLIP-564, 4.1.2.2.3, and what follows it."""
    log = make("compaction", changelog=True)
    log.arrive(("INSERT", 5, "A", "09:55"))
    log.arrive(("UPDATE_AFTER", 5, "Updated A", "09:57"))
    log.arrive(("UPDATE_AFTER", 5, "Between updates A", "09:56"))
    log.arrive(("INSERT", 6, "B", "10:20"))
    changes = "_row_kind, id, name"
    assert log.rows(changes, "t__changelog") == [("INSERT", 5, "Updated A")]
    log.arrive(
        ("UPDATE_BEFORE", 6, "B", "10:21"),
        ("UPDATE_AFTER", 6, "C", "10:21"),
        ("UPDATE_BEFORE", 6, "C", "10:22"),
        ("UPDATE_AFTER", 6, "D", "10:22"),
        ("DELETE", 5, "Updated A", "10:23"),
        ("INSERT", 7, "gone", "10:24"),
        ("DELETE", 7, "gone", "10:25"),
        ("INSERT", 8, "waits", "10:40"),
    )
    assert log.rows(changes, "t__changelog") == [
        ("DELETE", 5, "Updated A"),
        ("INSERT", 5, "Updated A"),
        ("INSERT", 6, "D"),
    ]
    assert log.rows() == [(6, "D")]


@pytest.mark.thorough
def test_what_waits_is_kept_though_the_source_was_emptied(make):
    """A landing table that is emptied after each load; what it still has does not wait twice."""
    log = make("emptied")
    log.arrive(
        ("INSERT", 1, "a", "10:00"), ("INSERT", 2, "b", "10:10"), ("INSERT", 3, "c", "10:11")
    )
    log.project.sql("delete from events where id <> 3")
    assert "3 events waiting" in log.arrive(("INSERT", 4, "d", "10:14"))
    log.project.sql("delete from events")
    assert "4 events waiting" in log.arrive(("INSERT", 5, "e", "10:14"))
    log.project.sql("delete from events")
    assert "4 rows inserted" in log.run(vars=FLUSH)
    assert log.rows() == [(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")]


def test_a_flush_ends_the_input(make):
    log = make("flush")
    log.arrive(("INSERT", 1, "a", "10:05"), ("INSERT", 2, "b", "10:01"))
    assert log.rows() == []
    assert "2 rows inserted" in log.run(vars=FLUSH)
    assert log.rows() == [(1, "a"), (2, "b")]
    assert log.run(vars=FLUSH) == "nothing new"
    assert [name for name in log.project.tables() if "buffer" in name] == []
    # what ended at 10:05 goes on from there
    assert "1 events dropped, 1 events waiting" in log.arrive(
        ("INSERT", 3, "c", "10:04"), ("INSERT", 4, "d", "10:06")
    )


@pytest.mark.thorough
def test_a_time_ahead_of_the_clock_does_not_move_the_watermark(make):
    log = make("future", max_future="10 minutes")
    now = {"dbt_changelog_now": "2024-01-01 10:00:00"}
    log.arrive(("INSERT", 1, "a", "09:50"), ("INSERT", 2, "future", "10:11"), vars=now)
    result = log.project.run("run", vars=now)
    log.arrive(("INSERT", 3, "b", "10:01"), vars=now)
    assert log.rows() == [(1, "a")]
    result = log.project.run("run", "--full-refresh", vars=now)
    assert any("1 events (the last one of 2024-01-01 10:11:00)" in w for w in result.warnings)
    # once the clock is near, it is an event like others
    later = {"dbt_changelog_now": "2024-01-01 10:05:00"}
    log.arrive(("INSERT", 4, "c", "10:02"), vars=later)
    assert log.rows() == [(1, "a"), (3, "b"), (4, "c")]


def test_late_events_may_be_kept(make):
    log = make("kept", late_handling="KEEP")
    columns = "op, id, name, event_time, _dbtc_batch_id, _dbtc_watermark"
    log.arrive(("INSERT", 1, "a", "10:05"))
    log.arrive(("INSERT", 2, "late", "09:59"))
    fails = {"dbt_changelog_fail_after": "keep late events"}
    log.arrive(("INSERT", 3, "later", "09:58"), vars=fails, expect_failure=True)
    log.run()
    assert log.rows(columns, "t__late") == [
        ("INSERT", 2, "late", at("09:59"), 2, at("10:00")),
        ("INSERT", 3, "later", at("09:58"), 3, at("10:00")),
    ]


@pytest.mark.thorough
def test_what_waits_survives_a_refresh_that_fails(make):
    log = make("refresh")
    log.arrive(("INSERT", 1, "a", "10:05"))
    fails = {"dbt_changelog_fail_after": "buffer events"}
    log.run("--full-refresh", vars=fails, expect_failure=True)
    log.arrive(("INSERT", 2, "b", "10:20"))
    assert log.rows() == [(1, "a")]
    # a refresh judges all events anew
    log.arrive(("INSERT", 3, "late", "10:10"))
    assert log.rows() == [(1, "a")]
    log.run("--full-refresh")
    assert log.rows() == [(1, "a"), (3, "late")]


@pytest.mark.thorough
def test_new_columns_of_what_waits_are_null(make):
    appends = {"on_schema_change": "append_new_columns"}
    log = make("evolved", **appends)
    log.arrive(("INSERT", 1, "a", "10:05"))
    log.arrive(("INSERT", 2, "b", "10:06"))
    log.project.write("models/t.sql", model(", 'new' as note", **appends))
    # the last rows are read again, and so have the column
    log.arrive(("INSERT", 3, "c", "10:05"), ("INSERT", 4, "d", "10:20"))
    assert log.rows("id, name, note") == [(1, "a", None), (2, "b", "new"), (3, "c", "new")]


@pytest.fixture(scope="module")
def refusing(new_project):
    project = new_project({"models/sources.yml": SOURCES}, "refused_watermarks")
    project.table("events", [("INSERT", 1, "a", at("10:00"), 1, 1)], f"{COLUMNS}, offset int")
    return project


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"watermark": "soon"}, "Invalid 'watermark' in .*: 'soon' is not a duration"),
        ({"sequence_by": ["seen", "event_time"]}, "`seen`, which is int and no timestamp"),
        ({"read": "full"}, "each run reads all events again"),
        ({"file_format": "parquet"}, "Parquet is for small tables"),
        ({"watermark": None, "max_future": "1 hour"}, "Invalid 'max_future' .* none is set"),
        ({"read": {"column": "offset"}}, "the query does not select offset"),
        ({"late_handling": "keep"}, "set late_handling='KEEP'"),
    ],
)
def test_what_a_watermark_can_not_go_with_is_refused(refusing, config, words):
    refusing.write("models/t.sql", model(**config))
    assert re.search(words, refusing.run("run", expect_failure=True).log)
    assert refusing.tables() == ["dbt_changelog_batches", "events"]


@pytest.mark.thorough
def test_text_of_a_format_waits_as_it_was_read(new_project, home):
    config = {
        **{"materialized": "from_changelog", "unique_key": "id", "format": "debezium"},
        **{"watermark": "5 minutes", "sequence_by": ["kafka_time", "seen"]},
        **{"read": {"column": "seen"}, "payload_schema": "id int, name string"},
    }
    settings = ", ".join(f"{name}={value!r}" for name, value in config.items())
    text = f"""{{{{ config({settings}) }}}}
        select key, value, kafka_time, seen
        from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}"""
    files = {"models/sources.yml": SOURCES, "models/t.sql": text}
    project = new_project(files, "wire_watermark", home=home)
    rows = [("c", 1, "ada", "10:00"), ("u", 1, "eve", "09:58"), ("c", 2, "bob", "10:04")]
    for number, (op, key, name, time) in enumerate([*rows, ("d", 1, "ada", "10:10")]):
        row = {"id": key, "name": name}
        images = {"before": row, "after": None} if op == "d" else {"before": None, "after": row}
        source = {"connector": "postgresql", "lsn": number, "ts_ms": 1, "snapshot": "false"}
        value = json.dumps({**images, "op": op, "source": source, "ts_ms": 1})
        event = (json.dumps({"id": key}), value, at(time), number)
        columns = "key string, value string, kafka_time timestamp, seen int"
        project.table("events", [event], None if number else columns)
        project.run("run")
    assert project.sql("select id, name from t order by id") == [(1, "ada"), (2, "bob")]
    project.run("run", vars=FLUSH)
    assert project.sql("select id, name from t order by id") == [(2, "bob")]


@pytest.mark.thorough
def test_nothing_is_erased_while_events_wait(make):
    log = make("erase")
    log.arrive(("INSERT", 1, "a", "10:05"))
    erase = ("run-operation", "erase", "--args", "{model: t, keys: [{id: 1}]}")
    assert "events of these keys may wait" in log.project.run(*erase, expect_failure=True).log
    log.run(vars=FLUSH)
    log.project.run(*erase)
    assert log.rows() == []


@pytest.mark.thorough
def test_a_watermark_is_not_left_out_while_events_wait(make):
    log = make("left_out")
    log.arrive(("INSERT", 1, "a", "10:05"))
    log.project.write("models/t.sql", model(watermark=None))
    message = log.run(expect_failure=True)
    assert "it was left out, and events wait for it" in message
    log.project.write("models/t.sql", model())
    log.run(vars=FLUSH)
    log.project.write("models/t.sql", model(watermark=None))
    log.arrive(("INSERT", 2, "b", "09:00"))
    assert log.rows() == [(1, "a"), (2, "b")]
