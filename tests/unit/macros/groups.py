"""A consistent group of two models, as far as the macros of one of them see it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from .lake import Table, described
from .plans import SOURCE, STATE, Model
from .render import table
from .runs import Runs

GROUP = "analytics.dbt_changelog_group_shop"
MEMBERS = ["model.shop.customers", "model.shop.orders"]
COLUMNS = ["kind", "moment", "uid", "version", "members", "log", "position", "run", "shown"]


@dataclass
class Group:
    """`ready`: the state's version at each moment; `border`: up to where the log is whole."""

    shown: int = 0
    target: int = 0
    position: str = "null"
    run: str | None = None
    ready: dict[int, int] = field(default_factory=dict)
    border: int | None = 10
    version: int = 3
    by_others: bool = False

    def rows(self) -> Any:
        shown = str(self.shown)
        target = (str(self.target), None, None, None, SOURCE if self.target else None)
        found = [("target", *target, self.position, self.run, shown)]
        for moment, version in self.ready.items():
            own = (str(moment), MEMBERS[0], str(version), json.dumps(MEMBERS))
            found.append(("ready", *own, None, None, None, shown))
        return table(found, COLUMNS)

    def decide(self) -> None:
        value = str(11 if self.by_others else self.border)
        self.target, self.run = self.target + 1, "run"
        self.position = json.dumps({"column": "lsn", "type": "bigint", "value": value})


def member(model: Model, name: str, **config: Any) -> dict[str, Any]:
    """Another model of the group, as dbt has it."""
    node = {**model.node, "name": name, "unique_id": f"model.shop.{name}"}
    return {**node, "config": {**node["config"], **config}}


def runs_of(model: Model, group: Group, other: dict[str, Any] | None = None) -> Runs:
    """Runs of the model beside one other; `group` says what it finds, and is changed by it."""
    nodes = {node["unique_id"]: node for node in (model.node, other or member(model, "orders"))}
    runs = Runs(model, {"graph": {"nodes": nodes}, "selected_resources": list(nodes)})
    lake = runs.lake
    lake.tables[GROUP] = Table()
    lake.answer(r"(?s)\n  kind,\n.* as shown\n", group.rows)
    lake.answer(r"_dbtc_reached", lambda: table([(group.border,)], ["border"]))
    lake.answer(rf"^update {GROUP}", lambda: group.decide() or table([], []))
    lake.answer("^describe history", lambda: table([(group.version,)], ["version"]))
    then = rf"^describe query select \* from {STATE} version"
    lake.answer(then, lambda: described(model.layout("customers__state")))
    lake.answer(r"\nselect max_by\(view_text", lambda: table([], ["statement"]))
    return runs
