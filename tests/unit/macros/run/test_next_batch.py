from types import SimpleNamespace

import pytest

from ..plans import CASES, CONTENTS, ROW, Model, batch
from ..render import CompilerError, table
from .log import MODEL, POSITION, macros_with_log

MAPPING = {"+I": "INSERT", "-U": "UPDATE_BEFORE", "+U": "UPDATE_AFTER", "-D": "DELETE"}

NOTHING = [
    {"flags": SimpleNamespace(WHICH="run", EMPTY=True)},
    {"invocation_args_dict": {"sample": "3 days"}},
]


def next_batch(macros, plan=None):
    found = macros.next_batch(plan or MODEL.plan())
    found.pop("started_at")
    assert str(found.pop("state")) == f"{CONTENTS}__state"
    return found


def test_first():
    assert next_batch(macros_with_log()) == {
        **{"id": 1, "last": {"id": 0, "position": {}}, "position": {}},
        **{"creates": True, "replaces": False, "empty": False, "rename_to": None},
        **{"idle": False, "refresh": False, "wrote": True, "result": None},
        **{"staged": False, "appended": False, "merged": False},
        **{"has_changelog": False, "has_state": False},
        **{"invocation_id": "the-invocation", "statements": []},
        **{"alters": [], "old_columns": []},
    }


def test_has_the_fields_that_tests_give_a_batch():
    assert set(macros_with_log().next_batch(MODEL.plan())) == set(batch())


def test_next():
    found = next_batch(macros_with_log(batch()))
    assert (found["id"], found["creates"], found["replaces"]) == (3, False, True)
    assert found["last"] == {"id": 2, "position": POSITION}
    assert found["position"] == POSITION


def test_next_position_is_what_the_query_reads():
    macros = macros_with_log(batch())
    to = {"column": "lsn", "type": "bigint", "value": "30"}
    query = macros.range_sql("bronze.customers", "lsn", None, None, to)
    found = next_batch(macros, {**MODEL.plan(), "query": query})
    assert found["position"] == {"bronze.customers": to}


def test_full_refresh_counts_on():
    found = next_batch(macros_with_log(batch(), should_full_refresh=lambda: True))
    assert (found["id"], found["creates"], found["replaces"]) == (3, True, True)
    assert found["position"] == {}


@pytest.mark.parametrize("refresh", [True, False])
@pytest.mark.parametrize("nothing", NOTHING)
def test_a_run_that_reads_nothing_is_no_batch(refresh, nothing):
    macros = macros_with_log(batch(), **nothing, should_full_refresh=lambda: refresh)
    found = next_batch(macros)
    assert (found["id"], found["creates"], found["empty"]) == (2, False, True)
    assert found["position"] == POSITION


def test_table_of_someone_else(invalid):
    macros = macros_with_log(stored={"id": "int"})
    with invalid("alias", "exists and was not made by this package"):
        next_batch(macros)


def test_state_of_another_model(invalid):
    with invalid("uid", "belongs to uid 'model.shop.customers', and this model has uid 'other'"):
        next_batch(macros_with_log(batch()), Model({"uid": "other"}, MODEL.columns).plan())


@pytest.mark.parametrize(
    ("argument", "words", "config"),
    [
        (
            "unique_key",
            "it is ['name'], but the state was made",
            {"unique_key": "name"},
        ),
        ("sequence_by", "it is ['`id`'], but", {"sequence_by": "id"}),
    ],
)
def test_plan_that_the_state_can_not_follow(invalid, argument, words, config):
    with invalid(argument, words):
        next_batch(macros_with_log(batch()), Model(config, MODEL.columns).plan())


