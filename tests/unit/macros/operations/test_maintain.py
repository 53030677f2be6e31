"""What maintain runs; tests/functional/test_maintain.py runs it."""

import pytest

from ..logs import LOGS
from ..plans import CASES, CHANGELOG, STAGED, STATE
from ..render import table
from ..runs import Runs

BATCHES = "analytics.dbt_changelog_batches"


def maintain(case, partitioned_by=(), **arguments):
    """The statements that were run, and what was printed, after a model has run once."""
    runs, printed = Runs(case), []
    runs.run()
    runs.lake.tables[BATCHES].properties["delta.minReaderVersion"] = "1"
    rows = [("order_id", "int"), ("# Partition Information", ""), ("# col_name", "data_type")]
    rows += [(name, "int") for name in partitioned_by] + [("", ""), ("# Detailed Table", "")]
    columns = ["col_name", "data_type", "comment"]
    runs.lake.answer(
        f"^describe table extended {STATE}$",
        lambda: table([(*row, None) for row in rows], columns),
    )
    macros = runs.macros(graph={"nodes": {case.node["unique_id"]: case.node}}, print=printed.append)
    runs.lake.statements.clear()
    macros.maintain(case.node["name"], **arguments)
    ran = [sql for sql in runs.lake.statements if sql.startswith(("optimize", "vacuum", "call"))]
    return ran, printed


def test_each_table_is_compacted_and_loses_its_old_files():
    ran, printed = maintain(CASES["changelog"])
    names = [STATE, CHANGELOG, STAGED, BATCHES]
    assert ran == [f"{verb} {name}" for name in names for verb in ("optimize", "vacuum")]
    assert printed == [f"{sql};" for sql in ran]


def test_the_state_is_sorted_if_asked():
    ran, _ = maintain(CASES["composite_key"], sort=True)
    assert ran[0] == f"optimize {STATE} zorder by (`order_id`, `line`)"
    assert not any("zorder" in sql for sql in ran[1:])


@pytest.mark.parametrize(
    ("names", "order"), [(["LINE"], " zorder by (`order_id`)"), (["order_id", "line"], "")]
)
def test_columns_of_the_partition_are_in_order_anyway(names, order):
    ran, _ = maintain(CASES["composite_key"], partitioned_by=names, sort=True)
    assert ran[0] == f"optimize {STATE}{order}"


def test_without_a_key_there_is_no_order():
    ran, _ = maintain(CASES["keyless"], sort=True)
    assert ran[0] == f"optimize {STATE}"


def test_iceberg():
    ran, _ = maintain(CASES["iceberg"], sort=True)
    name = f"table => '{STATE}'"
    assert ran[:3] == [
        f"call spark_catalog.system.expire_snapshots({name})",
        f"call spark_catalog.system.rewrite_data_files({name}, strategy => 'sort',"
        " sort_order => '`id`', options => map('rewrite-all', 'true'))",
        f"call spark_catalog.system.rewrite_position_delete_files({name})",
    ]


def test_an_event_table():
    ran, _ = maintain(LOGS["changes_input"])
    assert ran[:2] == ["optimize analytics.customers_log", "vacuum analytics.customers_log"]


def test_a_dry_run_only_prints():
    ran, printed = maintain(CASES["default_op_mapping"], dry_run=True)
    assert ran == []
    assert printed[:2] == [f"optimize {STATE};", f"vacuum {STATE};"]
    assert printed[-1] == "Nothing was run"


@pytest.mark.parametrize("name", ["sort", "dry_run"])
def test_wrong_arguments(invalid, name):
    with invalid(name, "'yes' is neither true nor false"):
        maintain(CASES["default_op_mapping"], **{name: "yes"})
