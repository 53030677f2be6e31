"""watermark: events wait until their time is complete, and are applied in its order."""

from __future__ import annotations

from datetime import datetime

import pytest

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
MODEL = """
{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='event_time',
    watermark='5 minutes', read={{'column': 'seen'{strict}}}, changelog=true{more}) }}}}
select op, id, name, event_time{seen}
from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
"""


def at(clock: str) -> datetime:
    return datetime.fromisoformat(f"2024-01-01 {clock}:00")


@pytest.fixture
def flip(new_project, request):
    name = request.node.name.split("[")[0]
    return new_project(
        {
            "models/sources.yml": SOURCES,
            "models/t.sql": MODEL.format(strict="", more=", passthrough='event_time'", seen=", seen"),
        },
        name,
        home="delta",
    )


def test_an_event_waits_and_a_late_one_is_dropped(flip):
    events = [
        ("INSERT", 1, "first", at("10:05")),
        ("INSERT", 6, "A", at("10:05")),
        ("INSERT", 5, "B", at("09:55")),
        ("INSERT", 7, "C", at("10:11")),
    ]
    seen = []
    for number, event in enumerate(events):
        flip.table(
            "events",
            [(*event, number)],
            "op string, id int, name string, event_time timestamp, seen int" * (number == 0),
        )
        result = flip.run("run")
        print(result.nodes["t"].message)
        seen.append(flip.sql("select id from t order by id"))
    print(flip.ran("t"))
    assert seen == [[], [], [], [(1,), (6,)]]
