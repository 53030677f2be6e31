import pytest

from ..plans import CASES, FLAT, KEYLESS, STRICT, Model


def test_stored_and_compared_columns():
    plan = CASES["passthrough"].plan()
    assert plan["compared"] == [{"name": "name", "type": "string", "parts": None}]
    assert [column["name"] for column in plan["state_columns"]] == ["_sequence", "id", "name", "ts"]


@pytest.mark.parametrize(
    "type_", ["map<int,int>", "variant", "interval day", "struct<a:map<int,int>>"]
)
def test_no_order(invalid, type_):
    with invalid("sequence_by", f"its type is {type_}, which has no order"):
        Model({}, {**FLAT, "lsn": type_}).plan()
    with invalid("unique_key", f"its type is {type_}, which has no order"):
        Model({}, {**FLAT, "id": type_}).plan()


@pytest.mark.parametrize("type_", ["string", "varchar(3)", "char(1)", "boolean"])
def test_op_types(type_):
    assert Model({}, {**FLAT, "op": type_}).plan()["op_type"] in ("string", "boolean")


@pytest.mark.parametrize("type_", ["int", "binary", "struct<a:int>"])
def test_no_op_type(invalid, type_):
    with invalid("op", f"column 'op' is {type_}"):
        Model({}, {**FLAT, "op": type_}).plan()


@pytest.mark.parametrize("key", [None, []])
@pytest.mark.parametrize("config", [{}, {"read": "full"}, {"read": STRICT}])
def test_each_event_is_read_once_or_all_are(key, config):
    plan = Model({**KEYLESS, "unique_key": key, **config}, FLAT).plan()
    assert plan["kernel"] == "multiset"


def test_a_column_that_is_not_strict(invalid):
    with invalid("read", "without unique_key each event counts, and lsn is read again"):
        Model({**KEYLESS, "read": {"column": "lsn"}}, FLAT).plan()


def test_a_changelog_without_a_position(invalid):
    with invalid("changelog", "without unique_key a changelog needs a position"):
        Model({**KEYLESS, "changelog": True}, FLAT).plan()


def test_a_key_reads_as_it_likes():
    for read in ("full", {"column": "lsn"}, STRICT):
        plan = Model({"read": read, "changelog": True}, FLAT).plan()
        assert plan["kernel"] == "last_write_wins"


@pytest.mark.parametrize("value", [0, -1, 1.5, "50", True])
def test_no_number_of_batches(invalid, value):
    with invalid("compact_every", "is not a number of batches"):
        Model({"compact_every": value}, FLAT).plan()


def test_parquet_has_nothing_to_compact(invalid):
    with invalid("compact_every", "each run writes a new state on Parquet"):
        Model({"compact_every": 5, "file_format": "parquet"}, FLAT).plan()
