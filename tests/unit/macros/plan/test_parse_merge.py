import pytest

from ..plans import FLAT, KEYLESS, STRICT, Model

ON_READ = {"merge": "on_read", "read": STRICT}
KINDS = {"c": "INSERT", "u": "UPDATE_AFTER", "d": "DELETE"}


def test_a_share_of_the_keys():
    assert Model(ON_READ, FLAT).plan()["compact_above"] == 0.2
    assert Model({**ON_READ, "compact_above": 2}, FLAT).plan()["compact_above"] == 2
    assert Model(ON_READ, FLAT).plan()["kernel"] == "merge_on_read"
    assert Model({}, FLAT).plan()["compact_above"] is None


@pytest.mark.parametrize("value", [0, -1, "0.1", True])
def test_no_share_of_the_keys(invalid, value):
    with invalid("compact_above", "is no share of the keys"):
        Model({**ON_READ, "compact_above": value}, FLAT).plan()


def test_a_share_of_what_is_not_appended(invalid):
    with invalid("compact_above", "nothing is appended"):
        Model({"compact_above": 0.1}, FLAT).plan()


@pytest.mark.parametrize(
    ("config", "why"),
    [
        (KEYLESS, "no greatest row of a key"),
        ({"ignore_null_updates": True}, "put together from the events"),
        ({"soft_delete": "is_deleted"}, "put together from the events"),
        ({"op_mapping": {**KINDS, "t": "TRUNCATE"}}, "put together from the events"),
        ({"stored_as_scd_type": 2}, "each version of a key"),
        ({"on_conflict": "DEDUPLICATE"}, "with on_conflict"),
        ({"file_format": "parquet"}, "each run writes a new state on Parquet"),
        ({"read": "full"}, "would append all"),
    ],
)
def test_rows_that_are_not_the_last_change_of_their_key(invalid, config, why):
    with invalid("merge", why):
        Model({**ON_READ, **config}, FLAT).plan()


def test_a_group(invalid):
    group = {"name": "shop", "transaction": "tx"}
    with invalid("merge", "the views of a consistent group"):
        Model({**ON_READ, "consistent_group": group}, FLAT).plan()


def test_no_such_merge(invalid):
    with invalid("merge"):
        Model({"merge": "on_demand"}, FLAT).plan()
