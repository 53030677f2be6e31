"""The SQL that users get, as text: golden/<case>__<what>.sql, written by `make goldens`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from .groups import Group, runs_of
from .logs import LOGS, Log
from .plans import CASES, Model, answer_columns, macros_of
from .render import ROOT, Macros, Warehouse
from .runs import REFRESH, Runs, adopting
from .wires import TEXT, events

GOLDEN = ROOT / "tests" / "unit" / "golden"
Render = Callable[[Model], str]


def decode(model: Model) -> str:
    macros = macros_of(model)
    return macros.chain_sql([macros.decode_ctes(model.plan(), "events")], "changes")


def contents(model: Model) -> str:
    macros, plan = macros_of(model), model.plan()
    return macros.kernel_of(plan["kernel"])["contents"](plan, plan["relations"]["state"])


def last_changes(model: Model) -> str:
    macros = macros_of(model)
    cte = macros.last_changes_cte(model.plan())
    return macros.chain_sql([cte], "last_changes")


def problems(model: Model) -> str:
    """What diagnose asks of the events."""
    return macros_of(model).count_problems_sql(model.plan())


def standing(model: Model) -> str:
    """What diagnose asks of the events beside the state."""
    macros, plan = macros_of(model), model.plan()
    kernel = macros.kernel_of(plan["kernel"])
    return kernel["standing"](plan) + (";\n\n" + kernel["ties"](plan) if kernel["ties"] else "")


def from_changelog(model: Model) -> str:
    macros = macros_of(model)
    given = macros.given_args(model.node["config"], macros.decode_defaults())
    return macros.from_changelog("events", **given)


def apply_changelog(model: Model) -> str:
    return macros_of(model).apply_changelog("changes", model.node["config"]["unique_key"])


def new_rows(model: Model) -> str:
    runs = Runs(model)
    runs.run()
    runs.model = replace(model, query="bronze.customers")
    return runs.model.compiled(runs.macros(), 20)


def first(model: Any) -> str:
    return Runs(model).run().text


def next(model: Any) -> str:
    runs = Runs(model)
    runs.run()
    return runs.run().text


def refresh(model: Any) -> str:
    runs = Runs(model)
    runs.run()
    return runs.run(**REFRESH).text


def resume(model: Any, after: str = "append changelog") -> str:
    """What a run does first after one that ended with the append."""
    runs = Runs(model)
    runs.run()
    runs.crash(after)
    return runs.plan().macros.written[-1]


def evolved(model: Model) -> str:
    """A batch whose query has another column than the tables, and lacks one."""
    runs = Runs(model)
    runs.run()
    (side,) = {model.node["config"].get("after")} & {"after"} or {None}
    columns = dict(model.columns)
    row = columns.pop(side) if side else columns
    changed = {name: of for name, of in row.items() if name != "name"} | {"city": "string"}
    config = {**model.config, "on_schema_change": "append_new_columns"}
    sides = {"before": changed, "after": changed} if side else changed
    runs.model = replace(model, config=config, columns={**columns, **sides} if side else changed)
    return runs.run().text


def empty(model: Any) -> str:
    """dbt run --empty before the first run."""
    return Runs(model).run(flags=SimpleNamespace(WHICH="run", EMPTY=True)).text


def nothing_new(model: Any) -> str:
    """Somebody has changed the view."""
    runs = Runs(model)
    runs.run(end=10)
    for name in runs.lake.views:
        runs.lake.views[name] = f"create view {name}\nas\nselect 1"
    runs.lake.counts["newer_rows"] = 0
    return runs.run(end=10).text


def moment(model: Model) -> str:
    """A batch of a model whose group shows one moment and goes to the next."""
    first = runs_of(model, Group())
    first.run()
    runs = runs_of(model, Group(shown=1, target=1, ready={1: 3}, border=20, version=5))
    runs.lake.tables, runs.lake.views, runs.count = first.lake.tables, first.lake.views, 1
    return runs.run().text


def border(model: Model) -> str:
    """What tells how far the log has whole transactions only."""
    runs = runs_of(model, Group())
    runs.run()
    (asked,) = [sql for sql in runs.lake.statements if "_dbtc_reached" in sql]
    return asked


def newer(model: Model) -> str:
    """What tells, of a batch without a new position, whether it would write a row."""
    runs = Runs(model)
    runs.run(end=10)
    runs.plan(end=10)
    (asked,) = [sql for sql in runs.lake.statements if "newer_rows" in sql]
    return asked


def evolved_events(log: Log) -> str:
    """A batch whose query has a column more than the event table."""
    runs = Runs(log)
    runs.run()
    runs.model = replace(log, columns={**log.columns, "city": "string"})
    return runs.run().text


def purge(model: Any) -> str:
    """A batch after which rows of weight zero go."""
    runs = Runs(model)
    for _ in range(15):
        runs.run()
    return runs.run().text


def compacted(model: Model) -> str:
    """A batch before which more than a share of the keys was appended."""
    runs = Runs(model)
    runs.run()
    runs.run()
    runs.lake.counts |= {"appended": 20, "state_rows": 100}
    return runs.run().text


def adopted(model: Model) -> str:
    """What a first run does before its own batch where a table has the model's name."""
    return adopting(model).adopt().written[-1]


