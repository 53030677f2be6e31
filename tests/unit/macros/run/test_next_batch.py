"""What a run finds, and the batch that it makes of it."""

from types import SimpleNamespace

import pytest

from ..lake import Table
from ..logs import LOGS
from ..plans import BATCHES, CASES, CHANGELOG, CONTENTS, FLAT, STAGED, STATE, Model
from ..render import CompilerError
from ..runs import REFRESH, Runs

MODEL = CASES["default_op_mapping"]
BY_LSN = Model({"read": {"column": "lsn"}}, FLAT)
MAPPING = {"+I": "INSERT", "-U": "UPDATE_BEFORE", "+U": "UPDATE_AFTER", "-D": "DELETE"}
SOURCE = "bronze.customers"
NOTHING = [
    {"flags": SimpleNamespace(WHICH="run", EMPTY=True)},
    {"invocation_args_dict": {"sample": "3 days"}},
]


def ran(model=MODEL, end=10, times=1):
    """A model that has run."""
    runs = Runs(model)
    for _ in range(times):
        runs.run(end)
    return runs


def at(value, column="lsn"):
    return {"column": column, "type": "bigint", "value": str(value)}


def next_batch(runs, **given):
    return runs.plan(**given).batch


def test_first():
    found = next_batch(Runs(BY_LSN), end=20)
    assert (found["scenario"], found["id"], found["writes"]) == ("first", 1, True)
    assert (found["creates"], found["replaces"], found["refreshes"]) == (True, False, False)
    assert found["last"] == {"id": 0, "position": {}}
    assert found["position"] == {SOURCE: at(20)}
    assert (str(found["state"]), found["rename_to"], found["old_states"]) == (STATE, None, [])


def test_next():
    found = next_batch(ran(BY_LSN), end=20)
    assert (found["scenario"], found["id"], found["writes"]) == ("next", 2, True)
    assert (found["creates"], found["replaces"], found["refreshes"]) == (False, True, False)
    assert found["last"] == {"id": 1, "position": {SOURCE: at(10)}}
    assert found["position"] == {SOURCE: at(20)}


def test_a_full_refresh_counts_on():
    found = next_batch(ran(BY_LSN), end=20, **REFRESH)
    assert (found["scenario"], found["id"], found["refreshes"]) == ("refresh", 2, True)
    assert (found["creates"], found["replaces"]) == (True, True)
    assert found["position"] == {SOURCE: at(20)}


@pytest.mark.parametrize(
    ("model", "has_table"),
    [("default_op_mapping", True), ("keyless", True), ("table_input", True), ("images", False)],
)
@pytest.mark.parametrize("refresh", [{}, REFRESH])
@pytest.mark.parametrize("nothing", NOTHING)
def test_a_run_that_reads_nothing_is_no_batch(model, has_table, refresh, nothing):
    runs = Runs((CASES | LOGS)[model])
    if has_table:
        runs.run(10)
    found = next_batch(runs, **nothing, **refresh)
    assert (found["scenario"], found["id"], found["writes"]) == ("empty", int(has_table), False)
    assert found["creates"] is not has_table
    assert found["position"] == found["last"]["position"]


@pytest.mark.parametrize("model", ["keyless", "keyless_changelog", "changes_input"])
def test_what_is_read_once_has_nothing_new_without_a_new_position(model):
    runs = ran((CASES | LOGS)[model])
    found = next_batch(runs, end=10)
    assert (found["scenario"], found["writes"], found["is_staged"]) == ("nothing_new", False, False)
    assert next_batch(runs, end=20)["scenario"] == "next"


@pytest.mark.parametrize(("newer_rows", "scenario"), [(0, "nothing_new"), (1, "next")])
def test_of_what_is_read_again_one_query_says_whether_it_is_new(newer_rows, scenario):
    runs = ran(BY_LSN)
    runs.lake.counts["newer_rows"] = newer_rows
    assert next_batch(runs, end=10)["scenario"] == scenario
    (asked,) = [sql for sql in runs.lake.statements if "newer_rows" in sql]
    assert asked.startswith("with events as (")


