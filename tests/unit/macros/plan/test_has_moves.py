import pytest

from ..plans import DEBEZIUM, ROW, Model

IMAGES = {"op_mapping": DEBEZIUM, "before": "before", "after": "after"}
COLUMNS = {"op": "string", "before": ROW, "after": ROW, "lsn": "bigint"}


@pytest.mark.parametrize(
    ("config", "before", "expected"),
    [
        (IMAGES, ROW, True),
        (IMAGES, {"ID": "int", "name": "string"}, True),
        (IMAGES, {"name": "string"}, False),
        ({**IMAGES, "op_mapping": {"c": "INSERT", "d": "DELETE"}}, ROW, False),
        ({**IMAGES, "before": None}, ROW, False),
        ({**IMAGES, "before": "after"}, ROW, False),
    ],
)
def test_model(config, before, expected):
    assert Model(config, {**COLUMNS, "before": before}).plan()["moves"] is expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({**IMAGES, "unique_key": "id", "sequence_by": "lsn"}, True),
        (IMAGES, False),
        ({"unique_key": "id", "sequence_by": "lsn"}, False),
    ],
)
def test_macro(macros, given, expected):
    assert macros.decode_plan("from_changelog(...)", given)["moves"] is expected
