"""The SQL that plans give, as text: golden/<case>__<what>.sql, written by `make goldens`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from .plans import CASES, Model, batch, macros_of
from .render import ROOT

GOLDEN = ROOT / "tests" / "unit" / "golden"


def decode(model: Model) -> str:
    return macros_of(model).decode_sql(model.plan(), "events") + "\n"


def last_changes(model: Model) -> str:
    return macros_of(model).last_changes_sql(model.plan(), "changes") + "\n"


def first_run(model: Model) -> str:
    return program(model, id=1, creates=True, replaces=False)


def merge(model: Model) -> str:
    return program(model)


def program(model: Model, **changes: object) -> str:
    macros = macros_of(model)
    return macros.program_text(macros.from_changelog_program(model.plan(), batch(**changes)))


WHAT: dict[str, tuple[Callable[[Model], str], list[str]]] = {
    "decode": (decode, list(CASES)),
    "last_changes": (last_changes, ["composite_key", "map_payload", "tie_last", "key_change"]),
    "first_run": (first_run, ["default_op_mapping", "images", "hostile_names"]),
    "merge": (merge, ["default_op_mapping", "composite_key", "tie_last", "passthrough"]),
}
GOLDENS = {
    f"{case}__{what}.sql": (render, CASES[case])
    for what, (render, cases) in WHAT.items()
    for case in cases
}


@pytest.mark.parametrize("name", GOLDENS)
def test_golden(name: str, pytestconfig: pytest.Config) -> None:
    render, model = GOLDENS[name]
    text, file = render(model), GOLDEN / name
    if pytestconfig.getoption("--rewrite-goldens", default=False):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.is_file(), f"no {name}: run make goldens"
    assert text == file.read_text(encoding="utf-8"), f"{name} differs: run make goldens, see git diff"


def test_no_golden_is_left_over(pytestconfig: pytest.Config) -> None:
    files = {file.name: file for file in GOLDEN.glob("*.sql")}
    for name in files.keys() - GOLDENS:
        if pytestconfig.getoption("--rewrite-goldens", default=False):
            files.pop(name).unlink()
    assert files.keys() == GOLDENS.keys()


@pytest.mark.parametrize("case", CASES)
def test_same_plan_same_bytes(case: str) -> None:
    model = CASES[case]
    config = dict(reversed(model.config.items()))
    mapping = model.config.get("op_mapping")
    if mapping:
        config["op_mapping"] = dict(reversed(mapping.items()))
    again = Model(config, model.columns)
    for render in (decode, last_changes, first_run, merge):
        assert render(model) == render(model) == render(again)


@pytest.mark.parametrize("case", CASES)
def test_layout(case: str) -> None:
    for render in (decode, last_changes, first_run, merge):
        for line in render(CASES[case]).splitlines():
            assert line == line.rstrip(), repr(line)
            assert "\t" not in line
