"""What changes() renders of a Delta or Iceberg table: its versions since the last position."""

from types import SimpleNamespace

import pytest

from ..lake import Table
from ..logs import CHANGES, LOG, WHERE, Log, macros_of
from ..plans import ROW, answer_columns
from ..render import CompilerError, table

TABLE = "bronze.people"
ON = '{"properties": "{\\"delta.enableChangeDataFeed\\":\\"true\\"}"}'
OFF = ON.replace("true", "false")
# newest first, as Delta gives it: the feed was turned on after a row was there
HISTORY = [("3", "WRITE", "{}"), ("2", "SET TBLPROPERTIES", ON), ("1", "WRITE", "{}"),
           ("0", "CREATE TABLE", "{}")]  # fmt: skip
SNAPSHOTS = [("10", None, "0"), ("20", "10", "0"), ("25", "10", "0"), ("30", "20", None)]


class Relation(str):
    """A relation as dbt gives it, as text."""

    schema, identifier = TABLE.split(".")

    def include(self, **kwargs):
        return self.schema


def at_version(value, born="the-table"):
    return {"column": "version", "type": "bigint", "value": str(value), "born": born}


def at_snapshot(place, id_):
    return {"column": "snapshot", "type": "bigint", "value": str(place), "snapshot": str(id_)}


def feed(properties, *, last=None, then=None, history=HISTORY, snapshots=SNAPSHOTS, **context):
    """changes() of a table with these properties, by a model that has read up to `last`."""
    config = context.pop("config", {})
    log = Log(config, CHANGES)
    macros = macros_of(log, model=log.node, this=LOG, graph={"nodes": {}}, **context)
    answer, names = macros.warehouse.answer, ["namespace", "tableName", "isTemporary"]
    answer("^show tables", lambda: table([("bronze", "people", False)], names))
    answer("^show tables .*customers_log__changes'", lambda: table([], names))
    answer(
        r"^show tables .*customers_log\*'", lambda: table([(LOG.schema, LOG.name, False)], names)
    )
    answer(f"^show tblproperties {TABLE}$", lambda: table([*properties.items()], ["k", "v"]))
    answer("^describe detail", lambda: table([("the-table",)], ["id"]))
    columns = ["version", "operation", "operationParameters"]
    answer("^describe history", lambda: table(history, columns))
    answer("snapshots$", lambda: table(snapshots, ["id", "parent", "deletes"]))
    answer_columns(macros.warehouse, rf"^describe query select \* from {TABLE}$", ROW)
    answer_columns(macros.warehouse, r"^describe query .* version as of", then or ROW)
    ours = {"batch": {"id": 7, "position": {TABLE: last} if last else {}}}
    macros.warehouse.tables[str(LOG)] = Table({"op": "string"}, macros._to_chunks(ours))
    return macros, macros.changes(Relation(TABLE))


def delta(enabled="true", **more):
    return feed({"delta.minReaderVersion": "1", "delta.enableChangeDataFeed": enabled}, **more)


def iceberg(current="30", **more):
    return feed({"current-snapshot-id": current, "format": "iceberg/parquet"}, **more)


def only_range(macros, sql):
    (found,) = macros.find_ranges(sql)
    assert found["relation"] == TABLE
    return found["from"], found["to"]


def test_delta_begins_where_the_feed_was_turned_on():
    macros, sql = delta()
    assert only_range(macros, sql) == (None, at_version(3))
    assert f"from {TABLE} version as of 2" in sql
    assert f"from table_changes('{TABLE}', 3, 3)" in sql


def test_delta_begins_with_the_oldest_commit_where_none_turned_it_on():
    _, sql = delta(history=[("6", "WRITE", "{}"), ("5", "WRITE", "{}")])
    assert f"from {TABLE} version as of 5" in sql
    assert f"from table_changes('{TABLE}', 6, 6)" in sql


def test_delta_goes_on():
    macros, sql = delta(last=at_version(2))
    assert only_range(macros, sql) == (at_version(2), at_version(3))
    assert f"from table_changes('{TABLE}', 3, 3)" in sql
    assert "version as of" not in sql


def test_delta_reads_the_history_since_the_position_alone():
    macros, _ = delta(last=at_version(2))
    read = [s for s in macros.warehouse.statements if s.startswith("describe history")]
    assert read == [f"describe history {TABLE} limit {n}" for n in (1, 11)]


def test_iceberg_begins_with_the_oldest_snapshot_of_the_branch():
    macros, sql = iceberg()
    assert only_range(macros, sql) == (None, at_snapshot(3, 30))
    assert f"from {TABLE} version as of 10" in sql
    assert "cast(2 as bigint) + _change_ordinal as _sequence" in sql
    assert "'start-snapshot-id' = '10'" in sql
    assert "'end-snapshot-id' = '30'" in sql