FROM_PROGRAMS: dict[Render, Iterable[str]] = {
    first: [
        *("default_op_mapping", "images", "hostile_names", "constraints", "keyless"),
        *("iceberg", "partitioned", "map_payload", "changelog", "parts", "upsert_materialize"),
    ],
    next: [
        *("default_op_mapping", "composite_key", "tie_last", "passthrough", "keyless"),
        *("parquet", "iceberg", "changelog", "changelog_against_state", "keyless_changelog"),
        *("counted", "constraints", "state_backed", "lookback", "parts", "soft_delete"),
        *("upsert_materialize", "first_of_several", "one_row_per_key"),
        *("versions", "parts_of_versions", "watermark"),
    ],
    compacted: ["appended", "appended_ties"],
    refresh: [
        *("default_op_mapping", "changelog_against_state", "keyless_changelog"),
        *("first_of_several", "versions", "appended_ties"),
    ],
    resume: ["changelog", "keyless_changelog"],
    evolved: ["default_op_mapping", "changelog", "tie_last"],
    empty: ["default_op_mapping", "keyless"],
    nothing_new: ["keyless", "lookback"],
    moment: ["grouped"],
    purge: ["keyless", "upsert_materialize"],
    adopted: ["default_op_mapping", "changelog", "soft_delete"],
}
TO_PROGRAMS: dict[Render, Iterable[str]] = {
    first: ["table_input", "changes_input"],
    next: ["table_input", "table_without_key", "small_numbers", "changes_input"],
    refresh: ["table_input", "changes_input", "changes_without_key"],
    resume: ["table_input", "changes_input"],
    evolved_events: ["table_input", "changes_input"],
    empty: ["table_input", "changes_input"],
}
# like another case in this
NO_DECODE = [
    "grouped",
    "watermark",
    "upsert_materialize",
    "one_row_per_key",
    "soft_parts",
    "versions",
    "parts_of_versions",
    "constraints",
    "state_backed",
    "keyless",
    "iceberg",
    "parquet",
    "partitioned",
    "counted",
    "lookback",
    "appended",
    "appended_ties",
]
TEXTS_OF_MODELS: dict[Render, Iterable[str]] = {
    decode: [case for case in CASES if case not in NO_DECODE],
    last_changes: ["composite_key", "map_payload", "tie_last", "key_change"],
    contents: [
        *("default_op_mapping", "keyless", "first_of_several", "versions", "parts_of_versions")
    ],
    problems: ["default_op_mapping", "images", "keyless", "upsert_materialize"],
    standing: ["default_op_mapping", "keyless", "parts", "upsert_materialize", "versions"],
    from_changelog: ["default_op_mapping", "images", "state_backed"],
    apply_changelog: ["composite_key"],
    new_rows: ["counted", "keyless", "lookback"],
    newer: ["lookback"],
    border: ["grouped"],
}

UPDATES = {"INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u", "DELETE": "d"}
SIDES = {"before": "before", "after": "after"}
# calls of macros that know no columns
CALLS: dict[str, Callable[[Macros], str]] = {
    "default_op_mapping__to_changelog": lambda m: m.to_changelog("changes"),
    "images__to_changelog": lambda m: m.to_changelog(
        "changes", op_mapping=UPDATES, passthrough="ts_ms", **SIDES
    ),
    "composite_key__to_changelog": lambda m: m.to_changelog(
        "changes", op_mapping=UPDATES, unique_key=["order_id", "line"], **SIDES
    ),
    "partial_delete__to_changelog": lambda m: m.to_changelog(
        "changes", unique_key="id", produces_full_deletes=False
    ),
    "one_image__to_changelog": lambda m: m.to_changelog("changes", before="row", after="row"),
    "tie_last__to_changelog": lambda m: m.to_changelog(
        "changes", op_mapping=UPDATES, unique_key="id", tie_handling="LAST", **SIDES
    ),
    "hostile_names__to_changelog": lambda m: m.to_changelog(
        "changes", op="o p'`", op_mapping={"INSERT": "'", "DELETE": "\\"}, unique_key="i`d"
    ),
    "composite_key__diff_tables": lambda m: m.diff_tables(
        "old_orders", "new_orders", unique_key=["order_id", "line"]
    ),
    "no_key__diff_tables": lambda m: m.diff_tables("old_orders", "new_orders"),
}

CHANGES = {"_row_kind": "string", "_sequence": "bigint", "_ordinal": "int"}
ROW = {"id": "int", "tags": "map<string,string>"}


def data_test(name: str, *args: Any, **given: Any) -> Callable[[], str]:
    """A data test of a changelog, or of a table beside another."""

    def render() -> str:
        warehouse = Warehouse()
        changes = {**CHANGES, **ROW, "_batch_id": "bigint"}
        answer_columns(warehouse, r"^describe query select \* from customers__changelog$", changes)
        answer_columns(warehouse, r"^describe query select \* from (customers|expected)$", ROW)
        return getattr(Macros(warehouse), f"test_{name}")(*args, **given)

    return render


