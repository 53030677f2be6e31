import pytest

from ..plans import CASES, DEBEZIUM, FLAT, IMAGES, STRICT, UNSTORED, UPSERT, Model
from ..runs import REFRESH, Runs

WHOLE = "with on_conflict a change that takes a row away must have all of its columns"
ONE = {"on_conflict": "ERROR", "sequence_by": "_lsn", "read": STRICT}


@pytest.mark.parametrize(
    ("argument", "words", "config"),
    [
        (
            "on_conflict",
            "'LAST' is not one of DEDUPLICATE, NOTHING, ERROR",
            {"on_conflict": "LAST"},
        ),
        ("unique_key", "on_conflict chooses among the rows of a key", {"unique_key": None}),
        ("sequence_by", "it is required with unique_key", {"sequence_by": None}),
        ("state_ttl", "with on_conflict a key has a list of whole rows", {"state_ttl": "0"}),
        ("soft_delete", "with on_conflict a key has a list", {"soft_delete": "is_deleted"}),
        ("op_mapping", WHOLE, {"op_mapping": UPSERT}),
        ("op_mapping", WHOLE, {"op_mapping": DEBEZIUM}),
        ("op_mapping", WHOLE, {"op_mapping": {"c": "INSERT", "t": "TRUNCATE"}}),
        ("read", "with on_conflict each event counts", {"read": {"column": "lsn"}}),
        (
            "changelog",
            "with on_conflict a changelog needs a position",
            {"read": "full", "changelog": True},
        ),
        ("adopt", "with on_conflict each event counts", {"adopt": True}),
        ("on_conflict", "a table of Parquet can not do", {"file_format": "parquet"}),
    ],
)
def test_refused(invalid, argument, words, config):
    with invalid(argument, words):
        Model({**ONE, **config}, UNSTORED).plan()


@pytest.mark.parametrize("item", ["lsn", "cast(lsn as decimal(38))", "-`LSN`", "abs(LSN) + 1"])
def test_a_sequence_is_no_column_of_the_row(invalid, item):
    with invalid("sequence_by", "column 'lsn' is also a column of the row"):
        Model({**ONE, "sequence_by": [item]}, FLAT).plan()


@pytest.mark.parametrize("item", ["_lsn", "cast(_lsn as decimal(38))", "-`_LSN`"])
def test_what_only_orders_the_changes_is_not_stored(item):
    plan = Model({**ONE, "sequence_by": [item]}, UNSTORED).plan()
    assert [column["name"] for column in plan["compared"]] == ["name"]


def test_a_column_that_passes_through_may_order_the_changes():
    passed = {"sequence_by": "lsn", "passthrough": "lsn"}
    assert [c["name"] for c in Model({**ONE, **passed}, FLAT).plan()["compared"]] == ["name"]


def test_its_events_are_whole_and_have_no_key_of_their_own():
    plan = CASES["first_of_several"].plan()
    assert plan["kernel"] == "upsert_materialize"
    assert (plan["moves"], plan["state_backed"], plan["consume_full_deletes"]) == (
        *(False, False),
        True,
    )
    assert [column["name"] for column in plan["compared"]] == ["name"]


def test_another_choice_needs_a_full_refresh(invalid):
    runs = Runs(CASES["one_row_per_key"])
    runs.run()
    runs.model = CASES["upsert_materialize"]
    with invalid("on_conflict", "it is DEDUPLICATE, but the state was made with ERROR"):
        runs.run()
    assert runs.plan(**REFRESH).batch["scenario"] == "refresh"


def test_a_changelog_does_not_go_on_under_another_kernel(invalid):
    runs = Runs(CASES["first_of_several"])
    runs.run()
    config = {name: of for name, of in runs.model.config.items() if name != "on_conflict"}
    runs.model = Model(config, runs.model.columns)
    with invalid("on_conflict", "it was set or left out since analytics.customers__changelog"):
        runs.run(**REFRESH)


def test_a_column_more_would_change_every_row(invalid):
    runs = Runs(Model({**ONE, "on_schema_change": "append_new_columns"}, UNSTORED))
    runs.run()
    runs.model = Model(runs.model.config, {**UNSTORED, "city": "string"})
    with invalid("on_schema_change", "with on_conflict a row is all of its columns, and city"):
        runs.run()


def test_images_are_needed_for_what_goes():
    plan = Model({**ONE, "sequence_by": "lsn", "op_mapping": DEBEZIUM,
                  "before": "before", "after": "after"}, IMAGES).plan()  # fmt: skip
    assert plan["on_conflict"] == "ERROR"
