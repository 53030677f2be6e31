from types import SimpleNamespace

import pytest

from ..lake import Table
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
    below=False,
    where=None,
    part="15",
    **context,
):
    model = CASES["default_op_mapping"]
    node = {**model.node, **(node or {})}
    node["config"] = {**node["config"], "read": read}
    macros = macros_of(
        Model({}, {**model.columns, "lsn": type_}), model=node, this=CONTENTS, **context
    )
    answer = macros.warehouse.answer
    newest = end if type_ != "bigint" or end is None else int(end)
    answer(f"^select .* from {RELATION}$", lambda: table([(newest,)], ["end"]))
    answer(f"^select .* from {RELATION}\nwhere", lambda: table([(part and int(part),)], ["end"]))
    answer("^select (cast|X).* < ", lambda: table([(below,)], ["below"]))
    answer(r"^select cast\(cast", lambda: table([("shown",)], ["shown"]))
    for name, id_, position in (("state", 1, last), ("changes", 2, staged)):
        log = {"batch": {"id": id_, "position": {RELATION: position}}, "uid": node["unique_id"]}
        made = Table({"id": "int"}, macros._to_chunks(log), {2} if merged else set())
        if position or staged:
            macros.warehouse.tables[f"{CONTENTS.schema}.customers__{name}"] = made
    return macros, [macros.new_rows(RELATION, where) for _ in range(times)][-1]


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
    assert macros.read_ranges(sql) == {RELATION: value and {**BIGINT, "value": value}}
    assert ("where" in sql) is (value is not None)


def test_timestamps_do_not_depend_on_a_time_zone():
    macros, sql = new_rows({"column": "lsn"}, end="1767323045000001", type_="timestamp")
    assert any("unix_micros(max(`lsn`))" in sql for sql in macros.warehouse.statements)
    assert "`lsn` <= timestamp_micros(1767323045000001)" in sql


@pytest.mark.parametrize("change", [{"column": "id"}, {"type": "int"}])
def test_the_last_position_of_another_column_does_not_count(change):
    _, sql = new_rows({"column": "lsn"}, last={**BIGINT, "value": "9", **change})
    assert ">=" not in sql


@pytest.mark.parametrize(
    ("type_", "lookback"),
    [
        ("bigint", 3),
        ("decimal(10,2)", 0.5),
        ("timestamp", "1 hour"),
        ("date", "2 days"),
        ("string", None),
    ],
)
def test_lookback_fits_the_column(type_, lookback):
    new_rows({"column": "lsn", "lookback": lookback}, type_=type_)


