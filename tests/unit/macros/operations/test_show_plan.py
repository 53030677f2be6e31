import json

from ..project import operation


def test_show_plan_only_reads():
    macros, printed = operation()
    macros.show_plan("customers")
    plan, program = printed
    assert json.loads(plan)["unique_key"] == ["id"]
    assert json.loads(plan)["batch"] == {"id": 1, "scenario": "first", "position": {}}
    assert program.startswith("-- write state\ncreate or replace table analytics.customers__state")
    assert all(sql.startswith(("describe", "set `", "show")) for sql in macros.warehouse.statements)