DATA_TESTS: dict[str, Callable[[], str]] = {
    "table__equals_seed": data_test("equals_seed", "customers", "expected"),
    "keyed__valid_changelog": data_test("valid_changelog", "customers__changelog", "id"),
    "no_key__valid_changelog": data_test("valid_changelog", "customers__changelog"),
    "keyed__changelog_matches_table": data_test(
        "changelog_matches_table", "customers__changelog", "customers", "id"
    ),
    "no_key__changelog_matches_table": data_test(
        "changelog_matches_table", "customers__changelog", "customers"
    ),
    "keyed__round_trip": data_test("round_trip", "customers__changelog", "id"),
    "no_key__round_trip": data_test("round_trip", "customers__changelog", op_mapping=UPDATES,
                                    **SIDES),
}  # fmt: skip


SHOP = "id int, name string, price decimal(10, 2), at timestamp"
# events of formats
WIRES: dict[str, Callable[[], str]] = {
    "debezium__events": lambda: events(TEXT, format="debezium", payload_schema=SHOP),
    "canal__events": lambda: events(TEXT, format="canal", payload_schema=SHOP),
    "hvr__events": lambda: events(
        {"id": "int", "name": "string", "hvr_op": "int", "hvr_integ_seq": "string"}, format="hvr"
    ),
}


def texts() -> dict[str, Callable[[], str]]:
    found: dict[str, Callable[[], str]] = DATA_TESTS | WIRES
    for models, shown in ((CASES, FROM_PROGRAMS), (CASES, TEXTS_OF_MODELS), (LOGS, TO_PROGRAMS)):
        for render, cases in shown.items():  # type: ignore[attr-defined]
            for case in cases:
                name, model = f"{case}__{render.__name__}", models[case]  # type: ignore[index]
                found[name] = lambda render=render, model=model: render(model)  # type: ignore[misc]
    for name, call in CALLS.items():
        found[name] = lambda call=call: call(Macros())  # type: ignore[misc]
    return {f"{name}.sql": render for name, render in found.items()}


TEXTS = texts()


@pytest.mark.parametrize("name", TEXTS)
def test_golden(name: str, pytestconfig: pytest.Config) -> None:
    text, file = TEXTS[name]().rstrip("\n") + "\n", GOLDEN / name
    if pytestconfig.getoption("--rewrite-goldens", default=False):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert file.is_file(), f"no {name}: run make goldens"
    assert text == file.read_text(encoding="utf-8"), f"{name} differs: run make goldens"


# what may stand on a long line: messages, documents, positions; one value of a row, written or read
LONG = re.compile(
    r"raise_error\(|'dbt_changelog\.log\.|-- log: |/\* dbt_changelog range |^ *'{.*}' as \w+"
    r"|to_json\(|timestampFormat|typeof\(|xxhash64\(|map_entries\("
    # the schema of a message, and a value that is read from a text
    r"|_dbtc_unread string'|^ +'\w+', |lpad\("
    # and what orders the kinds of one sequence
    r"|order by _row_kind = 'UPDATE_AFTER'|array_position\("
)


@pytest.mark.parametrize("name", TEXTS)
def test_lines_fit_a_screen(name: str) -> None:
    lines = (GOLDEN / name).read_text(encoding="utf-8").split("\n")
    assert [line for line in lines if len(line) > 120 and not LONG.search(line)] == []


def depth(sql: str) -> int:
    """How deep selects are nested; a CTE is a link of the chain that it stands in."""
    sql = re.sub(r"'(?:[^'\\]|\\.)*'|`[^`]*`|--[^\n]*|/\*.*?\*/", "''", sql)
    deepest, stack = 0, []
    for at in re.finditer(r"[()]", sql):
        if at.group() == ")":
            stack.pop()
            continue
        is_query = re.match(r"\s*(select|with)\b", sql[at.end() :])
        is_link = re.search(r"\w as $", sql[: at.start()])
        stack.append(bool(is_query and not is_link))
        deepest = max(deepest, sum(stack))
    return deepest


@pytest.mark.parametrize("name", TEXTS)
def test_a_statement_is_a_chain(name: str) -> None:
    # a round trip is one function of a user in another, each a subquery
    most = 4 if "round_trip" in name else 2
    assert depth((GOLDEN / name).read_text(encoding="utf-8")) <= most


def test_depth() -> None:
    assert depth("with a as (select 1), b as (select '((select' from a) select * from b") == 0
    assert depth("select * from (select 1 from (with a as (select 1) select * from a))") == 2


def test_no_golden_is_left_over(pytestconfig: pytest.Config) -> None:
    files = {file.name: file for file in GOLDEN.glob("*.sql")}
    for name in files.keys() - TEXTS:
        if pytestconfig.getoption("--rewrite-goldens", default=False):
            files.pop(name).unlink()
    assert files.keys() == TEXTS.keys()