@pytest.mark.parametrize(
    ("type_", "lookback"),
    [
        *[("bigint", "1 hour"), ("timestamp", 3), ("date", 1), ("string", 1), ("string", "1 day")],
        *[("binary", 1), ("binary", "1 day"), ("varchar(9)", 1)],
    ],
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
        {"invocation_args_dict": {"sample": "3 days"}},
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


@pytest.mark.parametrize("read", [STRICT, {"column": "lsn"}])
def test_rows_that_are_gone_were_read_all_the_same(read):
    last = {**BIGINT, "value": "9"}
    macros, sql = new_rows(read, end=None, last=last)
    assert macros.read_ranges(sql) == {RELATION: last}


@pytest.mark.parametrize("read", [STRICT, {"column": "lsn"}, {"column": "lsn", "lookback": 1}])
def test_a_source_that_ends_below_the_position(invalid, read):
    with invalid("read", f"the greatest lsn of {RELATION} is shown, and it was read up to shown"):
        new_rows(read, end="7", last={**BIGINT, "value": "9"})
    last = {"column": "lsn", "type": "decimal(9,2)", "value": "9.0"}
    with invalid("read", f"the greatest lsn of {RELATION}"):
        new_rows(read, end="7.1", last=last, type_="decimal(9,2)", below=True)


def test_a_source_that_ends_below_the_position_but_not_below_the_lookback():
    """What comes there is read, and the position does not go back."""
    last = {**BIGINT, "value": "9"}
    macros, sql = new_rows({"column": "lsn", "lookback": 2}, end="7", last=last)
    assert macros.read_ranges(sql) == {RELATION: last}
    assert "(`lsn` >= cast('9' as bigint) - 2 and `lsn` <= cast('9' as bigint))" in sql


@pytest.mark.parametrize(
    "type_",
    ["float", "double", "boolean", "struct<a:int>", "array<int>", "map<int,int>", "variant",
     "interval day to second", "interval year to month", "void", "time(6)",
     "string collate UNICODE", "timestamp_nano"],
)  # fmt: skip
@pytest.mark.parametrize("read", [STRICT, {"column": "lsn"}])
def test_types_that_are_no_position(invalid, type_, read):
    with invalid("read", f"column 'lsn' of {RELATION} is {type_}, whose values can not be kept"):
        new_rows(read, type_=type_)


@pytest.mark.parametrize(
    ("type_", "value", "end"),
    [
        ("binary", "80FF", "X'80FF'"),
        ("binary", "", "X''"),
        ("char(3)", "a  ", "cast('a  ' as char(3))"),
        ("varchar(3)", "a", "cast('a' as varchar(3))"),
        ("string", "", "cast('' as string)"),
        ("timestamp", "-9223372036854775808", "timestamp_micros(-9223372036854775808)"),
        ("timestamp_ntz", "+10000-01-01 00:00:00", "cast('+10000-01-01 00:00:00' as timestamp_"),
    ],
)
def test_types_that_are_a_position(type_, value, end):
    macros, sql = new_rows({"column": "lsn"}, end=value, type_=type_)
    assert macros.read_ranges(sql) == {RELATION: {"column": "lsn", "type": type_, "value": value}}
    assert f"(`lsn` <= {end}" in sql


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


# one table in a log of many

ORDERS = "topic = 'orders' or topic is null"


def test_a_part_of_a_log_ends_where_its_own_rows_end():
    last = {**BIGINT, "value": "9"}
    macros, sql = new_rows({"column": "lsn", "lookback": 2}, last=last, where=ORDERS)
    assert macros.read_ranges(sql) == {RELATION: {**BIGINT, "value": "15"}}
    (asked,) = [sql for sql in macros.warehouse.statements if "\nwhere" in sql]
    assert asked == (
        f"select max(`lsn`) from {RELATION}\nwhere ({ORDERS})\n"
        "  and `lsn` <= cast('20' as bigint)\n  and `lsn` > cast('9' as bigint)"
    )
    assert sql.endswith(
        f"select * from {RELATION}\n  where ({ORDERS})\n    and ((`lsn` >= cast('9' as bigint) - 2"
        " and `lsn` <= cast('15' as bigint)) or `lsn` is null)\n)"
    )


def test_a_part_of_a_log_for_strict_reading():
    _, sql = new_rows(STRICT, node=WITHOUT_KEY, where=ORDERS)
    assert f"where ({ORDERS})\n    and ((`lsn` <= cast('15' as bigint)) or `lsn` is null)" in sql
    assert sql.index(ORDERS) < sql.index("raise_error")


@pytest.mark.parametrize("last", [None, {**BIGINT, "value": "9"}])
def test_where_only_others_came_the_position_stays(last):
    macros, _ = new_rows({"column": "lsn"}, last=last, where=ORDERS, part=None)
    sql = macros.new_rows(RELATION, ORDERS)
    assert macros.read_ranges(sql) == {RELATION: last}


def test_where_the_log_has_not_grown_it_is_asked_once():
    macros, _ = new_rows({"column": "lsn"}, last={**BIGINT, "value": "20"}, where=ORDERS)
    assert not [sql for sql in macros.warehouse.statements if "\nwhere" in sql]


@pytest.mark.parametrize("read", ["full", {"column": "lsn"}])
def test_the_condition_holds_where_all_rows_are_read(read):
    flags = SimpleNamespace(WHICH="run" if read == "full" else "compile", EMPTY=False)
    _, sql = new_rows(read, where=ORDERS, flags=flags)
    assert sql == f"(select * from {RELATION} where {ORDERS})"


@pytest.mark.parametrize("where", ["", " ", 7, ["topic"]])
def test_what_is_no_condition(invalid, where):
    with invalid("where", f"'{where}' is no condition"):
        new_rows({"column": "lsn"}, where=where)
