"""Two runs of a to_changelog model that reads changes: one of them goes on."""

import pytest

from ..logs import LOGS, macros_of
from ..plans import batch
from ..render import CompilerError, table

MODEL = LOGS["changes_input"]


def macros_with(planned_by, appended=False):
    macros, plan = macros_of(MODEL), MODEL.plan()
    answer, names = macros.warehouse.answer, ["namespace", "tableName", "isTemporary"]
    answer("^show tables", lambda: table([("analytics", "customers_log", False)], names))
    planned = batch(invocation_id=planned_by, refresh=False) if planned_by else None
    log = sorted(macros.log_properties(plan, batch()["last"], planned).items())
    answer("^show tblproperties", lambda: table(log, ["key", "value"]))
    rows = [("1",)] if appended else []
    answer("^select 1 from .*_batch_id = 2", lambda: table(rows, ["1"]))
    return macros, plan


def test_the_run_that_wrote_down_its_batch_goes_on():
    macros, plan = macros_with("run-1")
    macros.check_plan_is_ours(plan, batch())


@pytest.mark.parametrize(
    ("planned_by", "appended"), [("run-2", False), (None, False), ("run-1", True)]
)
def test_another_run_stops(planned_by, appended):
    macros, plan = macros_with(planned_by, appended)
    with pytest.raises(CompilerError, match="Another run of to_changelog model .* began batch 2"):
        macros.check_plan_is_ours(plan, batch())


def test_a_batch_is_begun_when_it_is_in_the_log():
    for appended in (True, False):
        macros, plan = macros_with("run-1", appended)
        found = macros.planned_batch(plan, macros.read_batch_log(plan["relations"]["log"]))
        assert (found["batch"]["id"] if found else None) == (2 if appended else None)
