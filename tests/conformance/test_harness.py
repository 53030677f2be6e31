"""The harness itself, without Spark: what it reads, and that it sees what differs."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from .cases import Batch, Case, Rows, read_cases
from .compare import Differs, Relation, log_folds, same_bag, same_changes, same_fold
from .models import Model, is_state_backed, models_of
from .runner import CASES, Check, Difference, Finding, Lists, judge
from .sample import features, sample, waits
from .session import Outcome
from .values import identity, literal, parse_type

CHANGES = [
    ("INSERT", 1, 0, 1, "a"),
    ("UPDATE_BEFORE", 2, 0, 1, "a"),
    ("UPDATE_AFTER", 2, 1, 1, "b"),
    ("INSERT", 1, 0, 2, "x"),
    ("DELETE", 3, 0, 2, "x"),
]
WANTED = [[kind, *row] for kind, _, _, *row in CHANGES]


def relation(columns: str, rows: list[tuple[Any, ...]]) -> Relation:
    names, kinds = zip(*(column.split(" ", 1) for column in columns.split(", ")), strict=True)
    return Relation(list(names), [parse_type(kind) for kind in kinds], rows)


def changelog(rows: list[tuple[Any, ...]]) -> Relation:
    return relation("_row_kind string, _sequence bigint, _ordinal int, id int, v string", rows)


def expected(rows: list[list[Any]]) -> Rows:
    return Rows(["_row_kind", "id", "v"], rows)


# --- types and values -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text, sql",
    [
        ("INT NOT NULL", "int"),
        ("DECIMAL(10, 3)", "decimal(10,3)"),
        ("TIMESTAMP(3)", "timestamp_ntz"),
        ("TIMESTAMP_LTZ(3)", "timestamp"),
        ("TIMESTAMP", "timestamp"),
        ("BYTES", "binary"),
        ("MAP<STRING, ARRAY<INT>>", "map<string, array<int>>"),
        ("ROW<`x` INT, y ROW<z STRING>>", "struct<`x`: int, `y`: struct<`z`: string>>"),
        ("STRUCT<a b: DECIMAL(5,2), `c.d`: INT>", "struct<`a b`: decimal(5,2), `c.d`: int>"),
    ],
)
def test_types(text: str, sql: str) -> None:
    assert parse_type(text).sql == sql


@pytest.mark.parametrize(
    "kind, one, other",
    [
        ("DOUBLE", "NaN", float("nan")),
        ("DOUBLE", 0.0, -0.0),
        ("DOUBLE", 7, 7.0),
        ("FLOAT", 3.14, 3.140000104904175),
        ("DECIMAL(10,3)", "3.14", "3.140"),
        ("MAP<STRING, INT>", [["k", 1], ["j", 2]], {"j": 2, "k": 1}),
        ("ROW<a INT, b ARRAY<INT>>", [1, [2, None]], (1, [2, None])),
        ("BYTES", "00ff", bytearray(b"\x00\xff")),
        ("TIMESTAMP_LTZ(3)", "2024-02-29T22:59:59.9Z", datetime(2024, 2, 29, 22, 59, 59, 900000)),
        ("TIMESTAMP(3)", "2024-01-01T09:55", datetime(2024, 1, 1, 9, 55)),
    ],
)
def test_equal_values(kind: str, one: Any, other: Any) -> None:
    assert identity(one, parse_type(kind)) == identity(other, parse_type(kind))


@pytest.mark.parametrize(
    "kind, one, other",
    [
        ("STRING", "", None),
        ("STRING", "", " "),
        ("DOUBLE", "NaN", None),
        ("FLOAT", 3.14, 3.15),
        ("ARRAY<INT>", [], None),
        ("ROW<a INT>", [None], None),
        ("MAP<STRING, INT>", [["k", None]], []),
    ],
)
def test_different_values(kind: str, one: Any, other: Any) -> None:
    assert identity(one, parse_type(kind)) != identity(other, parse_type(kind))


def test_literals() -> None:
    assert literal("it's a \\ $", parse_type("STRING")) == "'it\\'s a \\\\ \\u0024'"
    assert literal(None, parse_type("ARRAY<INT>")) == "cast(null as array<int>)"
    assert literal([1, None], parse_type("ROW<a INT, b STRING>")) == (
        "named_struct('a', cast('1' as int), 'b', cast(null as string))"
    )


# --- rows -----------------------------------------------------------------------------------------


def test_the_order_of_rows_says_nothing_but_the_sequence_does() -> None:
    same_changes(expected(WANTED), changelog(CHANGES[::-1]), ["id"], ordered=True)
    swapped = [WANTED[2], WANTED[1], WANTED[0], *WANTED[3:]]
    same_changes(expected(swapped), changelog(CHANGES), ["id"], ordered=False)
    with pytest.raises(Differs, match=r"key \[\(1\)\]"):
        same_changes(expected(swapped), changelog(CHANGES), ["id"], ordered=True)


@pytest.mark.parametrize("ordered", [True, False])
@pytest.mark.parametrize("place", range(len(WANTED)))
def test_one_wrong_change_is_seen(place: int, ordered: bool) -> None:
    kind, *row = WANTED[place]
    for wrong in (
        [],
        [WANTED[place], WANTED[place]],
        [["DELETE" if kind != "DELETE" else "INSERT", *row]],
        [[kind, row[0], row[1] + "!"]],
        [[kind, row[0] + 5, row[1]]],
        [[kind, row[0], None]],
    ):
        rows = WANTED[:place] + wrong + WANTED[place + 1 :]
        with pytest.raises(Differs):
            same_changes(expected(rows), changelog(CHANGES), ["id"], ordered)


def test_bags_count() -> None:
    made = relation("id int, v string", [(1, "a"), (1, "a"), (2, None)])
    same_bag(Rows(["V", "ID"], [[None, 2], ["a", 1], ["a", 1]]), made)
    for rows in ([[1, "a"], [2, None]], [[1, "a"], [1, "a"], [2, None], [2, None]], []):
        with pytest.raises(Differs, match="missing"):
            same_bag(Rows(["id", "v"], rows), made)


def test_columns() -> None:
    made = relation("id int, v string", [])
    for rows, words in (
        (Rows(["id"], []), "the case lacks: v"),
        (Rows(["id", "v", "w"], []), "no column w"),
        (Rows(["v", "id"], [], [parse_type("STRING"), parse_type("INT")]), "the columns are id, v"),
        (Rows(["id", "v"], [], [parse_type("BIGINT"), parse_type("STRING")]), "int, not bigint"),
    ):
        with pytest.raises(Differs, match=words):
            same_bag(rows, made)


def test_a_changelog_folds_to_its_contents() -> None:
    contents = relation("id int, v string", [(1, "b")])
    same_fold(expected(WANTED), contents, ["id"])
    log_folds(changelog(CHANGES[::-1]), contents, ["id"])
    with pytest.raises(Differs):
        same_fold(expected(WANTED[:-1]), contents, ["id"])
    with pytest.raises(Differs):
        log_folds(changelog(CHANGES[:-1]), contents, ["id"])
    twice = relation("id int, v string", [(1, "a"), (1, "a")])
    same_fold(expected([WANTED[0], WANTED[0], ["DELETE", 2, "x"]]), twice, [])


# --- cases ----------------------------------------------------------------------------------------


def cases() -> dict[str, Case]:
    return {case.name: case for case in read_cases(CASES)}


def test_every_case_has_models_and_names_are_unique() -> None:
    names = [model.name for case in read_cases(CASES) for model in models_of(case)]
    assert len(cases()) > 100
    assert len(names) == len(set(names))
    for case in read_cases(CASES):
        assert [model.primary for model in models_of(case)].count(True) >= 1


def test_what_a_case_says_of_itself() -> None:
    found = cases()
    assert found["from_err_null_op_fails_job"].error_phase == "runtime"
    assert found["autocdc_key_change_on_existing_target_fails"].error_run == 2
    assert found["hudi_compare_7"].says_deliberate
    assert "_seq" in found["normalize_nulls"].batches[0].columns
    maxwell = found["flink_wire_maxwell_data"]
    assert maxwell.features == set()
    assert maxwell.batches[0].config["payload_schema"].startswith("id INT, name STRING, ")
    assert [model.what for model in models_of(maxwell)] == ["contents", "log"]
    assert found["fmt_debezium_null_fields"].features == set()
    assert sorted(found["autocdc_guide_three_runs"].contents) == [1, 2, 3]
    assert is_state_backed({"op_mapping": {"u": "INSERT, UPDATE_AFTER"}})
    assert is_state_backed({"op_mapping": {"u": "UPDATE_BEFORE, UPDATE_AFTER"}})
    images = {"before": "before", "after": "after"}
    assert not is_state_backed({"op_mapping": {"u": "UPDATE_BEFORE, UPDATE_AFTER"}, **images})


# --- the sample that make test runs ---------------------------------------------------------------


def test_the_sample_has_every_feature_of_every_function() -> None:
    lists, every = Lists.read(), read_cases(CASES)
    chosen = sample(every, lists)
    found = set().union(*(features(case, lists) for case in chosen))
    for case in every:
        assert waits(case, lists) or features(case, lists) <= found, case.name
    assert not any(waits(case, lists) for case in chosen)
    assert len(chosen) < len(every) / 4
    assert chosen == sample(every[::-1], lists)
    for case in chosen:
        others = [features(other, lists) for other in chosen if other is not case]
        assert features(case, lists) - set().union(*others), f"{case.name} adds nothing"


def test_features() -> None:
    found, lists = cases(), Lists.read()
    assert features(found["to_unknown_argument_typo_silently_ignored"], lists) >= {
        "to_changelog: deliberate",
        "to_changelog: error",
        "to_changelog: no key",
        "to_changelog: flat",
        "to_changelog: one run",
    }
    assert features(found["derived_from_before_after_upsert__tombstone"], lists) >= {
        "from_changelog: before and after",
        "from_changelog: key",
        "from_changelog: op_mapping INSERT",
        "from_changelog: op_mapping DELETE",
        "from_changelog: decimal",
    }
    assert "from_changelog: tie_handling LAST" in features(
        found["autocdc_dedup_ties_keep_one"], lists
    )


# --- the verdict ----------------------------------------------------------------------------------


def verdict(problem: str | None, lists: Lists, features: set[str], says: bool = False) -> Any:
    case = Case("c", "from_changelog", {}, [], says_deliberate=says)
    model = Model(case, "changelog", True, features)
    return judge([case], [Finding(model, problem)], lists)


def test_verdicts() -> None:
    meant = {"c": Difference("why", rows=[])}
    plain, pending = Lists({}, {}), Lists({}, {"new": "part"})
    listed, both = Lists(meant, {}), Lists(meant, {"new": "part"})
    for status, problem, lists, needs, says in (
        ("passed", None, plain, set(), False),
        ("failed", "differs", plain, set(), False),
        ("passed", None, listed, set(), True),
        ("failed", "differs", listed, set(), True),
        ("failed", None, plain, set(), True),
        ("skipped", "differs", pending, {"new"}, False),
        ("skipped", None, pending, {"new"}, False),
        ("skipped", "differs", both, {"new"}, True),
    ):
        assert verdict(problem, lists, needs, says).results[0].status == status


class Made(Check):
    """Without Spark: what a model made, or nothing."""

    def __init__(self, made: Relation | None) -> None:
        self.made, self.run = made, 1

    def _exists(self, name: str) -> bool:
        return self.made is not None and not name.endswith(("__state", "__changelog"))

    def _relation(self, name: str) -> Relation:
        assert self.made
        return self.made


def seen(instead: dict[str, Any], made: Relation | str) -> str:
    """What the harness says of rows or of an error, where the difference `instead` is meant."""
    recorded = Case("c", "from_changelog", {}, [Batch({}, [], {})])
    recorded.changelog = expected([["INSERT", 1, "a"]])
    case = Difference.of("why", instead).applied(recorded)
    outcome = Outcome(isinstance(made, Relation), made if isinstance(made, str) else "")
    try:
        Made(None if isinstance(made, str) else made).model(
            Model(case, "changelog", True), outcome, None
        )
    except Differs as problem:
        return str(problem)
    return ""


def test_a_deliberate_difference_is_what_the_product_does_instead() -> None:
    rows, error = {"rows": [["DELETE", 1, "a"]]}, {"error": "'v' is NULL"}
    as_meant, as_recorded = (changelog([(kind, 1, 0, 1, "a")]) for kind in ("DELETE", "INSERT"))
    assert seen(rows, as_meant) == ""
    assert seen(rows, as_recorded).startswith("missing [(DELETE, 1, a)]")
    assert seen(rows, changelog([])).startswith("missing")
    assert seen(rows, "Invalid 'v': 'v' is NULL. To fix: x.").startswith("Invalid 'v'")
    assert seen(error, "Invalid 'v': 'v' is NULL. To fix: x.") == ""
    assert "must fail with 'v' is NULL" in seen(error, "Invalid 'v': it is no name. To fix: x.")
    assert seen(error, as_recorded) == seen(error, as_meant) == "it must fail, and did not"


def test_a_difference_has_a_reason_and_one_thing_instead() -> None:
    for reason, instead in (("", {"error": "x"}), ("why", {}), ("why", {"rows": [], "error": "x"})):
        with pytest.raises(ValueError, match="a difference has a reason"):
            Difference.of(reason, instead)


def test_what_the_product_does_instead_is_not_what_was_recorded() -> None:
    lists, found = Lists.read(), cases()
    meant = [found[name] for name in lists.deliberate if name in found]
    assert len(meant) > 10
    for case in meant:
        instead = lists.expected(case)
        if not (instead.error_run or case.error_run):
            assert instead.changelog and case.changelog
            assert instead.changelog.rows != case.changelog.rows, case.name
        assert case.error_run is None or instead.error_run is None, case.name


def test_an_error_of_spark_is_not_one_of_ours() -> None:
    case = Case("c", "from_changelog", {}, [Batch({}, [], {})], error_run=1)
    for message, words in (
        ("Invalid 'op' in x: y. To fix: z.", None),
        ("[UNRESOLVED_COLUMN] a SQLSTATE: 42703 .. raise_error('To fix: z') ..", "words of ours"),
    ):
        model, outcome = Model(case, "changelog", True), Outcome(False, message)
        if words:
            with pytest.raises(Differs, match=words):
                Made(None).model(model, outcome, None)
        else:
            Made(None).model(model, outcome, None)


def test_a_pending_case_that_passes_is_reported() -> None:
    report = verdict(None, Lists({}, {"new": "part"}), {"new"})
    assert list(report.lines()) == [
        "pending.yml: 1 of 1 cases that wait for new alone pass",
        "0 passed, 0 failed, 1 skipped",
    ]
