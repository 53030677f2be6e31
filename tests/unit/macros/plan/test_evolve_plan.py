"""on_schema_change, as dbt defines its four values."""

import pytest

from ..plans import CONTENTS, FLAT, IMAGES, Model
from ..runs import Runs

MODEL = Model({}, FLAT)
ADDED = {**FLAT, "city": "string"}
ABSENT = {name: type_ for name, type_ in FLAT.items() if name != "name"}
INT = Model({}, {**FLAT, "age": "int"})
BIGINT = Model({}, {**FLAT, "age": "bigint"})


def evolved(now, stored):
    """What a plan becomes beside the tables that a run of `stored` left, and the warnings."""
    runs = Runs(stored)
    runs.run()
    runs.model = now
    macros = runs.macros()
    plan = macros.from_changelog_plan(now.node, now.query, CONTENTS)
    found = macros.evolve_plan(plan, macros.next_batch(plan))
    assert macros.warnings == []
    return found["steps"], found["plan"], found.get("warns")


def follow(mode, columns, stored=MODEL):
    """The names of the steps, the steps, the plan that is left, and the warnings."""
    steps, plan, warnings = evolved(Model({"on_schema_change": mode}, columns), stored)
    return [step["name"] for step in steps], steps, plan, warnings


def names(plan):
    return [column["name"] for column in plan["state_columns"]]


@pytest.mark.parametrize("mode", ["ignore", "fail", "append_new_columns", "sync_all_columns"])
def test_nothing_to_follow(mode):
    found, _, plan, warnings = follow(mode, FLAT)
    assert (found, plan["since"], warnings) == ([], 0, None)


@pytest.mark.parametrize(("now", "before"), [("name", None), (None, "name")])
def test_what_is_compared_from_now_on(now, before):
    """The hashes of older rows are of other columns, though the table has the same ones."""
    stored, model = Model({"passthrough": before}, FLAT), Model({"passthrough": now}, FLAT)
    (step,), plan, _ = evolved(model, stored)
    assert (step["name"], plan["since"]) == ("note columns", 2)
    steps, plan, _ = evolved(stored, stored)
    assert (steps, plan["since"]) == ([], 0)


@pytest.mark.parametrize("mode", ["append_new_columns", "sync_all_columns"])
def test_new_column_is_added(mode):
    found, steps, plan, _ = follow(mode, ADDED)
    assert found == ["note columns", "add columns"]
    added = "alter table analytics.customers__state add columns (`city` string)"
    assert steps[1]["sql"] == added
    assert plan["since"] == 2


def test_a_hash_that_was_an_int_is_widened():
    """States of before, whose rows had nothing to hash, have such a one."""
    runs = Runs(MODEL)
    runs.run()
    state = runs.lake.tables["analytics.customers__state"]
    state.columns["_image_hash"] = "int"
    assert runs.plan().steps[:3] == ["note columns", "prepare columns", "widen column"]


def test_new_column_is_left_out_with_a_warning():
    found, _, plan, warnings = follow("ignore", ADDED)
    assert found == []
    assert plan["payload"] == ["id", "name", "lsn"]
    assert names(plan) == ["_sequence", "id", "name", "lsn"]
    assert [column["name"] for column in plan["compared"]] == ["lsn", "name"]
    assert "has no column city, so the contents leave it out" in warnings["text"]


def test_absent_column_stays_and_is_null():
    found, _, plan, _ = follow("append_new_columns", ABSENT)
    assert (found, plan["since"]) == (["note columns"], 2)
    assert plan["absent"] == [{"name": "name", "type": "string", "parts": None}]
    assert plan["payload"] == ["id", "lsn", "name"]
    # in the order in which the stored hashes were made
    assert [column["name"] for column in plan["compared"]] == ["lsn", "name"]


@pytest.mark.parametrize("name", ["flat", "images"])
def test_absent_column_that_passed_through_is_not_compared(name):
    config = {"on_schema_change": "append_new_columns"}
    if name == "images":
        config |= {"before": "before", "after": "after"}
    columns = IMAGES if name == "images" else FLAT
    stored = Model({**config, "passthrough": ["seen"]}, {**columns, "seen": "bigint"})
    _, plan, _ = evolved(Model(config, columns), stored)
    assert (plan["payload"][-1], plan["uncompared"]) == ("seen", ["seen"])
    assert "seen" not in [column["name"] for column in plan["compared"]]


def test_absent_column_is_dropped():
    found, steps, plan, _ = follow("sync_all_columns", ABSENT)
    assert found == ["note columns", "prepare columns", "drop columns"]
    assert steps[2]["sql"] == "alter table analytics.customers__state drop columns (`name`)"
    assert plan["payload"] == ["id", "lsn"]


@pytest.mark.parametrize("mode", ["append_new_columns", "sync_all_columns"])
def test_wider_type_is_taken(mode):
    found, steps, _, _ = follow(mode, BIGINT.columns, INT)
    assert found == ["note columns", "prepare columns", "widen column"]
    assert steps[2]["sql"].endswith("__state alter column `age` type bigint")


@pytest.mark.parametrize("mode", ["ignore", "append_new_columns", "sync_all_columns"])
def test_narrower_type_is_cast(mode):
    found, _, plan, _ = follow(mode, INT.columns, BIGINT)
    assert (found, plan["lifted"]) == ([], [{"name": "age", "type": "bigint"}])
    types = {column["name"]: column["type"] for column in plan["state_columns"]}
    assert types["age"] == "bigint"


