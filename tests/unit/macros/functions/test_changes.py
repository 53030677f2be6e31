"""What changes() renders: whole batches of a producer's changelog."""

from types import SimpleNamespace

import pytest

from ..lake import Table
from ..logs import CHANGES, LOG, WHERE, Log, macros_of
from ..plans import CASES, CONTENTS, UPSERT
from ..render import CompilerError, table

CHANGELOG = f"{CONTENTS}__changelog"
PRODUCER = CASES["changelog"]


def changes(
    *, end=3, born="run-1", last=None, planned=None, appended=True, producer=None, **context
):
    """changes(ref('customers')), whose last batch is `end`; the consumer has read up to `last`."""
    log = Log({}, CHANGES)
    node = {**PRODUCER.node, "alias": "customers", **(producer or {})}
    macros = macros_of(
        log, model=log.node, this=LOG, graph={"nodes": {"customers": node}}, **context
    )
    answer, names = macros.warehouse.answer, ["namespace", "tableName", "isTemporary"]
    answer("^show tables", lambda: table([("analytics", "it", False)], names))
    answer("^show tables .*customers_log__changes'", lambda: table([], names))
    answer(
        r"^show tables .*customers_log\*'", lambda: table([(LOG.schema, LOG.name, False)], names)
    )
    answer("^show (tables|views) .*'customers'$", lambda: table([], names))
    written = {"batch": {"id": end, "position": {}}, "plan": {"changelog": True}}
    properties = [*macros._to_chunks(written).items()]
    answer("^show tblproperties .*__state", lambda: table(properties, ["key", "value"]))
    born_rows = [("dbt_changelog.born", born)] if born else [("x", "y")]
    answer("^show tblproperties .*__changelog", lambda: table(born_rows, ["key", "value"]))
    position = {CHANGELOG: at(last)} if last else {}
    ours = {"batch": {"id": 7, "position": position}}
    if planned:
        ours["planned"] = {"batch": {"id": 8, "position": {CHANGELOG: at(planned)}}}
    macros.warehouse.tables[str(LOG)] = Table({"op": "string"}, macros._to_chunks(ours))
    rows = [("1",)] if appended else []
    answer("^select 1 from .*customers_log where _batch_id = 8", lambda: table(rows, ["1"]))
    return macros, macros.changes(CONTENTS)


def at(value):
    return {"column": "_batch_id", "type": "bigint", "value": str(value), "born": "run-1"}


def test_the_first_run_reads_all_committed_batches():
    macros, sql = changes()
    assert macros.find_ranges(sql) == [{"relation": CHANGELOG, "from": None, "to": at(3)}]
    assert f"select * from {CHANGELOG}\n" in sql
    assert "((`_batch_id` <= cast('3' as bigint)) or `_batch_id` is null)" in sql


def test_the_next_run_reads_on():
    macros, sql = changes(last=2)
    assert macros.find_ranges(sql) == [{"relation": CHANGELOG, "from": at(2), "to": at(3)}]
    assert "`_batch_id` > cast('2' as bigint) and `_batch_id` <= cast('3' as bigint)" in sql


@pytest.mark.parametrize(("appended", "start"), [(True, 3), (False, 2)])
def test_a_batch_that_was_appended_was_read(appended, start):
    macros, sql = changes(end=4, last=2, planned=3, appended=appended)
    assert macros.find_ranges(sql)[0]["from"] == at(start)


def test_a_full_refresh_reads_all():
    macros, sql = changes(last=2, should_full_refresh=lambda: True)
    assert macros.find_ranges(sql)[0]["from"] is None


@pytest.mark.parametrize("command", ["compile", "show", "test"])
def test_all_rows_where_no_batch_is_made(command):
    _, sql = changes(flags=SimpleNamespace(WHICH=command, EMPTY=False))
    assert str(sql) == CHANGELOG


def test_the_rows_of_a_unit_test():
    log = Log({}, CHANGES)
    macros = macros_of(log, model={**log.node, "resource_type": "unit_test"})
    assert macros.changes("__dbt__cte__customers") == "__dbt__cte__customers"


@pytest.mark.parametrize("change", [{"born": "run-2"}, {"born": None}, {"end": 1}])
def test_a_changelog_that_was_made_anew(change):
    message = "was dropped and made anew since batch 2 of it was read"
    with pytest.raises(CompilerError, match=f"Invalid 'changes' in {WHERE}: .*{message}"):
        changes(last=2, **change)
    changes(last=2, should_full_refresh=lambda: True, **change)


@pytest.mark.parametrize(
    ("producer", "words"),
    [
        ({"config": {"materialized": "from_changelog"}}, "'customers' has no changelog"),
        ({"config": {"materialized": "table"}}, "is neither a from_changelog model of this"),
        ({"alias": "people"}, "is neither a from_changelog model of this project"),
        ({"schema": "other"}, "is neither a from_changelog model of this project"),
        (
            {"config": {**CASES["changelog_against_state"].node["config"], "op_mapping": UPSERT}},
            "the changelog of 'customers' has no such changes",
        ),
    ],
)
def test_what_is_no_changelog(producer, words):
    with pytest.raises(CompilerError, match=words):
        changes(producer=producer)
