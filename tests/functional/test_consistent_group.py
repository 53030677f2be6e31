"""consistent_group: the views of a group change at one moment, and show whole transactions only."""

from __future__ import annotations

from typing import Any

import pytest

from .project import Project

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