@pytest.mark.parametrize(
    ("config", "columns"),
    [
        # each run counts
        ({"counters": "full"}, FLAT),
        ({"invalid_op_handling": "LOG"}, FLAT),
        # the state gets a column
        ({"on_schema_change": "append_new_columns"}, {**FLAT, "city": "string"}),
    ],
)
def test_what_a_run_has_to_do_without_new_rows(config, columns):
    runs = ran(BY_LSN)
    runs.lake.counts["newer_rows"] = 0
    runs.model = Model({**BY_LSN.config, **config}, columns)
    assert next_batch(runs, end=10)["scenario"] == "next"


def test_an_operation_shows_the_program_of_a_batch():
    flags = SimpleNamespace(WHICH="run-operation", EMPTY=False)
    found = next_batch(ran(CASES["keyless"]), end=10, flags=flags)
    assert found["creates"] and found["scenario"] == "refresh"


@pytest.mark.parametrize("name", ["keyless", "keyless_changelog"])
def test_a_state_and_a_query_that_do_not_both_have_positions_are_built_anew(name):
    model = CASES[name]
    read = {key: value for key, value in model.config.items() if key not in ("read", "changelog")}
    full = Model(read, model.columns)
    if name == "keyless":
        # read='full': what was read by a column before counts no more
        runs = ran(model)
        runs.model = full
        found = next_batch(runs)
        assert (found["scenario"], found["creates"], found["position"]) == ("refresh", True, {})
    runs = ran(full)
    runs.model = Model({**read, "read": model.config["read"]}, model.columns)
    found = next_batch(runs, end=30)
    assert (found["scenario"], found["creates"]) == ("refresh", True)
    assert found["position"] == {SOURCE: at(30)}


# what tells which events of a batch have come since the last one


@pytest.mark.parametrize(
    ("model", "condition"),
    [
        (BY_LSN, "`lsn` > cast('10' as bigint)"),
        (Model({"read": {"column": "LSN", "lookback": 3}}, FLAT), "`lsn` > cast('10' as bigint)"),
        (CASES["keyless"], "true"),
        # all is read each time; as another type; the column is not in the query
        (MODEL, None),
        (Model(BY_LSN.config, {**FLAT, "lsn": "int"}), "`lsn` > cast('10' as int)"),
        (Model({"read": {"column": "lsn"}, "sequence_by": "id"}, CASES["keyless"].columns), None),
    ],
)
def test_what_arrived_since_the_last_batch(model, condition):
    first = next_batch(Runs(model), end=10)
    assert first["arrived"] == "true"
    assert next_batch(ran(model), end=20)["arrived"] == condition


def test_of_two_sources_nothing_tells_what_arrived():
    other = f"{SOURCE} union all select * from bronze.others"
    model = Model(BY_LSN.config, FLAT, f"select * from {other}")
    runs = ran(model)
    macros = runs.macros()
    ranges = [macros.range_sql(name, "lsn", None, at(low), at(20))
              for name, low in ((SOURCE, 10), ("bronze.others", 7))]  # fmt: skip
    query = " union all ".join(f"select * from {one}" for one in ranges)
    plan = macros.from_changelog_plan(model.node, query, CONTENTS)
    assert macros.next_batch(plan)["arrived"] is None


# ids that consumers know are not given again, whatever was dropped


@pytest.mark.parametrize(
    ("lost", "batches", "expected"),
    [
        ([STATE, CHANGELOG], {}, 3),
        ([STATE, CHANGELOG, STAGED], {1, 2, 8}, 9),
        ([STATE, CHANGELOG, STAGED], {}, 1),
        ([STATE, CHANGELOG], {9}, 10),
        ([], {9}, 3),
    ],
)
def test_ids_go_on(lost, batches, expected):
    runs = ran(CASES["changelog"], times=2)
    columns = {"uid": "string", "batch_id": "bigint"}
    runs.lake.tables[BATCHES] = Table(columns, batches=set(batches))
    for name in lost:
        del runs.lake.tables[name]
    assert next_batch(runs, **REFRESH)["id"] == expected


