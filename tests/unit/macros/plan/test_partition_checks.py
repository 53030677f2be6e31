import pytest

from ..logs import Log
from ..plans import FLAT, KEYLESS, STRICT, Model

COLUMNS = {**FLAT, "at": "timestamp", "body": "binary", "day": "date"}
LOST = "`name` in ('', '__HIVE_DEFAULT_PARTITION__')"


def checks(**config):
    return Model(config, COLUMNS).plan()["partition_checks"]


def test_values_that_delta_does_not_keep():
    name, at = checks(partition_by=["NAME", "at", "day", "id"])
    assert name == {
        "name": "name",
        "sql": f"_row_kind in ('INSERT', 'UPDATE_AFTER')\n      and {LOST}",
    }
    assert at["sql"].endswith(" or cast(cast(`at` as string) as timestamp) <> `at`)")


@pytest.mark.parametrize(
    "config",
    [{"unique_key": ["id", "name"]}, {**KEYLESS, "read": STRICT}],
)
def test_a_column_that_every_row_has_is_always_checked(config):
    assert checks(partition_by="name", **config) == [{"name": "name", "sql": LOST}]


def test_nothing_to_check():
    assert checks() == []
    assert checks(partition_by=["name", "body"], file_format="iceberg") == []


def test_binary(invalid):
    with invalid("partition_by", "column 'body' is binary"):
        checks(partition_by="body")


def test_a_log():
    plan = Log({"partition_by": ["op", "name"]}, {"id": "int", "name": "string"}).plan()
    assert [check["sql"] for check in plan["partition_checks"]] == [
        "`op` in ('', '__HIVE_DEFAULT_PARTITION__')",
        LOST,
    ]
