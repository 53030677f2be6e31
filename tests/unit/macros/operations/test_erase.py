"""What erase writes, and what it says; tests/functional/test_erase.py sees what that does."""

import agate
import pytest

from ..logs import LOGS
from ..plans import CASES, CHANGELOG, CONTENTS, STAGED, STATE, WHERE, Model
from ..render import CompilerError, table
from ..runs import Runs

KEYED = CASES["default_op_mapping"]


def erasing(model, keys, rows=1, **context):
    """The statements that wrote, and what was printed, after a model has run once."""
    runs, printed = Runs(model), []
    runs.run()
    node = {**runs.model.node, "depends_on": {"nodes": []}, "raw_code": ""}
    others = {}
    for name, of, kind, reads in [
        ("stg", "model", "view", node["unique_id"]),
        ("inner", "model", "ephemeral", "stg"),
        ("mart", "model", "table", "inner"),
        ("history", "snapshot", "snapshot", node["unique_id"]),
        ("unique_id", "test", "test", node["unique_id"]),
        ("beyond", "model", "table", "mart"),
    ]:
        others[name] = {
            "name": name,
            "unique_id": name,
            "resource_type": of,
            "config": {"materialized": kind},
            "depends_on": {"nodes": [reads]},
        }
    context = {
        "graph": {"nodes": {node["unique_id"]: node, **others}},
        "print": printed.append,
        "local_md5": lambda text: "0123456789abcdef",
        **context,
    }
    macros = runs.macros(**context)
    answer = runs.lake.answer
    key = model.node["config"]["unique_key"]
    width = 1 if isinstance(key, str) else len(key or [])
    texts = [(f"key {place}", *["1"] * 2 * width) for place in range(len(keys))]
    names = [f"c{place}" for place in range(1 + 2 * width)]
    answer("^select\n  to_json", lambda: table(texts, names))
    found = [("key 0", rows)] if rows else []
    types = [agate.Text(), agate.Number()]
    answer("^select to_json", lambda: agate.Table(found, ["_dbtc_key", "_dbtc_rows"], types))
    macros.erase(node["name"], keys)
    writes = ("update", "delete", "create")
    return [sql for sql in runs.lake.statements if sql.startswith(writes)], printed


def test_a_key_keeps_its_row_without_values():
    (sql,), printed = erasing(KEYED, [{"id": 7}, {"ID": "8"}])
    assert sql == (
        f"update {STATE} set\n  `name` = null,\n  `lsn` = null,\n  `_row_kind` = 'DELETE',\n"
        "  `_image_hash` = null,\n  `_changed_at` = current_timestamp()\n"
        "where `id` in (\n  cast('7' as int),\n  cast('8' as int)\n)"
    )
    assert printed == [
        f"Erased 1 of 2 keys of {WHERE}; no table of it has key 1",
        f"{STATE}: 1 rows without values, which stay deleted",
        "Older files still have the values. To remove them:",
        f"  reorg table {STATE} apply (purge);",
        f"  vacuum {STATE};",
        "Models that read it may have copies: history, mart",
    ]


@pytest.mark.parametrize(
    ("case", "deleted"), [("parts", "_sequence"), ("soft_parts", "array(_sequence)")]
)
def test_a_row_that_came_in_parts_keeps_only_its_sequence(case, deleted):
    statements, _ = erasing(CASES[case], [{"id": 7}])
    assert (
        "`_image_hash` = null,\n" in statements[0] and "`_row_kind` = 'DELETE',\n" in statements[0]
    )
    assert statements[0].endswith(
        f"  `_sequences` = null,\n  `_upserted` = _sequence,\n  `_removed` = {deleted}\n"
        "where `id` in (\n  cast('7' as int)\n)"
    )


def test_the_flag_of_a_soft_delete_goes_with_the_values():
    (sql,), _ = erasing(CASES["soft_delete"], [{"id": 7}])
    assert "`is_deleted` = null,\n" in sql and "_sequences" not in sql


def test_all_tables_of_a_model_with_a_changelog():
    statements, printed = erasing(CASES["changelog"], [{"id": 7}])
    where = "\nwhere `id` in (\n  cast('7' as int)\n)"
    assert statements[1:] == [f"delete from {STAGED}{where}", f"delete from {CHANGELOG}{where}"]
    assert printed[0] == f"Erased 1 of 1 keys of {WHERE}"
    assert [text for text in printed if "vacuum" in text] == [
        f"  vacuum {name};" for name in (STATE, STAGED, CHANGELOG)
    ]


