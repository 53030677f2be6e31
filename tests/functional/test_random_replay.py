"""Random logs, tables and types: what the models make of them is what a plain replay makes of them.

Each project has fifty logs under a key of (log, id), a payload of a type drawn at random, and the
models below. Its batches are run in random session time zones, after failures at random steps and
full refreshes of random models, and then once more without anything new. A failure names its seed;
DBT_CHANGELOG_SEED=.. draws others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import pytest

from .changelogs import SEED
from .random_types import (
    ddl,
    identity,
    literal,
    neighbour,
    random_type,
    random_value,
    read_identity,
    read_sql,
)

LOGS, BATCHES, PROJECTS = 50, 3, 10
ZONES = ["UTC", "Asia/Kathmandu", "America/Los_Angeles"]
PARTS = [None, "a", " b", "c/d", "é=1"]
STEPS = ["stage changes", "append changelog", "write state", "commit batch", "contents view"]
STEPS += ["compact state"]
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}, {name: bag_events}, {name: people}]
"""
EVENTS = """
{{ config(materialized='from_changelog', unique_key=['log', 'id'], sequence_by='seq',
          read={'column': 'batch'}, passthrough='batch', op_mapping=MAPPING MORE) }}
select op, log, id, part, value, seq, batch
from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
BAG = """
{{ config(materialized='from_changelog', read={'column': 'batch', 'strict': true},
          op_mapping={'c': 'INSERT', 'd': 'DELETE'} MORE) }}
select op, log, id, part, value from {{ dbt_changelog.new_rows(source('bronze', 'bag_events')) }}
"""
FEED = """
{{ config(materialized='to_changelog' MORE) }}
select * from INPUT
"""
BACK = """
{{ config(materialized='from_changelog', unique_key=['log', 'id'],
          sequence_by=['_batch_id', '_position'], read={'column': '_batch_id'}) }}
