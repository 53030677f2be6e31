"""consistent_group: the views of a group change at one moment, and show whole transactions only."""

from __future__ import annotations

import json
import os
import random
from typing import Any

import pytest

from tests.spark import REPO

from .project import Project
from .rendered import macros_in
from .test_readme import blocks, land, section, tables
from .test_shop import read_events

SEED = int(os.environ.get("DBT_CHANGELOG_SEED", "20261124"))
RUNS = 5

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: log}]
"""
MODEL = """
{{{{ config({config}) }}}}
select op, id, balance, position
from {{{{ dbt_changelog.new_rows(source('bronze', 'log'), where="topic = '{topic}'") }}}}
"""
CONFIG: dict[str, Any] = {
    "materialized": "from_changelog",
    "unique_key": "id",
    "sequence_by": "position",
    "op_mapping": {"u": "INSERT, UPDATE_AFTER", "d": "DELETE"},
    "read": {"column": "position", "strict": True},
    "consistent_group": {"name": "bank", "transaction": "tx"},
}
COLUMNS = "position bigint, tx bigint, topic string, op string, id int, balance int"


def model(topic: str, **config: Any) -> str:
    settings = {name: value for name, value in (CONFIG | config).items() if value is not None}
    text = ", ".join(f"{name}={value!r}" for name, value in settings.items())
    return MODEL.format(config=text, topic=topic)


class Bank:
    """A project whose log has transfers between two tables: the sum of both never changes."""

    def __init__(self, project: Project) -> None:
        self.project, self.position = project, 0

    def log(self, *rows: tuple[int | None, str, int, int], op: str = "u") -> None:
        """Rows of the log: (transaction, topic, id, balance)."""
        found = []
        for tx, topic, id, balance in rows:
            self.position += 1
            found.append((self.position, tx, topic, op, id, balance))
        first = self.position == len(rows)
        self.project.table("log", found, COLUMNS if first else None)

    def run(self, *args: str, **given: Any) -> dict[str, str]:
        nodes = self.project.run("run", *args, **given).nodes
        return {name: node.message or "" for name, node in nodes.items()}

    def seen(self) -> list[tuple[Any, ...]]:
        """What one query of both tables sees."""
        rows = self.project.sql(
            "select c.id, c.balance, s.balance from checking as c full join savings as s using (id)"
            " order by all"
        )
        return [tuple(row) for row in rows]

    def moments(self) -> list[tuple[Any, ...]]:
        rows = self.project.sql(
            "select kind, moment, split_part(uid, '.', -1) from dbt_changelog_group_bank"
            " order by all"
        )
        return [tuple(row) for row in rows]


@pytest.fixture
def bank(new_project, home):
    def make(name: str, threads: int = 1, **config: Any) -> Bank:
        files = {
            "models/sources.yml": SOURCES,
            "models/checking.sql": model("checking", **config),
            "models/savings.sql": model("savings", **config),
        }
        return Bank(new_project(files, name, home=home, threads=threads))

    return make


def test_a_transaction_shows_once_it_is_whole_and_all_have_it(bank):
    log = bank("group_whole")
    log.log((1, "checking", 7, 100), (1, "savings", 7, 0), (2, "checking", 7, 60))
    log.run()
    # transaction 2 may go on
    assert log.seen() == [(7, 100, 0)]
    log.log((2, "savings", 7, 40), (3, "checking", 8, 5))
    messages = log.run()
    assert log.seen() == [(7, 60, 40)]
    assert messages["checking"].startswith("batch 2")
    assert log.run()["checking"] == "nothing new"
    assert log.seen() == [(7, 60, 40)]
    assert log.moments() == [
        *[("ready", 1, "checking"), ("ready", 1, "savings")],
        *[("ready", 2, "checking"), ("ready", 2, "savings"), ("target", 2, None)],
    ]


@pytest.mark.parametrize(
    ("name", "sql", "words"),
    [
        ("transaction", "txx", "["),
        ("ends", "tx +", "["),
        ("ends", "tx", "it is bigint and no condition"),
    ],
    ids=["transaction", "ends", "no_condition"],
)
def test_an_expression_that_spark_can_not_use_is_named(bank, name, sql, words):
    group = {"name": "bank", "transaction": "tx", name: sql}
    log = bank(f"group_wrong_{name}_{len(sql)}", consistent_group=group)
    log.log((1, "checking", 7, 100))
    message = log.run(expect_failure=True)["checking"]
    assert f"Invalid 'consistent_group.{name}' in" in message
    assert f"Spark can not use '{sql}': {words}" in message
    assert log.project.tables() == ["dbt_changelog_batches", "dbt_changelog_group_bank", "log"]


@pytest.mark.thorough
def test_one_model_alone_changes_nothing_that_readers_see(bank):
    log = bank("group_alone")
    log.log((1, "checking", 7, 100), (1, "savings", 7, 0), (2, "checking", 9, 1))
    log.run()
    log.log((2, "savings", 9, 1), (3, "checking", 7, 60), (3, "savings", 7, 40))
    log.log((4, "checking", 1, 1))
    log.run("--select", "checking")
    assert log.seen() == [(7, 100, 0)]
    # a moment that was begun is finished first
    log.log((4, "savings", 1, 1), (5, "checking", 2, 2))
    log.run("--select", "savings")
    assert log.seen() == [(7, 60, 40), (9, 1, 1)]
    log.run()
    assert log.seen() == [(1, 1, 1), (7, 60, 40), (9, 1, 1)]


@pytest.mark.thorough
def test_two_models_at_once_decide_one_position(bank):
    log = bank("group_threads", threads=2)
    for number in range(1, 3):
        log.log((number, "checking", 7, 100 - number), (number, "savings", 7, number))
        log.log((number, "checking", 8, 50 - number), (number, "savings", 8, number))
        log.run()
    log.log((3, "checking", 7, 0))
    log.run()
    assert log.seen() == [(7, 98, 2), (8, 48, 2)]
    targets = [row for row in log.moments() if row[0] == "target"]
    assert targets == [("target", 2, None)]


STEPS = [
    *("write state", "commit batch", "version of state", "contents view"),
    *("moment reached", "settled views"),
]


@pytest.mark.thorough
@pytest.mark.parametrize(
    "steps",
    [STEPS[4:], *(pytest.param([step], marks=pytest.mark.thorough) for step in STEPS[:4])],
    ids=lambda steps: steps[0],
)
def test_after_a_failure_readers_see_one_moment_and_a_rerun_ends_it(bank, steps):
    log = bank("group_after_" + steps[0].replace(" ", "_"))
    log.log((1, "checking", 7, 100), (1, "savings", 7, 0), (2, "checking", 9, 0))
    log.run()
    before = [(7, 100, 0)]
    for number, step in enumerate(steps, 2):
        log.log((number, "savings", 9, 0), (number, "checking", 7, 100 - number))
        log.log((number, "savings", 7, number), (number + 1, "checking", 9, 0))
        after = [(7, 100 - number, number), (9, 0, 0)]
        given = {"vars": {"dbt_changelog_fail_after": step}}
        # the first model alone
        log.project.run("run", "--select", "checking", **given, expect_failure=True)
        assert log.seen() == before, step
        # both: the last one's append is the commit of the group
        log.project.run("run", **given, expect_failure=True)
        assert log.seen() == (after if step in STEPS[4:] else before), step
        log.run()
        assert log.seen() == after, step
        before = after


@pytest.mark.thorough
def test_a_model_that_fails_holds_the_others_back(bank):
    log = bank("group_one_fails")
    log.log((1, "checking", 7, 100), (1, "savings", 7, 0), (2, "checking", 9, 1))
    log.run()
    log.log((2, "savings", 9, None), (3, "checking", 7, 60), (3, "savings", 7, 40), op="u")
    log.log((4, "savings", 7, 41), op="z")
    log.log((5, "checking", 1, 1))
    failed = log.project.run("run", expect_failure=True)
    assert failed.nodes["checking"].status == "success"
    assert "Unknown op code" in failed.log
    assert log.seen() == [(7, 100, 0)]
    log.project.write(
        "models/savings.sql", model("savings", op_mapping={"u, z": "INSERT, UPDATE_AFTER"})
    )
    log.project.write(
        "models/checking.sql", model("checking", op_mapping={"u, z": "INSERT, UPDATE_AFTER"})
    )
    # what has arrived since is of the moment, since all models go on together
    log.log((5, "savings", 1, 1), (6, "checking", 3, 3))
    log.run()
    assert log.seen() == [(1, 1, 1), (7, 60, 41), (9, 1, None)]


@pytest.mark.thorough
def test_models_join_are_built_anew_and_leave(bank):
    log = bank("group_members")
    log.log((1, "checking", 7, 100), (1, "savings", 7, 0), (1, "loans", 7, 5))
    log.log((2, "checking", 9, 1))
    log.run()
    log.project.write("models/loans.sql", model("loans"))
    log.log((2, "savings", 9, 1), (3, "checking", 7, 60), (3, "savings", 7, 40))
    log.log((4, "checking", 1, 1))
    log.run("--select", "loans")
    assert log.seen() == [(7, 100, 0)]
    with pytest.raises(Exception, match="no rows for the moment"):
        log.project.sql("select count(*) from loans")
    log.run()
    assert log.seen() == [(7, 60, 40), (9, 1, 1)]
    loans = "select id, balance from loans"
    assert [tuple(row) for row in log.project.sql(loans)] == [(7, 5)]
    # the same position: the view shows the new state at once
    log.run("--full-refresh", "--select", "savings")
    assert log.seen() == [(7, 60, 40), (9, 1, 1)]
    # a later one: it waits for the others
    log.log((4, "savings", 1, 1), (5, "loans", 7, 6), (6, "loans", 7, 7))
    log.run("--full-refresh", "--select", "savings")
    assert log.seen() == [(7, 60, 40), (9, 1, 1)]
    log.run()
    assert log.seen() == [(1, 1, 1), (7, 60, 40), (9, 1, 1)]
    assert [tuple(row) for row in log.project.sql(loans)] == [(7, 6)]
    log.project.write("models/loans.sql", model("loans", consistent_group=None))
    log.log((7, "checking", 1, 2))
    log.run("--select", "loans")
    assert [tuple(row) for row in log.project.sql(loans)] == [(7, 7)]
    log.log((7, "savings", 1, 0), (8, "savings", 1, 0))
    log.run()
    assert log.seen() == [(1, 2, 0), (7, 60, 40), (9, 1, 1)]


@pytest.mark.thorough
def test_a_table_that_joins_is_shown_until_the_others_have_come(bank):
    log = bank("group_joined")
    log.project.write("models/loans.sql", model("loans", consistent_group=None))
    log.log((1, "checking", 7, 100), (1, "savings", 7, 0), (1, "loans", 7, 5), (2, "loans", 7, 6))
    log.run()
    loans = "select id, balance from loans"
    assert [tuple(row) for row in log.project.sql(loans)] == [(7, 6)]
    log.project.write("models/loans.sql", model("loans"))
    log.log((2, "savings", 7, 1), (3, "checking", 7, 99), (3, "loans", 7, 7), (4, "loans", 8, 1))
    for _ in range(2):
        log.run("--select", "loans")
        assert [tuple(row) for row in log.project.sql(loans)] == [(7, 6)]
        assert log.seen() == [(7, 100, 0)]
    log.run()
    assert [tuple(row) for row in log.project.sql(loans)] == [(7, 7)]
    assert log.seen() == [(7, 99, 1)]


@pytest.mark.thorough
def test_a_state_that_was_lost_is_built_anew(bank):
    log = bank("group_lost")
    log.log((1, "checking", 7, 100), (1, "savings", 7, 0), (2, "checking", 7, 60))
    log.run()
    log.project.sql("drop table savings__state")
    log.log((2, "savings", 7, 40), (3, "checking", 8, 5))
    assert "--full-refresh" in log.run("--select", "savings", expect_failure=True)["savings"]
    for _ in range(2):
        log.run("--full-refresh", "--select", "savings")
        # what it showed is gone, and what it has is of a later moment
        with pytest.raises(Exception, match="no rows for the moment"):
            log.project.sql("select count(*) from savings")
    log.run()
    assert log.seen() == [(7, 60, 40)]


Rows = list[tuple[int, int | None, bool]]


def whole_until(rows: Rows, ends: bool) -> int | None:
    """The greatest position at which each transaction is there as a whole, or not at all."""
    newest, spans = max(position for position, _, _ in rows), []
    for name in {tx for _, tx, _ in rows if tx is not None}:
        found = [(position, end) for position, tx, end in rows if tx == name]
        last = max(position for position, _ in found)
        may_go_on = last == newest and not (ends and any(end for _, end in found))
        spans.append((min(found)[0], 10**9 if may_go_on else last))
    borders = [
        position
        for position, _, _ in rows
        if not any(first <= position < last for first, last in spans)
    ]
    return max(borders, default=None)


@pytest.mark.parametrize("ends", [None, "is_end"])
def test_a_log_is_whole_up_to_the_position_of_the_plain_rule(spark, ends):
    print(f"DBT_CHANGELOG_SEED={SEED}")
    choose = random.Random(SEED)
    for _ in range(40):
        rows: Rows = [
            (choose.randrange(6), choose.choice([None, 1, 2, 3]), choose.random() < 0.3)
            for _ in range(choose.randrange(1, 7))
        ]
        assert border(spark, rows, ends) == whole_until(rows, bool(ends)), rows


def border(spark: Any, rows: Rows, ends: str | None) -> int | None:
    """What the group's own query gives of a log with these rows."""
    values = ", ".join(f"({p}, {tx or 'null'}, {end})".lower() for p, tx, end in rows)
    log = f"(select * from values {values} as log (position, tx, is_end))"
    group = {"transaction": "tx", "ends": ends}
    sql = macros_in(spark).group_border_sql(log, "position", group, None, "max(_dbtc_reached)")
    return spark.sql(sql).collect()[0][0]