@pytest.mark.parametrize(
    ("argument", "words", "config", "columns"),
    [
        ("op_mapping", "code '-U' is INSERT, but the state was made with UPDATE_BEFORE", {}, {}),
        ("before and after", "events have an after image, but", {"after": "row"}, {"row": ROW}),
    ],
)
def test_events_that_are_read_in_another_way(invalid, argument, words, config, columns):
    mapping = {"+I": "INSERT", "-U": "INSERT" if argument == "op_mapping" else "UPDATE_BEFORE"}
    macros = macros_with_log(batch(), Model({"op_mapping": MAPPING}, MODEL.columns))
    plan = Model({"op_mapping": mapping, **config}, {**MODEL.columns, **columns}).plan()
    with invalid(argument, words):
        next_batch(macros, plan)


def test_codes_may_come_and_go():
    macros = macros_with_log(batch(), Model({"op_mapping": MAPPING}, MODEL.columns))
    mapping = {"+I": "INSERT", "r": "INSERT"}
    assert next_batch(macros, Model({"op_mapping": mapping}, MODEL.columns).plan())["id"] == 3


@pytest.mark.parametrize(
    ("version", "words"), [(3, "install the version of dbt_changelog that"), (1, "--full-refresh")]
)
def test_state_of_another_version(version, words):
    macros = macros_with_log(batch(), version=version)
    with pytest.raises(CompilerError, match=f"has plan version {version}, and this .* has 2") as e:
        next_batch(macros)
    assert words in str(e.value).partition("To fix: ")[2]
    macros = macros_with_log(batch(), version=version, should_full_refresh=lambda: True)
    assert next_batch(macros)["creates"]


def test_state_that_is_gone(invalid):
    macros = macros_with_log(relations=[CONTENTS])
    view = "CREATE VIEW analytics.customers AS select * from analytics.customers__state"
    macros.warehouse.answer("^show create table", lambda: table([(view,)], ["createtab_stmt"]))
    with invalid("state", "analytics.customers__state, which the view analytics.customers reads"):
        next_batch(macros)


def test_full_refresh_follows_anything():
    macros = macros_with_log(batch(), should_full_refresh=lambda: True)
    assert next_batch(macros, Model({"unique_key": "name"}, MODEL.columns).plan())["creates"]


def test_table_in_the_way_of_the_contents(invalid):
    table_ = CONTENTS.incorporate(type="table")
    with invalid("alias", "the table analytics.customers exists"):
        next_batch(macros_with_log(relations=[table_]))
    macros = macros_with_log(relations=[table_], should_full_refresh=lambda: True)
    assert str(next_batch(macros)["rename_to"]) == "analytics.customers__before_changelog"


def test_two_tables_in_the_way(invalid):
    aside = CONTENTS.incorporate(path={"identifier": "customers__before_changelog"}, type="table")
    relations = [CONTENTS.incorporate(type="table"), aside]
    with invalid("alias", "analytics.customers__before_changelog, where it would go"):
        next_batch(macros_with_log(relations=relations, should_full_refresh=lambda: True))


def test_a_view_of_something_else_is_replaced():
    macros = macros_with_log(relations=[CONTENTS])
    view = "CREATE VIEW analytics.customers AS select 1 as id"
    macros.warehouse.answer("^show create table", lambda: table([(view,)], ["createtab_stmt"]))
    assert next_batch(macros)["rename_to"] is None


RELATION = "bronze.customers"
BAG = CASES["keyless"]


def next_bag(position, query_from=None, to="30", **context):
    """The next batch of a model without a key, whose state was read up to `position`."""
    macros = macros_with_bag(position, **context)
    query = "select * from t"
    if to:
        query = macros.strict_range_sql("it", RELATION, "lsn", query_from, at(to))
    return next_batch(macros, {**BAG.plan(), "query": query})


def macros_with_bag(position, **context):
    macros = macros_with_log(batch(position=position), BAG, model=BAG.node, **context)
    names = ["namespace", "tableName", "isTemporary"]
    macros.warehouse.answer("^show tables in .*__changes'", lambda: table([], names))
    return macros


def at(value):
    return {"column": "lsn", "type": "bigint", "value": value}


