"""Which kernel keeps a model, as far as its config says."""

from typing import Any

import pytest

from ..render import Macros

NUMBERS = {"id": {"name": "id", "data_type": "bigint"}}
TEXTS = {**NUMBERS, "doc": {"name": "doc", "data_type": "VARCHAR(9)"}}
CODES = {"c, r": "INSERT", "u": "UPDATE_AFTER", "d": "DELETE"}
WHOLE = {"format": "debezium", "op_mapping": CODES}


def kernel(config: dict[str, Any], columns: dict[str, Any]) -> str:
    config = {"materialized": "from_changelog", "unique_key": "id", **config}
    return Macros().model_kernel({"config": config, "columns": columns})


@pytest.mark.parametrize(
    ("config", "columns", "expected"),
    [
        ({}, TEXTS, "last_write_wins"),
        ({"op_mapping": CODES}, TEXTS, "last_write_wins"),
        ({"op_mapping": {"t": "TRUNCATE"}}, TEXTS, "partial_rows"),
        ({"soft_delete": "gone"}, TEXTS, "partial_rows"),
        ({"unavailable_value": ""}, TEXTS, "last_write_wins"),
        # its truncates
        ({"format": "debezium"}, NUMBERS, "partial_rows"),
        # its placeholder
        (WHOLE, TEXTS, "partial_rows"),
        (WHOLE, {}, "partial_rows"),
        (WHOLE, {"id": {"name": "id"}}, "partial_rows"),
        (WHOLE, NUMBERS, "last_write_wins"),
        ({**WHOLE, "payload_schema": "id int, tags array<int>"}, NUMBERS, "partial_rows"),
        ({**WHOLE, "payload_schema": "id int, price decimal(9, 2)"}, TEXTS, "last_write_wins"),
        ({**WHOLE, "unavailable_value": ""}, TEXTS, "last_write_wins"),
        # what its updates leave out
        ({"format": "wal2json", "op_mapping": CODES}, NUMBERS, "partial_rows"),
        ({"format": "wal2json", "op_mapping": CODES, "columns_not_sent": ""}, NUMBERS,
         "last_write_wins"),
        ({"format": "maxwell"}, TEXTS, "last_write_wins"),
        ({"format": "unknown"}, TEXTS, "last_write_wins"),
        ({"format": "debezium", "unique_key": None}, TEXTS, "multiset"),
    ],
)  # fmt: skip
def test_the_kernel_of_a_model(config, columns, expected):
    assert kernel(config, columns) == expected