def test_an_end_record_makes_the_last_transaction_whole(spark):
    """The example of the page."""
    rows: Rows = [(1, 1, False), (2, 1, False)]
    assert [border(spark, rows, ends) for ends in (None, "is_end")] == [None, None]
    rows.append((3, 1, True))
    assert [border(spark, rows, ends) for ends in (None, "is_end")] == [None, 3]


def test_the_page_shows_what_happens(new_project, spark):
    page = (REPO / "docs/concepts/transactions.md").read_text(encoding="utf-8")
    first, before, then, after = tables(section(page, "A transaction is whole"))
    sources = {"models/sources.yml": "sources: [{name: bronze, tables: [{name: bank_log}]}]"}
    project = new_project(blocks(page) | sources, name="group_page")
    spark.sql("create schema if not exists bronze")
    try:
        for arrived, shown in (first, before), (then, after):
            land(project, "bronze.bank_log", arrived, columns_of=first)
            project.run("run")
            rows = project.sql(
                "select id, c.balance as checking, s.balance as savings"
                " from checking as c full join savings as s using (id) order by all"
            )
            assert [row.asDict() for row in rows] == shown
    finally:
        spark.sql("drop table if exists bronze.bank_log")


@pytest.mark.thorough
def test_at_every_cut_readers_see_whole_transactions(bank):
    """Random transfers, cut anywhere; runs of one model or all, some fail at some step."""
    print(f"DBT_CHANGELOG_SEED={SEED}")
    choose = random.Random(SEED)
    log = bank("group_random", threads=2)
    rows: list[tuple[int, str, int, int]] = []
    balances = {(topic, id): 50 for topic in ("checking", "savings") for id in range(4)}
    # what the tables are after each number of transactions
    states = []
    for tx in range(1, 31):
        moved = choose.sample(sorted(balances), choose.randrange(2, 5)) if tx > 1 else [*balances]
        for place, (topic, id) in enumerate(moved):
            change = choose.randrange(9) if tx > 1 else 0
            other = moved[(place + 1) % len(moved)]
            balances[topic, id] -= change
            balances[other] += change
        rows += [(tx, topic, id, balances[topic, id]) for topic, id in moved]
        states.append([(id, balances["checking", id], balances["savings", id]) for id in range(4)])
    at = choose.randrange(9, 12)
    log.log(*rows[:at])
    log.run()
    seen = states.index(log.seen())
    for number in range(RUNS):
        cut = len(rows) if number == RUNS - 1 else choose.randrange(at, min(at + 15, len(rows)))
        if cut > at:
            log.log(*rows[at:cut])
        at = cut
        args = choose.choice([(), ("--select", "checking"), ("--select", "savings")])
        step = choose.choice([None, *STEPS])
        given = {"vars": {"dbt_changelog_fail_after": step}} if step else {}
        log.project.run("run", *args, expect_failure=None, **given)
        now = log.seen()
        assert now in states[seen:], (number, args, step)
        seen = states.index(now)
    log.run()
    log.run()
    # behind the last transaction nothing says that it is whole
    assert log.seen() == states[-2]


