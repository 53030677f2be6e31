from types import SimpleNamespace

import pytest

from ..plans import CASES, CONTENTS, WHERE, Model, macros_of
from ..render import CompilerError, table

RELATION = "bronze.customers"
BIGINT = {"column": "lsn", "type": "bigint"}


def new_rows(
    read,
    *,
    end="20",
    last=None,
    staged=None,
    merged=True,
    node=None,
    type_="bigint",
    times=1,
    **context,
):
    model = CASES["default_op_mapping"]
    node = {**model.node, **(node or {})}
    node["config"] = {**node["config"], "read": read}
    macros = macros_of(
        Model({}, {**model.columns, "lsn": type_}), model=node, this=CONTENTS, **context
    )
    answer = macros.warehouse.answer
    answer("^describe query select `lsn` from", lambda: table([("lsn", type_)], ["n", "t"]))
    newest = end if type_ != "bigint" or end is None else int(end)
    answer("^select (cast|max)", lambda: table([(newest,)], ["end"]))
    for name, id_, position in (("state", 1, last), ("changes", 2, staged)):
        found = [("analytics", f"customers__{name}", False)] if position or staged else []
        names = ["namespace", "tableName", "isTemporary"]
        answer(f"^show tables in .*__{name}'", lambda found=found, names=names: table(found, names))
        log = {"batch": {"id": id_, "position": {RELATION: position}}, "uid": node["unique_id"]}
        rows = sorted(macros.to_chunks(log).items())
        answer(f"^show tblproperties .*__{name}", lambda rows=rows: table(rows, ["key", "value"]))
    rows = [("1",)] if merged else []
    answer("^select 1 from .*__state where _batch_id = 2 ", lambda: table(rows, ["1"]))
    answer("^show tables in .*__changelog'", lambda: table([], names))
    return macros, [macros.new_rows(RELATION) for _ in range(times)][-1]


def test_first_run_reads_up_to_the_end():
    macros, sql = new_rows({"column": "LSN"})
    assert macros.read_ranges(sql) == {RELATION: {**BIGINT, "value": "20"}}
    assert "where (`lsn` <= cast('20' as bigint)) or `lsn` is null" in sql


def test_next_run_reads_from_the_last_position():
    _, sql = new_rows({"column": "lsn", "lookback": 3}, last={**BIGINT, "value": "9"})
    assert "(`lsn` >= cast('9' as bigint) - 3 and `lsn` <= cast('20' as bigint))" in sql


def test_full_refresh_reads_all():
    last = {**BIGINT, "value": "9"}
    _, sql = new_rows({"column": "lsn"}, last=last, should_full_refresh=lambda: True)
    assert ">=" not in sql


@pytest.mark.parametrize(("last", "value"), [(None, None), ({**BIGINT, "value": "9"}, "9")])
def test_empty_source(last, value):
    macros, sql = new_rows({"column": "lsn"}, end=None, last=last)
    expected = {RELATION: {**BIGINT, "value": value}} if value else {}
    assert macros.read_ranges(sql) == expected
    assert (sql == RELATION) is (value is None)


def test_timestamps_do_not_depend_on_a_time_zone():
    macros, sql = new_rows({"column": "lsn"}, end="1767323045000001", type_="timestamp")
    assert any("unix_micros(max(`lsn`))" in sql for sql in macros.warehouse.statements)
    assert "`lsn` <= timestamp'2026-01-02 03:04:05.000001Z'" in sql


@pytest.mark.parametrize("change", [{"column": "id"}, {"type": "int"}])
def test_the_last_position_of_another_column_does_not_count(change):
    _, sql = new_rows({"column": "lsn"}, last={**BIGINT, "value": "9", **change})
    assert ">=" not in sql


@pytest.mark.parametrize(
    ("type_", "lookback"),
    [("bigint", 3), ("double", 0.5), ("timestamp", "1 hour"), ("date", "2 days"), ("string", None)],
)
def test_lookback_fits_the_column(type_, lookback):
    new_rows({"column": "lsn", "lookback": lookback}, type_=type_)