@pytest.mark.parametrize("columns", [{"uid": "string"}, {"uid": "int", "batch_id": "bigint"}, {}])
def test_a_table_of_batches_of_someone_else_has_no_ids(columns):
    runs = Runs(MODEL)
    runs.lake.tables[BATCHES] = Table(columns, batches={6})
    assert next_batch(runs)["id"] == 1


def test_a_first_batch_that_was_only_staged_begins_again():
    runs = Runs(CASES["changelog"])
    runs.crash("stage changes")
    assert next_batch(runs)["id"] == 1


def test_what_another_model_has_staged_has_no_ids():
    runs = ran(CASES["changelog"], times=2)
    for name in (STATE, CHANGELOG):
        del runs.lake.tables[name]
    runs.model = Model({**runs.model.config, "uid": "other"}, runs.model.columns)
    assert next_batch(runs, **REFRESH)["id"] == 1


# the ranges that a query reads


@pytest.mark.parametrize("start", [None, at(5)])
def test_a_strict_range_that_another_run_has_read_meanwhile(start):
    with pytest.raises(CompilerError, match="was overtaken: another run committed batch 1"):
        read_by("{one}", ("strict", start, at(30)))


def test_a_strict_query_without_a_range(invalid):
    with invalid("read", "the query has no range of lsn"):
        read_by("bronze.customers")


def test_two_strict_ranges_that_end_apart():
    with pytest.raises(CompilerError, match="rows arrived between two uses of new_rows"):
        read_by("{one} union all select * from {two}",
                ("strict", at(10), at(1)), ("strict", at(10), at(2)))  # fmt: skip


def read_by(query, *ranges):
    """The next batch of a model without a key that has read up to 10."""
    runs = ran(CASES["keyless"])
    macros = runs.macros()
    texts = [macros.strict_range_sql("it", SOURCE, "lsn", *places) for _, *places in ranges]
    names = dict(zip(("one", "two"), texts, strict=False))
    node = runs.model.node
    text = f"select * from {query.format(**names)}"
    return macros.next_batch(macros.from_changelog_plan(node, text, CONTENTS))


# what is in the way


def in_the_way(runs, name, **more):
    runs.lake.tables[name] = Table(**more)
    return runs


def test_a_table_in_the_way_of_the_contents(invalid):
    runs = in_the_way(Runs(MODEL), "analytics.customers")
    with invalid("alias", "the table analytics.customers exists"):
        next_batch(runs)
    renamed = next_batch(runs, **REFRESH)["rename_to"]
    assert str(renamed) == "analytics.customers__before_changelog"


def test_two_tables_in_the_way(invalid):
    runs = in_the_way(Runs(MODEL), "analytics.customers")
    in_the_way(runs, "analytics.customers__before_changelog")
    with invalid("alias", "analytics.customers__before_changelog, where it would go"):
        next_batch(runs, **REFRESH)


def test_a_view_of_something_else_is_replaced():
    runs = Runs(MODEL)
    runs.lake.views["analytics.customers"] = "CREATE VIEW analytics.customers AS select 1 as id"
    assert next_batch(runs)["rename_to"] is None


# the table that has the state after a batch


def test_parquet_writes_a_new_state_and_drops_the_one_before_the_last():
    runs = ran(CASES["parquet"], times=2)
    found = next_batch(runs)
    assert found["state"].identifier.startswith("customers__state_3_")
    (old,) = found["old_states"]
    assert old.identifier.startswith("customers__state_1_")


def test_a_state_of_another_format_is_kept_until_the_view_reads_the_new_one():
    runs = ran(MODEL)
    runs.model = Model({"file_format": "iceberg"}, FLAT)
    found = next_batch(runs, **REFRESH)
    assert found["state"].identifier.startswith("customers__state_2_")
    runs.run(**REFRESH)
    found = next_batch(runs)
    assert (found["scenario"], found["id"]) == ("next", 3)
    assert [str(one) for one in found["old_states"]] == [STATE]


def test_each_thing_is_asked_once():
    runs = ran(CASES["changelog"])
    run = runs.plan()
    asked = [sql for sql in runs.lake.statements if sql.startswith(("show tbl", "describe query"))]
    assert len(asked) == len(set(asked)), asked
    assert run.batch["scenario"] == "next"
