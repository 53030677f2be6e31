"""The SQL that plans give, as text: golden/<case>__<what>.sql, written by `make goldens`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from . import logs
from .logs import LOGS
from .plans import CASES, WHERE, Model, batch, macros_of
from .render import ROOT, Macros

GOLDEN = ROOT / "tests" / "unit" / "golden"


def decode(macros: Macros, model: Model) -> str:
    return macros.decode_sql(model.plan(), "events") + "\n"


def contents(macros: Macros, model: Model) -> str:
    plan = model.plan()
    return macros.kernel_macros(plan)["contents"](plan) + "\n"


def last_changes(macros: Macros, model: Model) -> str:
    return macros.last_changes_sql(model.plan(), "changes") + "\n"


def first_run(macros: Macros, model: Model) -> str:
    return program(macros, model, id=1, creates=True, replaces=False)


def merge(macros: Macros, model: Model) -> str:
    return program(macros, model)


def program(macros: Macros, model: Model, **changes: Any) -> str:
    plan, changed = model.plan(), batch(**changes)
    changed["state"] = macros.written_state(plan, changed["id"])
    return macros.program_text(macros.from_changelog_program(plan, changed))


def next_changelog(macros: Macros, model: Model) -> str:
    following = batch(has_changelog=True)
    return macros.program_text(macros.from_changelog_program(model.plan(), following))


def refreshed_changelog(macros: Macros, model: Model) -> str:
    columns = [{"name": name, "type": "int"} for name in ("id", "lsn", "_sequence")]
    refresh = batch(has_changelog=True, creates=True, old_columns=columns)
    return macros.program_text(macros.from_changelog_program(model.plan(), refresh))


def other_columns(macros: Macros, model: Model) -> str:
    """After a change of columns with batch 2."""
    plan = {**model.plan(), "since": 2, "absent": [model.plan()["compared"][0]]}
    return macros.program_text(macros.from_changelog_program(plan, batch(has_changelog=True)))


def count_changes(macros: Macros, model: Model) -> str:
    return macros.count_changes_sql(model.plan(), batch()) + "\n"


def recovery(macros: Macros, model: Model) -> str:
    """After a run that failed before its MERGE."""
    changes = batch(staged=True, appended=True, has_changelog=True)
    return macros.program_text(macros.from_changelog_program(model.plan(), changes))


def purge(macros: Macros, model: Model) -> str:
    """What is purged now and then, after a run that failed before its end."""
    changes = batch(id=16, staged=True, appended=True, merged=True)
    return macros.program_text(macros.from_changelog_program(model.plan(), changes))


def from_changelog(macros: Macros, model: Model) -> str:
    given = macros.given_decode_args(model.node["config"])
    return macros.from_changelog("events", **given) + "\n"


def apply_changelog(macros: Macros, model: Model) -> str:
    return macros.apply_changelog("changes", model.node["config"]["unique_key"]) + "\n"


def new_rows(macros: Macros, model: Model) -> str:
    ends = [{"column": "lsn", "type": "bigint", "value": value} for value in ("9", "20")]
    if model.plan()["read"]["strict"]:
        return macros.strict_range_sql(WHERE, "bronze.customers", "lsn", *ends) + "\n"
    return macros.range_sql("bronze.customers", "lsn", 5, *ends) + "\n"


def log_program(name: str, **changes: Any) -> str:
    """The statements of a batch of a to_changelog model."""
    log = LOGS[name]
    macros, plan = logs.macros_of(log), log.plan()
    state = plan["relations"]["state"]
    changed = batch(has_changelog=True, state=state, position={}, **changes)
    return macros.program_text(macros.to_changelog_program(plan, changed))


# programs of to_changelog models: {golden: (case, what differs from a second batch)}
PROGRAMS: dict[str, tuple[str, dict[str, Any]]] = {
    "table_input__first_log": ("table_input", {"id": 1, "creates": True}),
    "table_input__next_log": ("table_input", {}),
    "table_without_key__next_log": ("table_without_key", {"id": 16}),
    "small_numbers__next_log": ("small_numbers", {}),
    "changes_input__first_log": ("changes_input", {"id": 1, "creates": True}),
    "changes_input__next_log": ("changes_input", {}),
    "changes_input__refreshed_log": ("changes_input", {"refresh": True}),
    "changes_without_key__refreshed_log": ("changes_without_key", {"refresh": True}),
}

# like another case in this
NO_DECODE = ["constraints", "state_backed", "keyless", "iceberg", "parquet", "partitioned"]

DEBEZIUM = {"INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u", "DELETE": "d"}
IMAGES = {"before": "before", "after": "after"}
# calls of macros that know no columns
CALLS: dict[str, Callable[[Macros], str]] = {
    "default_op_mapping__to_changelog": lambda m: m.to_changelog("changes"),
    "images__to_changelog": lambda m: m.to_changelog(
        "changes", op_mapping=DEBEZIUM, passthrough="ts_ms", **IMAGES
    ),
    "composite_key__to_changelog": lambda m: m.to_changelog(
        "changes", op_mapping=DEBEZIUM, unique_key=["order_id", "line"], **IMAGES
    ),
    "partial_delete__to_changelog": lambda m: m.to_changelog(
        "changes", unique_key="id", produces_full_deletes=False
    ),
    "one_image__to_changelog": lambda m: m.to_changelog("changes", before="row", after="row"),
    "tie_last__to_changelog": lambda m: m.to_changelog(
        "changes", op_mapping=DEBEZIUM, unique_key="id", tie_handling="LAST", **IMAGES
    ),
    "hostile_names__to_changelog": lambda m: m.to_changelog(
        "changes", op="o p'`", op_mapping={"INSERT": "'", "DELETE": "\\"}, unique_key="i`d"
    ),
    "composite_key__diff_tables": lambda m: m.diff_tables(
        "old_orders", "new_orders", unique_key=["order_id", "line"]
    ),
    "no_key__diff_tables": lambda m: m.diff_tables("old_orders", "new_orders"),
}

Render = Callable[[Macros, Model], str]
ALWAYS: list[Render] = [decode, first_run, merge, contents]
SHOWN: dict[Render, Iterable[str]] = {
    decode: [case for case in CASES if case not in NO_DECODE],
    last_changes: ["composite_key", "map_payload", "tie_last", "key_change"],
    first_run: [
        *("default_op_mapping", "images", "hostile_names", "constraints", "keyless"),
        *("iceberg", "partitioned"),
    ],
    merge: [
        *("default_op_mapping", "composite_key", "tie_last", "passthrough", "keyless"),
        "parquet",
    ],
    recovery: ["keyless_changelog"],
    purge: ["keyless"],
    contents: ["default_op_mapping", "keyless"],
    next_changelog: ["changelog", "changelog_against_state"],
    refreshed_changelog: ["changelog_against_state", "keyless_changelog"],
    other_columns: ["default_op_mapping", "changelog"],
    count_changes: ["default_op_mapping"],
    from_changelog: ["default_op_mapping", "images", "state_backed"],
    apply_changelog: ["composite_key"],
    new_rows: ["default_op_mapping", "keyless"],
}
GOLDENS = {
    f"{case}__{render.__name__}.sql": (render, CASES[case])
    for render, cases in SHOWN.items()
    for case in cases
}


TEXTS: dict[str, Callable[[], str]] = {
    **{
        name: lambda given=given: given[0](macros_of(given[1]), given[1])  # type: ignore[misc]
        for name, given in GOLDENS.items()
    },
    **{f"{name}.sql": lambda call=call: call(Macros()) + "\n" for name, call in CALLS.items()},  # type: ignore[misc]
    **{
        f"{name}.sql": lambda given=given: log_program(given[0], **given[1])  # type: ignore[misc]
        for name, given in PROGRAMS.items()
    },
}


@pytest.mark.parametrize("name", TEXTS)
def test_golden(name: str, pytestconfig: pytest.Config) -> None:
    text, file = TEXTS[name](), GOLDEN / name
    if pytestconfig.getoption("--rewrite-goldens", default=False):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.is_file(), f"no {name}: run make goldens"
    assert text == file.read_text(encoding="utf-8"), f"{name} differs: run make goldens"


def test_no_golden_is_left_over(pytestconfig: pytest.Config) -> None:
    files = {file.name: file for file in GOLDEN.glob("*.sql")}
    for name in files.keys() - TEXTS:
        if pytestconfig.getoption("--rewrite-goldens", default=False):
            files.pop(name).unlink()
    assert files.keys() == TEXTS.keys()


@pytest.mark.parametrize("case", CASES)
def test_same_plan_same_bytes(case: str) -> None:
    model = CASES[case]
    config = dict(reversed(model.config.items()))
    if "op_mapping" in config:
        config["op_mapping"] = dict(reversed(config["op_mapping"].items()))
    macros, same_model = macros_of(model), replace(model, config=config)
    for render in ALWAYS:
        text = render(macros, model)
        assert text == render(macros, model) == render(macros_of(model), same_model)


@pytest.mark.parametrize("case", CASES)
def test_layout(case: str) -> None:
    model = CASES[case]
    for render in ALWAYS:
        for line in render(macros_of(model), model).splitlines():
            assert line == line.rstrip(), repr(line)
            assert "\t" not in line
