"""Runs of one model, one after the other, in a lake: what dbt run does, as far as macros do it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import agate

from . import logs, plans
from .lake import Lake, Table
from .logs import Log
from .plans import BATCHES, Model
from .render import Macros


@dataclass
class Run:
    """One run: what it was made of, and what it wrote into target/run."""

    macros: Macros
    plan: dict[str, Any]
    batch: dict[str, Any]
    program: list[dict[str, Any]]
    outcome: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """What target/run has of it after it ran: the numbers stand where the counters were."""
        return self.macros.written[-1]

    @property
    def steps(self) -> list[str]:
        return [step["name"] for step in self.program]

    def step(self, name: str) -> dict[str, Any]:
        (found,) = [step for step in self.program if step["name"] == name]
        return found

    def guards(self, name: str) -> list[dict[str, Any]]:
        return self.step(name).get("guards", [])


@dataclass
class Runs:
    """`end`: how far the source reaches; it grows with each run, unless it is set."""

    model: Model | Log
    context: dict[str, Any] = field(default_factory=dict)
    count: int = 0
    log: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.lake = Lake(layout=self.model.layout, tables={BATCHES: Table({"uid": "string"})})

    def macros(self, **context: Any) -> Macros:
        """As of a dbt command of its own."""
        self.count += 1
        make = logs.macros_of if isinstance(self.model, Log) else plans.macros_of
        self.lake.layout = self.model.layout
        self.lake.statements.clear()
        given = {"invocation_id": f"run-{self.count}", **self.context, **context}
        return make(self.model, self.lake, **given)  # type: ignore[arg-type]

    def plan(self, end: int | None = None, **context: Any) -> Run:
        """A run before its first statement: its plan, its batch, its program."""
        macros = self.macros(**context)
        query = self.model.compiled(macros, 10 * self.count if end is None else end)
        make_plan, make_program = (
            getattr(macros, name) for name in (self.model.make_plan, self.model.make_program)
        )
        plan = make_plan(self.model.node, query, self.model.relation)
        batch = macros.next_batch(plan)
        return Run(macros, plan, batch, make_program(plan, batch))

    def run(self, end: int | None = None, **context: Any) -> Run:
        run = self.plan(end, **context)
        run.outcome = run.macros.run_program(run.program)
        return run

    def crash(self, after: str, end: int | None = None, **context: Any) -> None:
        """A run that ends just after the step of this name."""
        run = self.plan(end, **context)
        names = [step["name"] for step in run.program]
        run.macros.run_program(run.program[: names.index(after) + 1])

    def adopt(self, **context: Any) -> Macros:
        """A run up to where it has taken over the table of the model's name."""
        macros = self.macros(**context)
        plan = macros.from_changelog_plan(self.model.node, self.model.query, self.model.relation)
        macros.adopt_table(plan)
        return macros


REFRESH = {"should_full_refresh": lambda: True}


def adopting(model: Model, columns: dict[str, str] | None = None, **found: Any) -> Runs:
    """A model with adopt, and a table of its name. `found`: what is wrong with its keys."""
    runs = Runs(replace(model, config={**model.config, "adopt": True}))
    row = {name: of for name, of in model.decoded.items() if name not in plans.OWN}
    runs.lake.tables[str(plans.CONTENTS)] = Table(columns or row)
    keys = {"without_key": 0, "doubled": 0, "example": None, **found}
    types = [agate.Number(), agate.Number(), agate.Text()]
    runs.lake.answer(
        "^with keys as", lambda: agate.Table([tuple(keys.values())], list(keys), types)
    )
    cache = {"cache_renamed": lambda *names: None, "cache_added": lambda name: None}
    config = SimpleNamespace(project_name="shop", models={})

    def say(text: str, info: bool) -> None:
        runs.log.append(text)

    runs.context = {"adapter": SimpleNamespace(config=config, **cache), "log": say}
    return runs