SHOP = """
{{{{ config(materialized='from_changelog', unique_key={key!r}, sequence_by='lsn',
    before='before', after='after', read={{'column': 'position', 'strict': True}},
    op_mapping={{'c, r': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}},
    consistent_group={{
      'name': 'shop', 'transaction': "get_json_object(value, '$.source.txId')",
    }}) }}}}
select event.op, event.before, event.after, event.source.lsn
from (
  select from_json(value, 'op string, before struct<{row}>, after struct<{row}>,
    source struct<lsn bigint>') as event
  from {{{{ dbt_changelog.new_rows(
    source('bronze', 'log'), where="value is not null and topic = 'shop.public.{table}'") }}}}
)
"""
SHOP_TABLES = {
    "customers": (["id"], "id: bigint, name: string"),
    "orders": (["order_id", "line_no"], "order_id: bigint, line_no: int, qty: int"),
}


def replayed(events: list[Any], tables: dict[str, Any]) -> None:
    """Events applied to tables, {name: {key: row}}: by what their codes say."""
    for topic, _, text in events:
        name = topic.rsplit(".", 1)[-1]
        if name in SHOP_TABLES and text is not None:
            event, (key, _) = json.loads(text), SHOP_TABLES[name]
            row = event["before"] if event["op"] == "d" else event["after"]
            tables[name][tuple(row[column] for column in key)] = None if event["op"] == "d" else row


