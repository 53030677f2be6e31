"""Ids that consumers know are not given again, whatever was dropped."""

import pytest

from ..plans import CASES, CONTENTS, answer_columns, macros_of
from ..render import table

MODEL = CASES["changelog"]


def next_id(last=0, staged=None, changelog=None, batches=None, types=None):
    """The next id after `last`, where these ids are still known."""
    macros = macros_of(MODEL)
    answer, names = macros.warehouse.answer, ["namespace", "tableName", "isTemporary"]
    found = table([("analytics", "it", False)], names)
    if staged:
        answer("^show tables .*__changes'", lambda: found)
        log = {"uid": staged[0], "batch": {"id": staged[1]}}
        rows = [*macros.to_chunks(log).items()]
        answer("^show tblproperties .*__changes", lambda: table(rows, ["key", "value"]))
    if changelog:
        answer("^show tables .*__changelog'", lambda: found)
        answer_columns(macros.warehouse, "analytics.customers__changelog", types or
                       {"_batch_id": "bigint"})  # fmt: skip
        answer(r"^select max\(_batch_id\)", lambda: table([(changelog[0],)], ["max"]))
    if batches:
        relation = macros.batches_relation(CONTENTS)
        macros.warehouse.relations[str(relation)] = relation
        columns = types or {"uid": "string", "batch_id": "bigint"}
        answer_columns(macros.warehouse, "analytics.dbt_changelog_batches", columns)
        asked = r"^select max\(batch_id\) from .* where uid = 'model.shop.customers'"
        answer(asked, lambda: table([(batches[0],)], ["max"]))
    return macros.next_id(MODEL.plan(), {"id": last, "position": {}})


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        ({}, 1),
        ({"last": 4, "batches": ["9"]}, 5),
        ({"staged": ("model.shop.customers", 6)}, 7),
        ({"staged": ("another uid", 6)}, 1),
        ({"changelog": ["6"]}, 7),
        ({"batches": ["6"]}, 7),
        ({"batches": [None]}, 1),
        ({"changelog": [None], "batches": ["10"]}, 11),
        ({"staged": ("model.shop.customers", 10), "batches": ["9"]}, 11),
        # of someone else
        ({"batches": ["6"], "types": {"uid": "string"}}, 1),
        ({"batches": ["6"], "types": {"uid": "int", "batch_id": "bigint"}}, 1),
        ({"changelog": ["6"], "types": {"id": "int"}}, 1),
    ],
)
def test_next_id(known, expected):
    assert next_id(**known) == expected