select * from {{ dbt_changelog.new_rows(ref('INPUT')) }}
"""
UPSERT = "{'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}"
RETRACT = "{'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}"
KEY = ", unique_key=['log', 'id']"


def events(mapping: str, more: str) -> str:
    return EVENTS.replace("MAPPING", mapping).replace("MORE", more)


def feed(source: str, more: str = KEY) -> str:
    return FEED.replace("INPUT", source).replace("MORE", more)


MODELS = {
    "keyed": events(UPSERT, ", partition_by='part'"),
    "logged": events(UPSERT, ", changelog=true, tie_handling='LAST'"),
    "backed": events(RETRACT, ", changelog=true, state_ttl='0'"),
    "appended": events(UPSERT, ", merge='on_read', compact_above=0.3"),
    "appended_log": events(
        RETRACT,
        ", changelog=true, state_ttl='0', tie_handling='LAST', merge='on_read', compact_above=0.6",
    ),
    "bag": BAG.replace("MORE", ", changelog=true"),
    "table_feed": feed("{{ ref('keyed') }}"),
    "bag_feed": feed("{{ ref('bag') }}", ""),
    "bag_changes": feed("{{ dbt_changelog.changes(ref('bag')) }}", ""),
    "changes_feed": feed("{{ dbt_changelog.changes(ref('backed')) }}"),
    "people_feed": feed("{{ dbt_changelog.changes(source('bronze', 'people')) }}"),
    "keyed_again": BACK.replace("INPUT", "table_feed"),
    "backed_again": BACK.replace("INPUT", "changes_feed"),
    "people_again": BACK.replace("INPUT", "people_feed"),
}
# what each shows; the feeds show nothing of their own
SHOWS = {
    **dict.fromkeys(["keyed", "logged", "backed", "keyed_again", "backed_again"], "events"),
    **dict.fromkeys(["appended", "appended_log"], "events"),
    "bag": "bag_events",
    "people_again": "people",
}
# what each leaves when it is folded, by the column of its kinds, and by its order or, without a
# key, as a sum
FOLDS = {
    "logged__changelog": ("events", "_row_kind", "_batch_id desc, _sequence desc, _ordinal desc"),
    "appended_log__changelog": (
        *("events", "_row_kind"),
        "_batch_id desc, _sequence desc, _ordinal desc",
    ),
    "bag__changelog": ("bag_events", "_row_kind", None),
    "bag_feed": ("bag_events", "op", None),
    "bag_changes": ("bag_events", "op", None),
}
APPENDED = ["logged__changelog", "backed__changelog", "bag__changelog", "appended__state"]
APPENDED += [name for name in MODELS if "feed" in name or name == "bag_changes"]


class Logs:
    """The logs of a project, and the rows that they leave: by plain rules."""

    def __init__(self, chance: Random, home: str) -> None:
        self.chance = chance
        while True:
            self.type = random_type(chance)
            if home == "delta" or "variant" not in ddl(self.type):
                break
        first = random_value(chance, self.type)
        values = [first, *(neighbour(chance, self.type, first) for _ in range(6))]
        values += [random_value(chance, self.type) for _ in range(3)]
        by_identity = {identity(self.type, value): value for value in values}
        self.identities = list(by_identity)
        self.spellings = [
            [literal(chance, self.type, value) for _ in range(3)] for value in by_identity.values()
        ]
        self.events = [event for log in range(LOGS) for event in self.history(log)]
        self.bag_events = [event for log in range(LOGS) for event in self.bag(log)]

    def pool(self) -> str:
        return " union all ".join(
            f"select {number} as v, {s} as s, {text} as value"
            for number, texts in enumerate(self.spellings)
            for s, text in enumerate(texts)
        )

    def value(self) -> int:
        return self.chance.randrange(len(self.identities))

    def history(self, log: int) -> list[tuple[Any, ...]]:
        """(op, log, id, part, seq, batch, v, s), in any order, some twice."""
        live: set[int] = set()
        found = []
        for seq in range(self.chance.randint(1, 12)):
            key = self.chance.randint(1, 3)
            op = "c" if key not in live else self.chance.choice("uud")
            live = live - {key} if op == "d" else live | {key}
            part, v = self.chance.choice(PARTS), self.value()
            for _ in range(self.chance.choice([1, 1, 1, 2])):
                batch, s = self.chance.randint(1, BATCHES), self.chance.randrange(3)
                found.append((op, log, key, part, seq, batch, v, s))
        return found

    def bag(self, log: int) -> list[tuple[Any, ...]]:
        """Rows added, and some of them taken away, be it before they come."""
        found = []
        for _ in range(self.chance.randint(0, 8)):
            part, v = self.chance.choice(PARTS), self.value() % 3
            row = (log, self.chance.randint(1, 2), part, 0)
            for op in "c" if self.chance.random() < 0.5 else "cd":
                batch, s = self.chance.randint(1, BATCHES), self.chance.randrange(3)
                found.append((op, *row, batch, v, s))
        return found

    def rows(self, batch: int) -> Counter[Any]:
        last: dict[Any, Any] = {}
        for op, log, key, part, seq, at, v, _ in self.events:
            if at <= batch and seq >= last.get((log, key), (-1,))[0]:
                last[log, key] = (seq, op, part, v)
        return Counter(
            (log, key, part, self.identities[v])
            for (log, key), (_, op, part, v) in last.items()
            if op != "d"
        )

    def bag_rows(self, batch: int) -> Counter[Any]:
        found: Counter[Any] = Counter()
        for op, log, key, part, _, at, v, _ in self.bag_events:
            if at <= batch:
                found[log, key, part, self.identities[v]] += 1 if op == "c" else -1
        return +found


def land(project: Any, table: str, rows: list[tuple[Any, ...]], batch: int) -> None:
    columns = "op string, log int, id int, part string, seq int, batch int, v int, s int"
    mine = [row for row in rows if row[5] == batch]
    project.spark.createDataFrame(mine, columns).createOrReplaceTempView("landed")
    names = "op, log, id, part, seq, batch, value"
    project.sql(f"insert into {table} ({names}) select {names} from landed join pool using (v, s)")


def change_people(project: Any, chance: Random, home: str, logs: Logs) -> None:
    """Some statements of others, as they come: each in commits of its own."""

    def some(lowest: int = 0) -> str:
        rows = ", ".join(
            f"({log}, {key}, {part!r}, {logs.value()}, {chance.randrange(3)})"
            for log in range(LOGS)
            for key in chance.sample(range(1, 5), chance.randint(lowest, 2))
            for part in [chance.choice(PARTS[1:])]
        )
        return (
            "select log, id, part, value from (select * from values"
            f" {rows or '(0, 1, 0, 0, 0)'} as found (log, id, part, v, s)) join pool using (v, s)"
        )

    statements = {
        "merge": f"""merge into people as t using ({some(1)}) as c
            on t.log = c.log and t.id = c.id
            when matched and c.part = 'a' then delete
            when matched then update set part = c.part, value = c.value
            when not matched then insert (log, id, part, value)
              values (c.log, c.id, c.part, c.value)""",
        "update": f"update people set part = 'z' where log % 3 = {chance.randrange(3)} and id = 1",
        "delete": f"delete from people where log % 4 = {chance.randrange(4)} and id > 2",
        "overwrite": f"insert overwrite people {some()}",
        "nothing": "update people set part = part where id = 1",
    }
    if home == "delta":
        on = chance.choice(["true", "false"])
        statements["optimize"] = "optimize people"
        statements["vectors"] = (
            f"alter table people set tblproperties ('delta.enableDeletionVectors' = '{on}')"
        )
    for name in chance.choices(list(statements), k=chance.randint(1, 4)):
        project.sql(statements[name])
    if home == "delta" and chance.random() < 0.3:
        version = max(row.version for row in project.sql("describe history people"))
        version = version and chance.randint(1, version)
        project.sql(f"restore table people to version as of {version}")


def create_tables(project: Any, home: str, logs: Logs) -> None:
    names = "'delta.columnMapping.mode' = 'name'"
    feeds = f"{names}, 'delta.enableChangeDataFeed' = 'true'"
    options = {"events": names, "bag_events": names, "people": feeds}
    project.sql(f"create table pool using parquet as {logs.pool()}")
    for table, properties in options.items():
        columns = "log int, id int, part string"
        if table != "people":
            columns = f"op string, {columns}, seq int, batch int"
        project.sql(
            f"create table {table} ({columns}, value {ddl(logs.type)}) using {home}"
            + (f" tblproperties ({properties})" if home == "delta" else "")
        )


def shown(project: Any, table: str, logs: Logs, weight: str = "1") -> Counter[Any]:
    found: Counter[Any] = Counter()
    value = read_sql("value", logs.type)
    for row in project.sql(f"select log, id, part, {value} as value, {weight} as n from {table}"):
        found[row.log, row.id, row.part, read_identity(logs.type, row.value)] += row.n
    return found


def folded(project: Any, table: str, kind: str, order: str | None, logs: Logs) -> Counter[Any]:
    if order is None:
        # a row that was taken away before it came waits below zero
        return +shown(project, table, logs, f"if({kind} in ('INSERT', 'UPDATE_AFTER'), 1, -1)")
    last = f"""(select *, row_number() over (partition by log, id order by {order}) as place
                from {table})"""
    return shown(project, f"{last} where place = 1 and {kind} <> 'DELETE'", logs)


@contextmanager
def telling(story: list[str]) -> Iterator[None]:
    """Whatever fails says how it came to that."""
    print(story[0])
    try:
        yield
    except Exception as error:
        raise AssertionError("\n".join([*story, str(error)])) from error


@pytest.fixture
def zone(spark):
    yield lambda name: spark.conf.set("spark.sql.session.timeZone", name)
    spark.conf.set("spark.sql.session.timeZone", "UTC")


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(PROJECTS))
@pytest.mark.parametrize("storage", ["delta", "iceberg"])
def test_models_show_what_a_plain_replay_gives(new_project, zone, storage, number):
    seed = f"{SEED}:{storage}:{number}"
    chance = Random(seed)
    logs = Logs(chance, storage)
    files = {f"models/{name}.sql": text for name, text in MODELS.items()}
    project = new_project({"models/sources.yml": SOURCES, **files}, "replay", 2, storage)
    story = [f"seed {seed}", f"type {ddl(logs.type)}"]
    with telling(story):
        create_tables(project, storage, logs)
        for batch in range(1, BATCHES + 1):
            land(project, "events", logs.events, batch)
            land(project, "bag_events", logs.bag_events, batch)
            change_people(project, chance, storage, logs)
            zone(chance.choice(ZONES))
            if chance.random() < 0.7:
                model, step = chance.choice(list(MODELS)), chance.choice(STEPS)
                story.append(f"batch {batch}: {model} fails after {step}")
                try_run(project, "--select", f"+{model}", fail_after=step)
            if batch > 1 and chance.random() < 0.5:
                model = chance.choice(list(MODELS))
                story.append(f"batch {batch}: full refresh of {model}")
                project.run("run", "--full-refresh", "--select", model)
            project.run("run")
            check(project, zone, logs, batch)
        story.append("nothing new")
        rows = sizes(project)
        zone(chance.choice(ZONES))
        project.run("run")
        assert sizes(project) == rows
        check(project, zone, logs, BATCHES)


def check(project: Any, zone: Any, logs: Logs, batch: int) -> None:
    zone("UTC")
    expected = {
        "events": logs.rows(batch),
        "bag_events": logs.bag_rows(batch),
        "people": shown(project, "people", logs),
    }
    found = {model: (source, shown(project, model, logs)) for model, source in SHOWS.items()}
    for table, (source, kind, order) in FOLDS.items():
        found[table] = (source, folded(project, table, kind, order, logs))
    for name, (source, rows) in found.items():
        missing, extra = expected[source] - rows, rows - expected[source]
        about = f"{name} after batch {batch}\nmissing {missing}\nextra {extra}"
        assert rows == expected[source], about


def sizes(project: Any) -> dict[str, int]:
    """How many rows each changelog and event table has."""
    return {name: project.sql(f"select count(*) from {name}")[0][0] for name in APPENDED}


def try_run(project: Any, *arguments: str, fail_after: str) -> None:
    """A run that ends after a step, if it has that step."""
    try:
        project.run("run", *arguments, vars={"dbt_changelog_fail_after": fail_after})
    except AssertionError as error:
        assert "Failed on purpose after" in str(error), error
