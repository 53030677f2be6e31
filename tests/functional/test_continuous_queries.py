"""Dynamic tables: two queries over a table of clicks, and the events that each step adds.

The clicks are those of Flink's page on dynamic tables (Apache Flink, Apache License 2.0).
"""

from __future__ import annotations

import pytest

SOURCES = """
sources: [{name: bronze, schema: "{{ target.schema }}", tables: [{name: clicks}]}]
"""
COUNTS = "select user, count(url) as clicks from {{ source('bronze', 'clicks') }} group by user"
# a window has a result when it is over
WINDOWS = """
select user, window.end as ends_at, count(url) as clicks
from {{ source('bronze', 'clicks') }}
where c_time < (select date_trunc('hour', max(now)) from {{ source('bronze', 'clicks') }})
group by user, window(c_time, '1 hour')
"""


def model(query, more):
    return f"{{{{ config(materialized='to_changelog', {more}) }}}}\n{query}"


FILES = {
    "models/sources.yml": SOURCES,
    "models/retracted.sql": model(COUNTS, "unique_key='user', encoding='retract'"),
    "models/upserted.sql": model(COUNTS, "unique_key='user', encoding='upsert'"),
    "models/appended.sql": model(WINDOWS, "encoding='append'"),
    "models/refused.sql": model(COUNTS, "unique_key='user', encoding='append'"),
    "models/refused_without_key.sql": model(COUNTS, "encoding='append'"),
}
MORNING = [
    ("Mary", "12:00:00", "./home"),
    ("Bob", "12:00:00", "./cart"),
    ("Mary", "12:00:05", "./prod?id=1"),
    ("Liz", "12:01:00", "./home"),
]


def new_events(project, model, step):
    columns = "op, user, clicks" if model != "appended" else "op, user, ends_at, clicks"
    return [
        tuple(str(value) for value in row)
        for row in project.sql(
            f"select {columns} from {model} where _batch_id = {step} order by user, _position"
        )
    ]


def land(project, clicks, now):
    rows = [(user, f"2026-01-01 {time}", url, f"2026-01-01 {now}") for user, time, url in clicks]
    project.table("texts", rows, "user string, c_time string, url string, now string")
    select = "select user, timestamp(c_time) as c_time, url, timestamp(now) as now from texts"
    exists = project.spark.catalog.tableExists(f"{project.schema}.clicks")
    project.sql(
        f"insert into clicks {select}"
        if exists
        else f"create table clicks using {project.home} as {select}"
    )


def test_events_of_each_step(new_project, home):
    project = new_project(FILES, name="clicks", home=home)
    seen = {"retracted": [], "upserted": []}
    for click in MORNING:
        land(project, [click], click[1])
        project.run("run", "--select", *seen)
        batch = len(seen["retracted"]) + 1
        for name, events in seen.items():
            events.append(new_events(project, name, batch))
    assert seen["retracted"] == [
        [("INSERT", "Mary", "1")],
        [("INSERT", "Bob", "1")],
        [("DELETE", "Mary", "1"), ("INSERT", "Mary", "2")],
        [("INSERT", "Liz", "1")],
    ]
    assert seen["upserted"] == [
        [("UPDATE_AFTER", "Mary", "1")],
        [("UPDATE_AFTER", "Bob", "1")],
        [("UPDATE_AFTER", "Mary", "2")],
        [("UPDATE_AFTER", "Liz", "1")],
    ]


HOURS = {
    "13:00:00": [*MORNING, ("Bob", "12:30:00", "./prod?id=3")],
    "14:00:00": [("Mary", "13:01:00", "./cart"), ("Liz", "13:30:00", "./home")],
    "15:00:00": [("Liz", "14:10:00", "./prod?id=7")],
}


@pytest.mark.thorough
def test_a_query_that_only_adds_rows_is_appended(new_project, home):
    project = new_project(FILES, name="windows", home=home)
    found = []
    for number, (now, clicks) in enumerate(HOURS.items(), 1):
        land(project, clicks, now)
        project.run("run", "--select", "appended")
        found.append(new_events(project, "appended", number))
    assert found == [
        [
            ("INSERT", user, "2026-01-01 13:00:00", n)
            for user, n in (("Bob", "2"), ("Liz", "1"), ("Mary", "2"))
        ],
        [("INSERT", user, "2026-01-01 14:00:00", "1") for user in ("Liz", "Mary")],
        [("INSERT", "Liz", "2026-01-01 15:00:00", "1")],
    ]


@pytest.mark.thorough
@pytest.mark.parametrize("rows", [[], [("Zoe", "12:59:00", "./home")]])
def test_a_query_that_updates_is_not_appended(new_project, home, rows):
    project = new_project(FILES, name="refused", home=home)
    land(project, [("Bob", "12:00:00", "./home"), *rows], "13:00:00")
    project.run("run", "--select", "refused", "refused_without_key")
    land(project, [("Bob", "12:00:00", "./cart")], "13:00:00")
    for _ in range(2):
        nodes = project.run(
            "run", "--select", "refused", "refused_without_key", expect_failure=True
        ).nodes
        message = nodes["refused"].message
        assert "Invalid 'encoding' in to_changelog model 'refused'" in message
        assert '"user":"Bob"' in message and "Zoe" not in message
        message = nodes["refused_without_key"].message
        assert '{"_row_kind":"DELETE","user":"Bob","clicks":1}' in message
    assert {row._batch_id for row in project.sql("select _batch_id from refused")} == {1}