def test_a_key_of_several_columns():
    (sql,), _ = erasing(CASES["composite_key"], [{"line": 2, "order_id": 1}])
    assert sql.endswith(
        "where (`order_id`, `line`) in (\n  (cast('1' as int), cast('2' as int))\n)"
    )


def test_a_table_without_the_keys_is_not_written():
    statements, printed = erasing(CASES["changelog"], [{"id": 7}], rows=0)
    assert statements == []
    assert printed[0] == f"Erased 0 of 1 keys of {WHERE}; no table of it has key 0"


def test_parquet_gets_another_state():
    (state, view), printed = erasing(CASES["parquet"], [{"id": 7}])
    name = "analytics.customers__state_1_01234567"
    old = next(sql for sql in printed if "drop" in sql).split()[2][:-1]
    assert old.startswith("analytics.customers__state_1_") and old != name
    assert state.startswith(f"create table {name}\nusing parquet\ntblproperties (\n")
    assert "'dbt_changelog.batch' = '1'" in state
    assert ",\n  if(_dbtc_is_erased, null, `name`) as `name`,\n" in state
    assert ",\n  `_sequence`,\n" in state
    assert view.startswith(f"create or replace view {CONTENTS}\nas\n") and f"from {name}\n" in view
    assert [text for text in printed if "drop" in text] == [f"  drop table {old};"]


def test_an_event_table_has_the_key_in_its_images():
    (sql,), _ = erasing(LOGS["changes_input"], [{"id": 7}])
    key = "cast('7' as int)"
    assert sql == (
        "delete from analytics.customers_log\n"
        f"where `before`.`id` in (\n  {key}\n) or `after`.`id` in (\n  {key}\n)"
    )


@pytest.mark.parametrize(
    ("model", "keys", "words"),
    [
        ("keyless", [{"id": 7}], "the model has no unique_key"),
        ("default_op_mapping", "7", "'7' is no list of keys"),
        ("default_op_mapping", {"id": 7}, "'{'id': 7}' is no list of keys"),
        ("default_op_mapping", [], "'[]' is no list of keys"),
        ("default_op_mapping", [{"name": "x"}], "has other columns than the unique_key: id"),
        ("default_op_mapping", [7], "'7' has other columns than the unique_key: id"),
        ("default_op_mapping", [{"id": None}], "id is 'None', and a key has one value"),
        ("default_op_mapping", [{"id": [7]}], "id is '[7]', and a key has one value"),
    ],
)
def test_wrong_keys(invalid, model, keys, words):
    with invalid("keys", words):
        erasing(CASES[model], keys)


def test_a_batch_half_done():
    runs = Runs(CASES["changelog"])
    runs.crash("append changelog")
    with pytest.raises(CompilerError, match="was not made by|is not there"):
        runs.macros(graph={"nodes": {}}).stored_plan(runs.model.node)
    runs.run()
    runs.crash("append changelog")
    with pytest.raises(CompilerError, match="began a batch and did not end it"):
        runs.macros().stored_plan(runs.model.node)


def test_a_model_that_never_ran(invalid):
    with invalid("model", f"the table {STATE} is not there"):
        Runs(KEYED).macros().stored_plan(KEYED.node)


@pytest.mark.parametrize(
    ("type_", "sql"),
    [
        ("bigint", "try_cast('7' as bigint)"),
        (
            "decimal(5,2)",
            "if(cast(try_cast('7' as decimal(5,2)) as double) = try_cast('7' as double),"
            " try_cast('7' as decimal(5,2)), null)",
        ),
        (
            "date",
            "if(cast(try_cast('7' as date) as timestamp_ntz) = try_cast('7' as timestamp_ntz),"
            " try_cast('7' as date), null)",
        ),
    ],
)
def test_a_value_is_cast_to_the_type_of_its_column(type_, sql):
    asked = []
    model = Model({}, {**KEYED.columns, "id": type_})
    with pytest.raises(CompilerError, match=f"'7' is no {type_.split('(')[0]}"):
        erasing_a_wrong_value(model, asked)
    assert f"  ({sql}, '7')\nas keys (_dbtc_1, _dbtc_given_1)" in asked[0]


def erasing_a_wrong_value(model, asked):
    runs = Runs(model)
    runs.run()
    macros = runs.macros(local_md5=lambda text: text)
    plan = macros.stored_plan(model.node)

    def answer():
        asked.append(runs.lake.statements[-1])
        return table([("{}", None, "7")], ["key", "_dbtc_1", "_dbtc_given_1"])

    runs.lake.answer("^select\n  to_json", answer)
    macros.parse_keys(plan, [{"id": 7}])
