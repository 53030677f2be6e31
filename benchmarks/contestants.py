"""Who is measured: our model, the dbt model that people write by hand, and bare SQL."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from tests.functional.project import Project

from .events import PAYLOAD

OURS, BY_HAND, BARE = "dbt_changelog", "dbt incremental", "bare SQL"
NAMES = ", ".join(PAYLOAD)

OURS_MODEL = """
    {{ config(
        materialized='from_changelog', unique_key='id', sequence_by='lsn', read=$read,
        op_mapping={'c, r': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'},
    ) }}
    select op, $names from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
""".replace("$names", NAMES)

# Deletes are filtered out, so a key that a later batch deletes stays in the table.
BY_HAND_MODEL = """
    {{ config(materialized='incremental', incremental_strategy='merge', unique_key='id') }}
    with numbered_events as (
      select *, row_number() over (partition by id order by lsn desc) as event_number
      from {{ source('bronze', 'events') }}
      {% if is_incremental() %} where lsn > (select max(lsn) from {{ this }}) {% endif %}
    )
    select $names from numbered_events where event_number = 1 and op <> 'd'
""".replace("$names", NAMES)

FILES = {
    "models/ours_full.sql": OURS_MODEL.replace("$read", "'full'"),
    "models/ours.sql": OURS_MODEL.replace("$read", "{'column': 'lsn'}"),
    "models/by_hand.sql": BY_HAND_MODEL,
    "models/sources.yml": """
        sources: [{name: bronze, schema: "{{ target.schema }}", tables: [{name: events}]}]
    """,
}

# The last event of each key, deletes too: nothing is checked.
LAST_EVENTS = f"""
    select last_event.* from (
      select max_by(struct(op, {NAMES}), lsn) as last_event from events
      where lsn >= {{start}} group by id
    )
"""
BARE_LOAD = f"create table bare using delta as {LAST_EVENTS}"
BARE_BATCH = f"""
    merge into bare as kept using ({LAST_EVENTS}) as batch on kept.id = batch.id
    when matched and batch.lsn > kept.lsn then update set *
    when not matched then insert *
"""

HASHED = ", ".join(f"isnull({c}), {c}" for c in PAYLOAD)
CHECKSUM = f"count(*) as row_count, bit_xor(xxhash64({HASHED})) as checksum"


class Seconds(NamedTuple):
    """`command`: all of it. `node`: what dbt says that the model took, without dbt's start."""

    command: float
    node: float


Turn = dict[str, Seconds]


def first_load(project: Project, ours: str) -> Turn:
    for view in ("ours", "ours_full"):
        project.sql(f"drop view if exists {view}")
    for table in ("ours__state", "ours_full__state", "by_hand", "bare"):
        project.sql(f"drop table if exists {table}")
    turn = _run_models(project, ours) | {BARE: _run_bare(project, BARE_LOAD, 0)}
    _check(project, ours)
    return turn


def batch(project: Project, start: int) -> Turn:
    return _run_models(project, "ours") | {BARE: _run_bare(project, BARE_BATCH, start)}


def empty_batch(project: Project) -> Turn:
    turn = _run_models(project, "ours")
    _check(project, "ours")
    return turn


def _run_models(project: Project, ours: str) -> Turn:
    return {OURS: _run_model(project, ours), BY_HAND: _run_model(project, "by_hand")}


def _run_model(project: Project, model: str) -> Seconds:
    started = time.perf_counter()
    result: Any = project.run("run", "--select", model).raw.result
    seconds = time.perf_counter() - started
    return Seconds(seconds, next(r.execution_time for r in result if r.node.name == model))


def _run_bare(project: Project, sql: str, start: int) -> Seconds:
    started = time.perf_counter()
    project.sql(sql.format(start=start))
    seconds = time.perf_counter() - started
    return Seconds(seconds, seconds)


def _check(project: Project, ours: str) -> None:
    """Stop unless all have the same live rows."""
    (expected,) = project.sql(f"select {CHECKSUM} from bare where op <> 'd'")
    by_hand = "by_hand left anti join (select id from bare where op = 'd') as deleted using (id)"
    for relation in (ours, by_hand):
        (found,) = project.sql(f"select {CHECKSUM} from {relation}")
        if found != expected:
            raise SystemExit(f"Different results: {found} in {relation}, {expected} in {BARE}")
