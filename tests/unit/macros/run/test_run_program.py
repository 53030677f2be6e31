"""The one interpreter."""

from types import SimpleNamespace

import pytest

from ..lake import Lake
from ..plans import CASES, macros_of
from ..render import CompilerError
from ..runs import Runs

MODEL = CASES["default_op_mapping"]
STEPS = [
    {"name": "look", "sql": "select 1 as rows_inserted, 2 as events_late", "counts": True},
    {"name": "note", "sql": "note {rows_inserted}, {rows_updated}"},
]


def run(program, counts=None, **context):
    lake = Lake(counts=counts or {})
    macros = macros_of(MODEL, lake, **context)
    return macros.run_program(program), macros


def test_what_ran_so_far_is_in_target_run():
    outcome, macros = run([{"name": "one", "sql": "first"}, {"name": "two", "sql": "second"}])
    assert outcome == {"counters": {}, "ended": False}
    assert macros.warehouse.statements == ["first", "second"]
    assert macros.written == ["-- one\nfirst;\n", "-- one\nfirst;\n\n-- two\nsecond;\n"]


def test_what_a_step_counts_is_known_to_those_after_it():
    outcome, macros = run(STEPS, {"rows_inserted": 3, "events_late": None})
    assert outcome["counters"] == {"rows_inserted": 3}
    assert macros.warehouse.statements[-1] == "note 3, null"


@pytest.mark.parametrize(("written", "ended"), [(0, True), (4, False)])
def test_a_batch_may_end(written, ended):
    first = {
        "name": "look",
        "sql": "select 1 as written",
        "ends": {"without": "written", "sql": "undo"},
    }
    rest = [{"name": "commit", "sql": "commit"}, {"name": "view", "sql": "view", "always": True}]
    outcome, macros = run([first, *rest], {"written": written})
    assert outcome["ended"] is ended
    done = ["undo", "view"] if ended else ["commit", "view"]
    assert macros.warehouse.statements[1:] == done


@pytest.mark.parametrize(
    ("codes", "warnings"), [("", []), ("'x' (3 events)", ["Skipped 'x' (3 events) in it"])]
)
def test_a_step_may_warn(codes, warnings):
    warns = {"if": "codes", "text": "Skipped {codes} in it"}
    _, macros = run(
        [{"name": "look", "sql": "select 1 as codes", "warns": warns}], {"codes": codes}
    )
    assert macros.warnings == warnings


def guarded(found, expects, **more):
    """A step whose guard finds a row for each batch that is there."""
    runs = Runs(MODEL)
    for _ in range(found):
        runs.run()
    guard = {"sql": ["refresh table t", "show tblproperties analytics.customers__state"
                     " ('dbt_changelog.batch')"], "expects": expects,
             "problem": "Another run committed batch {found}"}  # fmt: skip
    macros = runs.macros()
    program = [{"name": "write", "sql": "write", "guards": [{**guard, **more}]}]
    return macros, program


def test_a_guard_that_finds_what_it_expects():
    macros, program = guarded(2, ["2"])
    macros.run_program(program)
    assert macros.warehouse.statements[0] == "refresh table t"
    assert macros.warehouse.statements[-1] == "write"


@pytest.mark.parametrize("undo", [None, "undo"])
def test_a_guard_that_finds_something_else_stops_before_the_step(undo):
    macros, program = guarded(2, ["1"], **({"undo": undo} if undo else {"undo": None}))
    with pytest.raises(CompilerError) as caught:
        macros.run_program(program)
    assert str(caught.value) == (
        "Another run committed batch 2.\n"
        "To fix: run the model again; let one run of it end before the next begins."
    )
    assert "write" not in macros.warehouse.statements
    assert (macros.warehouse.statements[-1] == "undo") is (undo is not None)
    assert macros.written == []


def test_a_step_can_fail_on_purpose():
    fail = {"var": lambda name, default=None: "two"}
    program = [{"name": name, "sql": name} for name in ("one", "two", "three")]
    lake = Lake()
    with pytest.raises(CompilerError, match="Failed on purpose after 'two'"):
        macros_of(MODEL, lake, **fail).run_program(program)
    assert lake.statements == ["one", "two"]


def test_a_step_that_may_fail_warns_and_the_next_one_runs():
    asked = []

    def attempt(sql):
        asked.append(sql)
        return {"table": None, "error": "no such table"}

    adapter = SimpleNamespace(attempt_statement=attempt)
    program = [
        {"name": "row", "sql": "insert", "may_fail": "No row: {error}."},
        {"name": "view", "sql": "view"},
    ]
    _, macros = run(program, adapter=adapter)
    assert asked == ["insert"]
    assert macros.warnings == ["No row: no such table."]
    assert macros.warehouse.statements == ["view"]