def counts(tables: dict[str, Any]) -> tuple[int, int, int]:
    """What the query of both tables sees."""
    rows = [[row for row in tables[name].values() if row] for name in ("customers", "orders")]
    return len(rows[0]), len(rows[1]), sum(row["qty"] or 0 for row in rows[1])


@pytest.mark.thorough
@pytest.mark.usefixtures("compiled_queries")
def test_a_capture_shows_whole_transactions_at_every_cut(new_project, home):
    """Debezium's own events, landed in pieces that end anywhere."""
    print(f"DBT_CHANGELOG_SEED={SEED}")
    choose = random.Random(SEED)
    files = {
        f"models/{table}.sql": SHOP.format(table=table, key=key, row=row)
        for table, (key, row) in SHOP_TABLES.items()
    }
    project = new_project(files | {"models/s.yml": SOURCES}, "group_shop", home=home, threads=2)
    events = [event for batch in (1, 2, 3) for event in read_events(batch)]
    transactions = [None if v is None else json.loads(v)["source"]["txId"] for _, _, v in events]
    # after each row behind which no transaction goes on
    tables: dict[str, Any] = {name: {} for name in SHOP_TABLES}
    last = {tx: place for place, tx in enumerate(transactions) if tx is not None}
    seen, whole, reach = 0, [(0, 0, 0)], -1
    for place, event in enumerate(events):
        replayed([event], tables)
        reach = max(reach, last.get(transactions[place], place))
        if reach == place:
            whole.append(counts(tables))
    at = 0
    for cut in [*sorted(choose.sample(range(2, len(events)), 3)), len(events)]:
        rows = [(at + i, *event) for i, event in enumerate(events[at:cut])]
        columns = None if at else "position bigint, topic string, key string, value string"
        project.table("log", rows, columns)
        at = cut
        project.run("run")
        (row,) = project.sql(
            "select (select count(*) from customers), count(*), coalesce(sum(qty), 0) from orders"
        )
        assert tuple(row) in whole[seen:], (cut, tuple(row))
        seen = whole.index(tuple(row), seen)
    assert seen >= len(whole) - 2 or whole[seen] in whole[-3:]
