"""Who is measured: our model, the dbt model that people write by hand, and bare SQL."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from pyspark.sql import SparkSession

from tests.functional.project import Project

from .events import EVENT, ROW
from .queries import CHECKSUM, HASHED, LAST_EVENTS, NAMES, OUR_DIFF, OUR_EMISSION, OUR_ENCODING

OURS, BY_HAND, BARE = "dbt_changelog", "dbt incremental", "bare SQL"
FLOOR = "bare state"
RUN = "bare run"
READ_ON = "{'column': 'lsn'}"

OURS_MODEL = """
    {{ config(
        materialized='from_changelog', unique_key='id', sequence_by='lsn', read=$read,
        op_mapping={'c, r': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'} $more
    ) }}
    select op, $names from {{ dbt_changelog.new_rows(source('bronze', var('events'))) }}
"""

# Deletes are filtered out, so a key that a later batch deletes stays in the table.
BY_HAND_MODEL = """
    {{ config(
        materialized='incremental', incremental_strategy='merge', unique_key='id' $more
    ) }}
    with numbered_events as (
      select *, row_number() over (partition by id order by lsn desc) as event_number
      from {{ source('bronze', var('events')) }}
      {% if is_incremental() %} where lsn > (select max(lsn) from {{ this }}) {% endif %}
    )
    select $names from numbered_events where event_number = 1 and op <> 'd'
"""

OUR_LOG = """
    {{ config(
        materialized='to_changelog', unique_key='id', before='before', after='after',
        op_mapping={'INSERT': 'c', 'UPDATE_BEFORE, UPDATE_AFTER': 'u', 'DELETE': 'd'} $more
    ) }}
    select * from {{ dbt_changelog.changes(ref('produced')) }}
"""

JSON_MODEL = """
    {{ config(
        materialized='from_changelog', unique_key='id', sequence_by='lsn', op='op',
        before='before', after='after',
        op_mapping={'c, r': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}
    ) }}
    select event.op, event.before, event.after, event.lsn
    from (
      select from_json(value, '$event') as event from {{ source('bronze', var('events')) }}
    )
"""

# Kafka's text, and nothing said of its envelopes but their format and the columns of a row.
PRESET_MODEL = """
    {{ config(
        materialized='from_changelog', format='debezium', unique_key='id', read='full',
        payload_schema='$columns' $preset
    ) }}
    select value from {{ source('bronze', var('events')) }}
"""

# A changelog that takes each row away before it adds the next one.
PAIRS_MODEL = """
    {{ config(
        materialized='from_changelog', unique_key='id', sequence_by=['_place', '_half'],
        read={'column': '_sequence', 'strict': true} $conflict
    ) }}
    select _row_kind as op, _sequence as _place, _ordinal as _half, $names
    from {{ dbt_changelog.new_rows(source('bronze', var('events'))) }}
"""

SOURCES = """
    sources: [{name: bronze, schema: bench, tables: [{name: "{{ var('events') }}"}]}]
"""

BARE_LOAD = f"create table {{bare}} using {{format}} {{properties}} as {LAST_EVENTS}"
BARE_BATCH = f"""
    merge into {{bare}} as kept using ({LAST_EVENTS}) as batch on kept.id = batch.id
    when matched and batch.lsn > kept.lsn then update set *
    when not matched then insert *
"""

# The same with what a state keeps of a key, in its order, and still nothing checked: what no model
# with such a state can be faster than.
STATE_ROWS = f"""
    select {NAMES}, lsn as _sequence,
      case op when 'd' then 'DELETE' when 'u' then 'UPDATE_AFTER' else 'INSERT' end as _row_kind,
      xxhash64({HASHED}) as _image_hash, bigint({{start}}) as _batch_id, false as _was_live,
      current_timestamp() as _changed_at
    from ({LAST_EVENTS})
"""
FLOOR_LOAD = f"""
    create table {{bare}}_state using {{format}} options ('maxRecordsPerFile' = '500000')
    {{properties}} as {STATE_ROWS} order by id
"""
FLOOR_BATCH = f"""
    merge into {{bare}}_state as kept using ({STATE_ROWS}) as batch on kept.id = batch.id
    when matched and batch._sequence > kept._sequence then update set *
    when not matched then insert *
"""
# What a run does beside: it keeps its position, counts what became of the rows, and notes it for
# people. Bare, too: what no run that does this can be faster than.
AFTER_LOAD = [
    """
    insert into {bare}_batches select {start}, current_timestamp(), counted.* from (
      select
        count_if(_row_kind <> 'DELETE' and not _was_live) as rows_inserted,
        count_if(_row_kind <> 'DELETE' and _was_live) as rows_updated,
        count_if(_row_kind = 'DELETE' and _was_live) as rows_deleted
      from {bare}_state where _batch_id = {start}
    ) as counted
    """
]
AFTER_BATCH = ["alter table {bare}_state set tblproperties ('position' = '{start}')", *AFTER_LOAD]
BATCHES = """
    create or replace table {bare}_batches (
      batch_id bigint, committed_at timestamp,
      rows_inserted bigint, rows_updated bigint, rows_deleted bigint
    ) using {format}
"""
# what says how a MERGE writes
HOW_MERGED = ("delta.enableDeletionVectors", "write.merge.mode")


class Seconds(NamedTuple):
    """`command`: all of it. `node`: what dbt says that the model took, without dbt's start."""

    command: float
    node: float


Turn = dict[str, Seconds]
# those that have a state
MODELS = ["ours", "ours_full", "ours_partial", "ours_truncated", "ours_json", "ours_preset"]
MODELS += ["ours_preset_whole", "produced", "ours_versions", "ours_waiting", "ours_lists"]
MODELS += ["ours_retracted", "ours_appended"]


def timed(action: Callable[[], Any]) -> Seconds:
    started = time.perf_counter()
    action()
    seconds = time.perf_counter() - started
    return Seconds(seconds, seconds)


@dataclass
class Contest:
    """All contestants in one storage, reading the table `events` of the schema bench."""

    project: Project
    storage: str
    properties: dict[str, str]
    events: str

    @classmethod
    def create(
        cls,
        folder: Path,
        spark: SparkSession,
        storage: str = "delta",
        properties: dict[str, str] | None = None,
        events: str = "events",
    ) -> Contest:
        schema = folder.name
        properties = properties or {}
        texts = {
            "ours_full": OURS_MODEL.replace("$read", "'full'"),
            "ours": OURS_MODEL.replace("$read", READ_ON),
            "produced": OURS_MODEL.replace("$read", f"{READ_ON}, changelog=true"),
            "log": OUR_LOG,
            "by_hand": BY_HAND_MODEL,
            "ours_partial": OURS_MODEL.replace("$read", READ_ON + ", ignore_null_updates=true"),
            "ours_truncated": OURS_MODEL.replace("$read", READ_ON).replace(
                "'d':", "'t': 'TRUNCATE', 'd':"
            ),
            "ours_json": JSON_MODEL.replace("$event", EVENT),
            "ours_preset": PRESET_MODEL.replace("$preset", ""),
            "ours_preset_whole": PRESET_MODEL.replace("$preset", ", unavailable_value=''"),
            "ours_versions": OURS_MODEL.replace("$read", READ_ON + ", stored_as_scd_type=2"),
            "ours_waiting": OURS_MODEL.replace("$read", READ_ON + ", watermark='1 hour'").replace(
                "sequence_by='lsn'", "sequence_by='ordered_at'"
            ),
            "ours_appended": OURS_MODEL.replace("$read", READ_ON + ", merge='on_read'"),
            "ours_lists": PAIRS_MODEL.replace("$conflict", ", on_conflict='DEDUPLICATE'"),
            "ours_retracted": PAIRS_MODEL.replace("$conflict", ""),
            "emitted": OUR_EMISSION,
            "encoded": OUR_ENCODING,
            "compared": OUR_DIFF,
        }
        more = f", tblproperties={properties}" if properties else ""
        files = {"models/sources.yml": SOURCES}
        for name, text in texts.items():
            text = text.replace("$names", NAMES).replace("$more", more)
            text = text.replace("$columns", ROW)
            files[f"models/{storage}/{name}.sql"] = text
        if storage == "iceberg":
            spark.sql(f"create namespace if not exists ice.{schema}")
        return cls(Project.create(folder, spark, schema, files), storage, properties, events)

    def drop(self) -> None:
        """Begin from nothing."""
        place = self.project.place(self.storage)
        for name in MODELS:
            for view in name, f"{name}__current":
                self.project.spark.sql(f"drop view if exists {place}.{view}")
            for table in "state", "changelog", "changes":
                self.project.spark.sql(f"drop table if exists {place}.{name}__{table}")
        for name in "log", "by_hand", "bare", "bare_state", "bare_batches":
            self.project.spark.sql(f"drop table if exists {place}.{name}")

    def load(self, ours: str = "ours") -> Turn:
        self.drop()
        turn = self.run(ours, "by_hand") | {BARE: self.bare(BARE_LOAD, 0)}
        state = f"{self.project.place(self.storage)}.{ours}__state"
        stored = {row.key: row.value for row in self.project.sql(f"show tblproperties {state}")}
        merged = {name: stored[name] for name in HOW_MERGED if name in stored}
        self.bare(BATCHES, 0)
        turn[FLOOR] = self.bare(FLOOR_LOAD, 0, merged)
        turn[RUN] = self.bare_run(turn[FLOOR], AFTER_LOAD, 0)
        self.check(ours)
        return turn

    def batch(self, start: int) -> Turn:
        turn = self.run("ours", "by_hand") | {
            BARE: self.bare(BARE_BATCH, start),
            FLOOR: self.bare(FLOOR_BATCH, start),
        }
        return turn | {RUN: self.bare_run(turn[FLOOR], AFTER_BATCH, start)}

    def empty_batch(self) -> Turn:
        turn = self.run("ours", "by_hand")
        self.check("ours")
        return turn

    def run(self, ours: str, *others: str) -> Turn:
        names = {OURS: ours} | ({BY_HAND: others[0]} if others else {})
        return {contestant: self.model(name) for contestant, name in names.items()}

    def model(self, name: str) -> Seconds:
        started = time.perf_counter()
        ran = self.project.run("run", "--select", name, vars={"events": self.events})
        seconds = time.perf_counter() - started
        result: Any = ran.raw.result
        return Seconds(seconds, next(r.execution_time for r in result if r.node.name == name))

    def query(self, name: str) -> Seconds:
        """All rows of a model: the best of two."""
        sql = f"select {CHECKSUM} from {self.project.place(self.storage)}.{name}"
        return min(timed(lambda: self.project.spark.sql(sql).collect()) for _ in range(2))

    def compiled(self, name: str) -> str:
        # dbt prints what it compiles
        with redirect_stdout(StringIO()):
            self.project.run("compile", "--select", name, vars={"events": self.events})
        return self.project.compiled(name)

    def bare(self, sql: str, start: int, more: dict[str, str] | None = None) -> Seconds:
        properties = self.properties | (more or {})
        words = ", ".join(f"'{name}' = '{value}'" for name, value in properties.items())
        text = sql.format(
            bare=f"{self.project.place(self.storage)}.bare",
            format=self.storage,
            properties=f"tblproperties ({words})" if words else "",
            events=f"bench.{self.events}",
            start=start,
        )
        return timed(lambda: self.project.spark.sql(text).collect())

    def bare_run(self, written: Seconds, others: list[str], start: int) -> Seconds:
        """The bare state, which was `written` just now, with the other statements of a run."""
        seconds = written.command + sum(self.bare(sql, start).command for sql in others)
        return Seconds(seconds, seconds)

    def check(self, ours: str) -> None:
        """Stop unless all have the same live rows."""
        place = self.project.place(self.storage)
        bare = f"{place}.bare"
        (expected,) = self.project.sql(f"select {CHECKSUM} from {bare} where op <> 'd'")
        deleted = f"(select id from {bare} where op = 'd') as deleted"
        by_hand = f"{place}.by_hand left anti join {deleted} using (id)"
        for relation in (f"{place}.{ours}", by_hand):
            (found,) = self.project.sql(f"select {CHECKSUM} from {relation}")
            if found != expected:
                raise SystemExit(f"Different results: {found} in {relation}, {expected} in {BARE}")