def test_iceberg_goes_on():
    macros, sql = iceberg(last=at_snapshot(7, 20))
    assert only_range(macros, sql) == (at_snapshot(7, 20), at_snapshot(8, 30))
    assert "cast(8 as bigint) + _change_ordinal as _sequence" in sql
    assert "version as of" not in sql


def test_iceberg_goes_on_from_a_snapshot_that_is_gone_where_its_successors_are_not():
    macros, sql = iceberg(last=at_snapshot(7, 10), snapshots=SNAPSHOTS[1:])
    assert only_range(macros, sql) == (at_snapshot(7, 10), at_snapshot(9, 30))
    assert "'start-snapshot-id' = '10'" in sql


@pytest.mark.parametrize(("read", "last"), [(delta, at_version(3)), (iceberg, at_snapshot(3, 30))])
def test_nothing_new(read, last):
    macros, sql = read(last=last)
    assert only_range(macros, sql) == (last, last)
    assert f"from {TABLE}\n" in sql
    assert sql.endswith("  where false\n)")


def test_an_iceberg_table_without_a_snapshot():
    macros, sql = iceberg("none", snapshots=[])
    assert only_range(macros, sql) == (None, None)
    assert "where false" in sql


@pytest.mark.parametrize(
    ("read", "last", "now"),
    [(delta, at_version(1, "old"), "version as of 3"), (iceberg, at_snapshot(3, 5), "of 30")],
)
def test_a_full_refresh_needs_the_rows_of_now(read, last, now):
    macros, sql = read(last=last, should_full_refresh=lambda: True)
    assert only_range(macros, sql)[0] is None
    assert now in sql
    assert "changes" not in sql.replace("dbt_changelog", "")


@pytest.mark.parametrize("command", ["compile", "show", "test"])
def test_the_rows_of_now_where_no_batch_is_made(command):
    macros, sql = feed({}, flags=SimpleNamespace(WHICH=command, EMPTY=False))
    assert sql.endswith(f"from {TABLE}\n)")
    assert macros.warehouse.statements == []


def test_no_rows_with_empty():
    _, sql = feed({}, flags=SimpleNamespace(WHICH="run", EMPTY=True))
    assert "where false" in sql


def test_with_a_key_what_goes_and_comes_is_an_update():
    _, sql = delta(config={"unique_key": "ID"})
    assert "max(_dbtc_is_live) over (partition by _sequence, `id`)" in sql
    _, sql = delta(config={"unique_key": None, "encoding": "retract"})
    assert "max(_dbtc_is_live)" not in sql


def test_a_column_that_came_later_was_null():
    _, sql = delta(then={"id": "int"})
    assert "cast(null as string) as `name`" in sql


LOST = "no longer has all its changes since"


@pytest.mark.parametrize(
    ("read", "more", "words"),
    [
        (feed, {"properties": {}}, "is neither a from_changelog model of this project nor a table"),
        (delta, {"enabled": "false"}, "keeps no changes.*\n.*delta.enableChangeDataFeed"),
        (delta, {"last": at_version(2, "old")}, "made anew since version 2 of it was read"),
        (delta, {"last": at_version(9)}, "made anew since version 9 of it was read"),
        (delta, {"last": at_version(0), "history": HISTORY[:2]}, f"{LOST} version 0, up to"),
        (
            delta,
            {"last": at_version(0), "history": [*HISTORY[:2], ("1", "SET TBLPROPERTIES", OFF)]},
            f"{LOST} version 0, up to",
        ),
        (iceberg, {"last": at_snapshot(4, 5)}, f"{LOST} snapshot 5, up to"),
        (iceberg, {"last": at_snapshot(2, 25)}, f"{LOST} snapshot 25, up to"),
        (iceberg, {"last": at_version(2)}, f"{LOST} version 2, up to"),
        (delta, {"then": {"id": "int", "nick": "string"}}, "had a column 'nick' at version 2"),
        (
            iceberg,
            {"snapshots": [*SNAPSHOTS[:3], ("30", "20", "2")]},
            "snapshot 30 of bronze.people has delete files",
        ),
        (delta, {"config": {"unique_key": "nr"}}, "column 'nr' is not in"),
    ],
)
def test_what_can_not_be_read(read, more, words):
    with pytest.raises(
        CompilerError, match=f"(?s)Invalid '(changes|unique_key)' in {WHERE}: .*{words}"
    ):
        read(**more)


def test_a_feed_that_was_turned_on_again_and_again_is_whole():
    history = [("3", "REPLACE TABLE AS SELECT", ON), ("2", "SET TBLPROPERTIES", ON), *HISTORY[2:]]
    macros, sql = delta(history=history, last=at_version(1))
    assert only_range(macros, sql) == (at_version(1), at_version(3))
