import pytest

from ..plans import FLAT, KEYLESS, STRICT, Model


@pytest.mark.parametrize("key", [None, []])
@pytest.mark.parametrize("config", [{}, {"read": "full"}, {"read": STRICT}])
def test_each_event_is_read_once_or_all_are(key, config):
    plan = Model({**KEYLESS, "unique_key": key, **config}, FLAT).plan()
    assert (plan["kernel"], plan["counts_events"]) == ("multiset", True)


def test_a_column_that_is_not_strict(invalid):
    with invalid("read", "without unique_key each event counts, and lsn is read again"):
        Model({**KEYLESS, "read": {"column": "lsn"}}, FLAT).plan()


def test_a_changelog_without_a_position(invalid):
    with invalid("changelog", "without unique_key a changelog needs a position"):
        Model({**KEYLESS, "changelog": True}, FLAT).plan()


def test_a_key_reads_as_it_likes():
    for read in ("full", {"column": "lsn"}, STRICT):
        plan = Model({"read": read, "changelog": True}, FLAT).plan()
        assert (plan["kernel"], plan["counts_events"]) == ("last_write_wins", False)