@pytest.mark.parametrize("columns", [INT.columns, BIGINT.columns])
def test_any_other_type_is_refused_under_fail(invalid, columns):
    with invalid("on_schema_change", "column 'age' is "):
        follow("fail", columns, BIGINT if columns == INT.columns else INT)


@pytest.mark.parametrize(
    ("mode", "columns", "words"),
    [
        ("fail", ADDED, "column 'city' is not in the state"),
        ("fail", ABSENT, "column 'name' of the state is not in the query"),
        ("ignore", ABSENT, "column 'name' of the state is not in the query"),
        ("ignore", {**FLAT, "name": "int"}, "column 'name' is int in the query and string in"),
        ("append_new_columns", {**FLAT, "name": "int"}, "column 'name' is int in the query"),
        ("sync_all_columns", {**FLAT, "name": "int"}, "column 'name' is int in the query"),
    ],
)
def test_refused(invalid, mode, columns, words):
    with invalid("on_schema_change", words):
        follow(mode, columns)


def test_the_type_of_the_sequence_stays(invalid):
    with invalid("sequence_by", "its type is string, and the state has bigint"):
        follow("sync_all_columns", {**FLAT, "lsn": "string"})


PARTIAL = {"unavailable_value": "?"}
NUMBERS = {**ABSENT, "age": "int"}


def follow_partial(mode, columns, stored, config=PARTIAL, deleted="array<bigint>"):
    now = Model({**config, "on_schema_change": mode}, columns)
    kept = {"_upserted": "bigint", "_removed": deleted}
    steps, plan, _ = evolved(now, Model({"soft_delete": "gone", **PARTIAL}, stored, kept=kept))
    added = [step["sql"] for step in steps if step["name"] in ("add columns", "drop columns")]
    return added, [column["name"] for column in plan["partial"]]


ADD = "alter table analytics.customers__state add columns "


@pytest.mark.parametrize(
    ("columns", "stored", "sql", "partial"),
    [
        (ADDED, FLAT, [f"{ADD}(`city` string, _sequences.`city` bigint)"], ["name", "city"]),
        ({**ABSENT, "city": "string"}, NUMBERS,
         [f"{ADD}(`city` string, `_sequences` struct<`city`: bigint>)"], ["city"]),
        (ABSENT, FLAT, [], ["name"]),
        ({**FLAT, "age": "int"}, FLAT, [f"{ADD}(`age` int)"], ["name"]),
    ],
)  # fmt: skip
def test_sequences_of_values_come_with_their_columns(columns, stored, sql, partial):
    soft = {**PARTIAL, "soft_delete": "gone"}
    assert follow_partial("append_new_columns", columns, stored, soft) == (sql, partial)


def test_a_column_in_other_letters_is_the_same_one():
    columns = {("Name" if name == "name" else name): of for name, of in FLAT.items()}
    soft = {**PARTIAL, "soft_delete": "gone"}
    assert follow_partial("append_new_columns", columns, FLAT, soft) == ([], ["Name"])


def test_a_column_that_is_left_out_may_be_one_that_events_leave_out():
    soft = {**PARTIAL, "soft_delete": "gone"}
    for asked in (["NAME", "city"], {"except": ["lsn", "city"]}):
        config = {**soft, "ignore_null_updates": asked}
        assert follow_partial("ignore", ADDED, FLAT, config) == ([], ["name"])


def test_sequences_of_values_go_with_their_columns():
    drop = "alter table analytics.customers__state drop columns (`name`, `_sequences`)"
    soft = {**PARTIAL, "soft_delete": "gone"}
    assert follow_partial("sync_all_columns", ABSENT, FLAT, soft) == ([drop], [])


def test_a_column_that_can_be_left_out_no_more_keeps_its_sequence():
    assert follow_partial("ignore", FLAT, FLAT, {"soft_delete": "gone"}) == ([], ["name"])


def test_a_column_that_can_be_left_out_from_now_on_is_refused(invalid):
    with invalid("columns", "'lsn' may now be left out"):
        more = {"soft_delete": "gone", "ignore_null_updates": ["lsn"]}
        follow_partial("ignore", FLAT, FLAT, {**PARTIAL, **more})


def test_a_state_of_soft_deletes_that_has_the_last_one_only_takes_no_parts(invalid):
    with invalid("columns", "'city' may now be left out"):
        soft = {**PARTIAL, "soft_delete": "gone"}
        columns = {**ABSENT, "city": "string"}
        follow_partial("append_new_columns", columns, NUMBERS, soft, deleted="bigint")


def test_a_column_that_the_query_no_longer_has_is_sent_by_no_event():
    soft = {**PARTIAL, "soft_delete": "gone"}
    now = Model({**soft, "on_schema_change": "append_new_columns"}, ABSENT)
    kept = {"_upserted": "bigint", "_removed": "array<bigint>"}
    _, plan, _ = evolved(now, Model(soft, FLAT, kept=kept))
    assert [(column["name"], column["unsent"]) for column in plan["partial"]] == [("name", "true")]


def test_a_run_warns_once_of_a_column_that_is_left_out():
    by_lsn = {"read": {"column": "lsn"}}
    runs = Runs(Model(by_lsn, FLAT))
    runs.run(10)
    runs.model = Model(by_lsn, ADDED)
    for end in (20, 20):
        (warning,) = runs.run(end).macros.warnings
        assert "has no column city, so the contents leave it out" in warning
