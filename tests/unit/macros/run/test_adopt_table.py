"""A table that has the model's name becomes its state."""

import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from ..plans import CASES, CONTENTS, FLAT, STATE, Model
from ..runs import REFRESH, Runs, adopting

MODEL = Model({"read": {"column": "lsn"}}, FLAT)
ROW = {"id": "int", "name": "string", "lsn": "bigint"}
ASIDE = f"{CONTENTS}__before_changelog"


def adopted(model=MODEL, columns=None, **found):
    """The rows that become the state, as SQL: {column: value}."""
    text = adopting(model, columns, **found).adopt().written[-1]
    rows = text.split("select\n  'INSERT' as _dbtc_op,\n", 1)[1].split("\nfrom ", 1)[0]
    items = [item.strip() for item in rows.split(",\n")]
    return {item.split(" as ")[-1].strip("`"): item.rsplit(" as ", 1)[0] for item in items}


def test_the_table_goes_aside_and_the_events_come_after():
    runs = adopting(MODEL)
    macros = runs.adopt()
    assert set(runs.lake.tables) >= {STATE, ASIDE}
    assert str(CONTENTS) in runs.lake.views and str(CONTENTS) not in runs.lake.tables
    assert runs.log == [
        f"Adopted 0 rows of {CONTENTS} as batch 1 of from_changelog model 'customers', ordered by"
        f" lsn. The table is now {ASIDE}."
    ]
    assert macros.warnings == []
    batch = runs.plan(end=20).batch
    assert (batch["scenario"], batch["id"]) == ("next", 2)
    assert batch["last"] == {"id": 1, "position": {}}


def test_without_a_table_it_is_a_first_run_as_any():
    runs = adopting(MODEL)
    del runs.lake.tables[str(CONTENTS)]
    assert runs.adopt().written == []
    assert runs.plan().batch["scenario"] == "first"


@pytest.mark.parametrize(
    "context",
    [
        {"flags": SimpleNamespace(WHICH="run", EMPTY=True)},
        {"invocation_args_dict": {"sample": "3 days"}},
        REFRESH,
    ],
)
def test_a_run_that_reads_nothing_or_builds_anew_adopts_nothing(context):
    assert adopting(MODEL).adopt(**context).written == []


def test_a_table_in_place_of_a_view_that_was_read_up_to_a_position(invalid):
    """Nobody knows what that table has of the events since."""
    runs = Runs(MODEL)
    runs.run(end=10)
    again = adopting(MODEL)
    again.lake.tables |= runs.lake.tables
    assert again.adopt().written == []
    with invalid("alias", f"the table {CONTENTS} exists"):
        again.plan(end=20)


def test_after_a_crash_the_table_is_read_again():
    runs = adopting(MODEL)
    runs.context["var"] = lambda name, default=None: "write state"
    with pytest.raises(Exception, match="Failed on purpose"):
        runs.adopt()
    assert str(CONTENTS) in runs.lake.tables and STATE in runs.lake.tables
    del runs.context["var"]
    text = runs.adopt().written[-1]
    assert "cast(2 as bigint) as _batch_id" in text and f"rename to {ASIDE}" in text


def test_an_operation_shows_it_and_writes_nothing():
    runs = adopting(MODEL)
    macros = runs.macros(flags=SimpleNamespace(WHICH="run-operation", EMPTY=False))
    plan = macros.from_changelog_plan(MODEL.node | runs.model.node, MODEL.query, CONTENTS)
    adoption = macros.next_adoption(plan)
    assert [step["name"] for step in macros.program_of(adoption["plan"], adoption["batch"])] == [
        *("write state", "count rows", "rename table aside", "contents view", "batches row"),
    ]
    assert runs.lake.tables.keys() >= {str(CONTENTS)} and STATE not in runs.lake.tables


def test_rows_have_the_sequence_that_the_table_has():
    assert adopted() == {
        "_dbtc_sequence": "coalesce(`lsn`, cast('-9223372036854775808' as bigint))",
        **{name: f"`{name}`" for name in ROW},
    }
    table = {"ID": "smallint", "Name": "string", "LSN": "int"}
    assert adopted(columns=table) == {
        "_dbtc_sequence": "coalesce(cast(`LSN` as bigint), cast('-9223372036854775808' as bigint))",
        **{"id": "cast(`ID` as int)", "name": "`Name`", "lsn": "cast(`LSN` as bigint)"},
    }


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("int", "cast('-2147483648' as int)"),
        ("decimal(5,2)", "cast('-999.99' as decimal(5,2))"),
        ("decimal(3,0)", "cast('-999' as decimal(3,0))"),
        ("double", "cast('-Infinity' as double)"),
        ("timestamp", "cast('0001-01-02 00:00:00+00:00' as timestamp)"),
        ("string", "cast('' as string)"),
        ("boolean", "cast('false' as boolean)"),
        ("array<int>", "cast(array() as array<int>)"),
        ("binary", "cast('' as binary)"),
        (
            "struct<file:string,pos:struct<row:int>>",
            "named_struct('file', cast('' as string), 'pos', named_struct('row',"
            " cast('-2147483648' as int)))",
        ),
    ],
)
def test_rows_without_a_sequence_come_before_all_events(type_, value):
    model = Model({"sequence_by": "_order"}, {**FLAT, "_order": type_})
    assert adopted(model)["_dbtc_sequence"] == value