def test_without_a_key_a_batch_goes_on_from_the_last():
    found = next_bag({RELATION: at("20")}, at("20"))
    assert (found["creates"], found["empty"]) == (False, False)
    assert found["position"] == {RELATION: at("30")}


def test_without_a_key_nothing_new_is_no_batch():
    assert next_bag({RELATION: at("30")}, at("30"))["empty"]


def test_without_a_key_a_state_without_a_position_is_built_anew():
    found = next_bag({})
    assert (found["creates"], found["replaces"]) == (True, True)
    assert found["position"] == {RELATION: at("30")}


def test_without_a_key_a_query_without_a_range_builds_anew():
    """read='full': what was read by a column before counts no more."""
    flags = SimpleNamespace(WHICH="run-operation", EMPTY=False)
    found = next_bag({RELATION: at("20")}, to=None, flags=flags)
    assert (found["creates"], found["position"]) == (True, {})


@pytest.mark.parametrize("start", [None, at("10")])
def test_a_strict_range_that_another_run_has_read_meanwhile(start):
    with pytest.raises(CompilerError, match="was overtaken: another run committed batch 2"):
        next_bag({RELATION: at("20")}, start)


def test_a_strict_query_without_a_range(invalid):
    with invalid("read", "the query has no range of lsn"):
        next_bag({RELATION: at("20")}, to=None)


def test_two_strict_ranges_that_end_apart():
    macros = macros_with_bag({})
    one, two = (macros.strict_range_sql("it", RELATION, "lsn", None, at(to)) for to in "12")
    with pytest.raises(CompilerError, match="rows arrived between two uses of new_rows"):
        next_batch(macros, {**BAG.plan(), "query": f"select * from {one} union all {two}"})


MODEL = CASES["changelog"]


def next_id(last=0, staged=None, changelog=None, batches=None, types=None):
    """The next id after `last`, where these ids are still known."""
    macros = macros_of(MODEL)
    answer, names = macros.warehouse.answer, ["namespace", "tableName", "isTemporary"]
    found = table([("analytics", "it", False)], names)
    if staged:
        answer("^show tables .*__changes'", lambda: found)
        log = {"uid": staged[0], "batch": {"id": staged[1]}}
        rows = [*macros.to_chunks(log).items()]
        answer("^show tblproperties .*__changes", lambda: table(rows, ["key", "value"]))
    if changelog:
        answer("^show tables .*__changelog'", lambda: found)
        answer_columns(macros.warehouse, "analytics.customers__changelog", types or
                       {"_batch_id": "bigint"})  # fmt: skip
        answer(r"^select max\(_batch_id\)", lambda: table([(changelog[0],)], ["max"]))
    if batches:
        relation = macros.batches_relation(CONTENTS)
        macros.warehouse.relations[str(relation)] = relation
        columns = types or {"uid": "string", "batch_id": "bigint"}
        answer_columns(macros.warehouse, "analytics.dbt_changelog_batches", columns)
        asked = r"^select max\(batch_id\) from .* where uid = 'model.shop.customers'"
        answer(asked, lambda: table([(batches[0],)], ["max"]))
    return macros.next_id(MODEL.plan(), {"id": last, "position": {}})


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({}, 1),
        ({"last": 4, "batches": ["9"]}, 5),
        ({"staged": ("model.shop.customers", 6)}, 7),
        ({"staged": ("another uid", 6)}, 1),
        ({"changelog": ["6"]}, 7),
        ({"batches": ["6"]}, 7),
        ({"batches": [None]}, 1),
        ({"changelog": [None], "batches": ["10"]}, 11),
        ({"staged": ("model.shop.customers", 10), "batches": ["9"]}, 11),
        # of someone else
        ({"batches": ["6"], "types": {"uid": "string"}}, 1),
        ({"batches": ["6"], "types": {"uid": "int", "batch_id": "bigint"}}, 1),
        ({"changelog": ["6"], "types": {"id": "int"}}, 1),
    ],
)
def test_next_id(known, expected):
    assert next_id(**known) == expected