@pytest.mark.parametrize(
    ("type_", "lookback"),
    [("bigint", "1 hour"), ("timestamp", 3), ("date", 1), ("string", 1), ("string", "1 day")],
)
def test_lookback_of_another_type(invalid, type_, lookback):
    with invalid("read.lookback", f"{lookback} can not be taken from lsn, which is {type_}"):
        new_rows({"column": "lsn", "lookback": lookback}, type_=type_)


@pytest.mark.parametrize(
    "context",
    [
        {"execute": False},
        {"flags": SimpleNamespace(WHICH="compile", EMPTY=False)},
        {"flags": SimpleNamespace(WHICH="show", EMPTY=False)},
        {"flags": SimpleNamespace(WHICH="test", EMPTY=False)},
        {"flags": SimpleNamespace(WHICH="run", EMPTY=True)},
        {"node": {"resource_type": "unit_test"}},
        {"read": "full"},
        {"read": None},
    ],
)
def test_all_rows_where_no_batch_is_made(context):
    macros, sql = new_rows(**{"read": {"column": "lsn"}, **context})
    assert sql == RELATION
    assert macros.warehouse.statements == []


def test_wrong_config():
    with pytest.raises(CompilerError, match=f"Invalid 'read' in {WHERE}: column 'ts' is not in"):
        new_rows({"column": "ts"})
    with pytest.raises(CompilerError, match="Invalid 'read' in .* is neither 'full' nor a column"):
        new_rows("lsn")


STRICT = {"column": "lsn", "strict": True}
WITHOUT_KEY = {"config": {"unique_key": None, "materialized": "from_changelog"}}


def test_a_strict_range_begins_above_the_last_position():
    macros, sql = new_rows(STRICT, last={**BIGINT, "value": "9"})
    assert "`lsn` > cast('9' as bigint) and `lsn` <= cast('20' as bigint)" in sql


def test_rows_that_are_gone_were_read_all_the_same():
    macros, sql = new_rows(STRICT, end="7", last={**BIGINT, "value": "9"})
    assert macros.read_ranges(sql) == {RELATION: {**BIGINT, "value": "9"}}
    last = {"column": "lsn", "type": "string", "value": "b"}
    macros, _ = new_rows(STRICT, end="b", last=last, type_="string")
    asked = "select cast(greatest(max(`lsn`), cast('b' as string)) as string) from"
    assert any(asked in statement for statement in macros.warehouse.statements)


@pytest.mark.parametrize("change", [{"column": "id"}, {"type": "int"}])
def test_a_strict_position_of_another_column(invalid, change):
    with invalid("read", "its column is lsn, bigint, but the state was read up to"):
        new_rows(STRICT, last={**BIGINT, "value": "9", **change})


@pytest.mark.parametrize("last", [None, {**BIGINT, "value": "9"}])
def test_a_staged_batch_counts_as_read(last):
    _, sql = new_rows(STRICT, last=last, staged={**BIGINT, "value": "15"}, node=WITHOUT_KEY)
    assert "`lsn` > cast('15' as bigint)" in sql


def test_a_staged_batch_of_which_nothing_was_written_is_read_again():
    last, staged = {**BIGINT, "value": "9"}, {**BIGINT, "value": "15"}
    _, sql = new_rows(STRICT, last=last, staged=staged, merged=False, node=WITHOUT_KEY)
    assert "`lsn` > cast('9' as bigint)" in sql


def test_a_staged_batch_of_another_model_does_not_count():
    last = {**BIGINT, "value": "9"}
    other = {"config": {**WITHOUT_KEY["config"], "uid": "other"}}
    _, sql = new_rows(STRICT, last=last, staged={**BIGINT, "value": "15"}, node=other)
    assert "`lsn` > cast('9' as bigint)" in sql