# rows that come in parts

SOFT = CASES["soft_parts"]
FLAGGED = {**ROW, "is_deleted": "boolean"}
LEAST, SECOND = (f"cast('-922337203685477580{digit}' as bigint)" for digit in (8, 7))


def events_of(columns, model=SOFT):
    """The SQL of the events that adopted rows are, and of what they sent."""
    text = adopting(model, columns).adopt().written[-1]
    return text.split("with events as (\n\n", 1)[1].split(",\n\nlast_values")[0]


def test_a_row_has_sent_all_but_a_placeholder():
    sql = events_of(ROW)
    sent = "_row_kind in ('INSERT', 'UPDATE_AFTER') and not ("
    assert f"{sent}false) as `lsn`" in sql
    assert f"{sent}coalesce(`name` in ('?', base64(X'3f')), false)) as `name`" in sql
    assert "is null" not in sql.split("sent_changes as")[1]


def test_a_flagged_row_is_deleted_after_its_values_were_set():
    assert "'DELETE' as _dbtc_op" not in events_of(ROW)
    sql = events_of(FLAGGED)
    sequence = f"coalesce(`lsn`, {LEAST})"
    assert f"if(\n    `is_deleted`,\n    {LEAST},\n    {sequence}\n  ) as _dbtc_sequence" in sql
    deletes = f"'DELETE' as _dbtc_op,\n  coalesce(`lsn`, {SECOND}) as _dbtc_sequence"
    assert deletes in sql and sql.split(deletes)[1].split(")")[0].endswith("where `is_deleted`\n\n")


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("bigint", SECOND),
        ("decimal(5,2)", "cast('-999.98' as decimal(5,2))"),
        ("decimal(1,0)", "cast('-8' as decimal(1,0))"),
        ("string", "cast(' ' as string)"),
        ("binary", "X'00'"),
        ("array<int>", "cast(array(null) as array<int>)"),
        (
            "struct<file:string,row:int>",
            "named_struct('file', cast('' as string), 'row', cast('-2147483647' as int))",
        ),
    ],
)
def test_a_flagged_row_without_a_sequence(type_, value):
    model = replace(SOFT, config={**SOFT.config, "sequence_by": "_order"},
                    columns={**FLAT, "_order": type_})  # fmt: skip
    assert f"'DELETE' as _dbtc_op,\n  {value} as _dbtc_sequence" in events_of(FLAGGED, model)


def test_a_flag_of_another_type(invalid):
    with invalid("adopt", "column 'is_deleted' is boolean in the model and string in the table"):
        events_of({**ROW, "is_deleted": "string"})


def test_an_event_with_the_sequence_of_an_adopted_row_is_newer_and_no_tie():
    runs = adopting(SOFT)
    runs.adopt()
    sql = runs.plan().step("write state")["sql"]
    name = "change._sequences.`name` = state._sequences.`name`"
    assert f"or {name} and state._batch_id < 2 and not (change.`name` <=> state.`name`)" in sql
    assert f"or {name}\n      and state._batch_id >= 2\n      and not (change.`name` <=>" in sql


def test_an_expression_is_no_column_of_the_table():
    model = Model({"sequence_by": ["lsn", "coalesce(id, 0)"]}, FLAT)
    assert "`lsn`" not in adopted(model)["_dbtc_sequence"]


def test_columns_that_the_model_has_not_are_left_with_a_warning():
    macros = adopting(MODEL, {**ROW, "loaded_at": "timestamp"}).adopt()
    (warning,) = macros.warnings
    assert "has columns that the model has not: loaded_at." in warning and "To fix: " in warning


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"id": "int", "lsn": "bigint"}, f"the table {CONTENTS} has no column 'name'"),
        (
            {**ROW, "id": "string"},
            f"column 'id' is int in the model and string in the table {CONTENTS}",
        ),
        ({**ROW, "lsn": "decimal(20,0)"}, "column 'lsn' is bigint in the model and decimal(20,0)"),
    ],
)
def test_columns_that_do_not_fit(invalid, columns, words):
    with invalid("adopt", words):
        adopted(columns=columns)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ({"without_key": 3}, f"the table {CONTENTS} has 3 rows whose key (id) is NULL"),
        (
            {"doubled": 2, "example": '{"id":7}'},
            f'the table {CONTENTS} has 2 keys with more than one row, such as {{"id":7}}',
        ),
    ],
)
def test_keys_that_name_no_row(invalid, found, words):
    runs = adopting(MODEL, **found)
    with invalid("adopt", words):
        runs.adopt()
    assert not any(re.match("create|alter", sql) for sql in runs.lake.statements)


@pytest.mark.parametrize(
    ("model", "words"),
    [("keyless", "without unique_key each event counts"), (None, "'yes' is neither true nor")],
)
def test_a_config_that_can_not_be(invalid, model, words):
    config = {**CASES[model].config, "adopt": True} if model else {"adopt": "yes"}
    with invalid("adopt", words):
        Model(config, FLAT).plan()
