"""What suggest_model asks, and prints; tests/functional/test_suggest_model.py runs its models."""

import agate
import pytest

from ..lake import described
from ..plans import answer_catalog
from ..render import CompilerError, Macros, Warehouse, table

TABLE = "bronze.customers"
FEED = {"_change_type": "string", "_commit_version": "bigint", "id": "int", "name": "string"}
HAND = {"op": "string", "id": "int", "name": "string", "lsn": "bigint", "loaded_at": "timestamp"}
OWN = {"_row_kind": "string", "_sequence": "bigint", "_ordinal": "int"}


def suggesting(columns, fits=(), codes=(), ties=0):
    """The statements that were run, and what was printed."""
    warehouse, printed = Warehouse(), []
    answer = warehouse.answer
    answer_catalog(warehouse)
    names = ["namespace", "tableName", "isTemporary"]
    answer("^show tables", lambda: table([("bronze", "customers", False)], names))
    answer("^describe query select", lambda: described(columns))
    answer("^show table extended", lambda: table([], [*names, "information"]))
    answer("^show views", lambda: table([], names))
    payload = {name: of for name, of in columns.items() if name[0] != "_" and name != "op"}
    wire = {**payload, "_order_1": "bigint", "_order_2": "int", "_op": "string"}
    answer(r"^describe query select \* from \(\nwith", lambda: described(wire))
    answer("^describe query with", lambda: described({**OWN, **payload}))
    answer(r"^\(", lambda: table(list(fits), ["format", "events", "fits"]))
    answer("^select code", lambda: table(list(codes), ["code", "events"]))
    problems = [(None, "9", None, 0)]
    problems += [("two different changes of one key have one sequence", ties, "{}", 1)] * bool(ties)
    types = [agate.Text(), agate.Number(), agate.Text(), agate.Number()]
    found = agate.Table(problems, ["problem", "amount", "example", "place"], types)
    answer(
        "(?s)^with .*as inserted_keys",
        lambda: agate.Table(
            [(9, 4, 5, 4)], ["events", "found", "inserts", "inserted_keys"], [agate.Number()] * 4
        ),
    )
    answer("(?s)^with .*problems as", lambda: found)
    context = {
        "print": printed.append,
        "target": type("Target", (), {"schema": "analytics"}),
        "graph": {"nodes": {}},
    }
    Macros(warehouse, **context).suggest_model(TABLE)
    return warehouse.statements, "\n".join(printed)


def test_a_format_that_reads_the_columns():
    statements, text = suggesting(FEED, [("delta_change_feed", "9", "9")])
    assert text.startswith(
        "-- models/customers.sql\n{{ config(\n    materialized='from_changelog',\n"
        "    format='delta_change_feed',\n    unique_key='id',\n) }}\n"
        "select *\nfrom {{ source('bronze', 'customers') }}\n"
    )
    assert "- format delta_change_feed: 9 of 9 events have an op code of it\n" in text
    assert "- unique_key id, sequence_by of the format: 4 keys, 0 events without one," in text
    assert "5 inserts of 4 keys, 0 ties" in text and "each run reads all" in text
    (asked,) = [sql for sql in statements if sql.startswith("(")]
    assert "limit 1000" in asked and asked.count("union all") == 0


def test_columns_that_no_format_reads():
    codes = [("I", "5"), ("X", "4"), ("", "1")]
    _, text = suggesting(HAND, codes=codes, ties=2)
    assert "op_mapping={'I': 'INSERT'}" in text and "sequence_by='lsn'" in text
    assert "read={'column': 'loaded_at'}" in text and "new_rows(source('bronze'" in text
    assert "- op code 'X': nothing says what it means" in text
    assert "- two different changes of one key have one sequence: 2, such as {}" in text


def test_op_codes_are_whole_words():
    kinds = {"ADD": "INSERT", "MODIFY": "UPDATE_AFTER", "REMOVE": "DELETE"}
    kinds |= {"UPDATE_BEFORE": "UPDATE_BEFORE", "-U": "UPDATE_BEFORE", "+U": "UPDATE_AFTER"}
    kinds |= {"update_postimage": "UPDATE_AFTER", "c": "INSERT", "r": "INSERT", "-D": "DELETE"}
    for code, kind in kinds.items():
        _, text = suggesting(HAND, codes=[("I", "1"), (code, "4")])
        assert f"- op code '{code}': it is taken for {kind}\n" in text
    for code in ["REFUND", "CANCEL", "DONE", "1"]:
        _, text = suggesting(HAND, codes=[("I", "1"), (code, "4")])
        assert f"- op code '{code}': nothing says what it means" in text


def test_codes_of_which_none_is_known():
    said = "nothing says what an op code in op of bronze.customers means: '1', '2'"
    with pytest.raises(CompilerError, match=said):
        suggesting(HAND, codes=[("1", "5"), ("2", "4")])


@pytest.mark.parametrize(
    ("name", "is_read"),
    [("ingested_at", True), ("_fivetran_synced", True), ("load_date", True),
     ("download_count", False), ("inserted_at", False), ("received_qty", False),
     ("island_id", False)],
)  # fmt: skip
def test_a_read_column_is_named_like_a_time_of_arrival(name, is_read):
    columns = {"op": "string", "id": "int", "name": "string", "lsn": "bigint", name: "bigint"}
    _, text = suggesting(columns, codes=[("I", "5")])
    assert (f"read={{'column': '{name}'}}" in text) == is_read


def test_a_format_whose_order_is_not_among_the_columns():
    columns = {"__op": "string", "id": "int", "name": "string"}
    with pytest.raises(CompilerError, match="looks like an order of changes: __op, id, name"):
        suggesting(columns, [("debezium_unwrapped", "9", "9")])
    _, text = suggesting({**columns, "ts": "bigint"}, [("debezium_unwrapped", "9", "9")])
    assert "sequence_by='ts'" in text and "the format does not say what orders" in text


def test_what_is_no_table_of_events():
    with pytest.raises(CompilerError, match="none of its columns looks like an op code: id"):
        suggesting({"id": "int"})


def test_a_name_without_its_schema():
    with pytest.raises(CompilerError, match="'customers' is no table or view"):
        Macros().suggest_model("customers")


def test_the_rows_are_read_by_each_format_that_may_read_them():
    """It is one statement, of the data that the formats are."""
    macros = Macros()
    columns = [{"name": "value", "type": "string"}]
    warehouse = macros.warehouse
    warehouse.answer("^describe query select json", lambda: described({"op": "string"}))
    warehouse.answer(r"^\(", lambda: table([], ["format", "events", "fits"]))
    macros.format_of_rows(columns, "\nfrom t\nlimit 5")
    (sql,) = [sql for sql in warehouse.statements if sql.startswith("(")]
    texts = [name for name in macros.preset_names() if macros.preset_of(name, True)]
    assert [f"select '{name}' as format" in sql for name in texts] == [True] * len(texts)
