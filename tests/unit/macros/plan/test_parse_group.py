import pytest

from ..groups import GROUP, MEMBERS, Group, member, runs_of
from ..plans import CASES, FLAT, WHERE, Model

STRICT = {"column": "lsn", "strict": True}
MODEL = CASES["grouped"]


def model(**config):
    return Model({**MODEL.config, **config}, FLAT)


def test_a_group_has_its_members_in_one_order():
    run = runs_of(MODEL, Group()).plan()
    assert run.plan["group"] == {
        **{"name": "shop", "transaction": "tx", "ends": None, "column": "lsn"},
        **{"members": MEMBERS, "nodes": MEMBERS, "table": run.plan["group"]["table"]},
    }
    assert str(run.plan["group"]["table"]) == GROUP


def test_a_name_alone_is_a_group():
    config = {"consistent_group": "shop"}
    group = runs_of(model(**config), Group()).plan().plan["group"]
    assert (group["name"], group["transaction"]) == ("shop", None)


@pytest.mark.parametrize(
    ("value", "argument", "words"),
    [
        ("my shop", "consistent_group", "is no name"),
        ({"transaction": "tx"}, "consistent_group", "is no name"),
        ({"name": "shop", "transaction": 7}, "consistent_group.transaction", "is no expression"),
        ({"name": "shop", "ends": "is_end"}, "consistent_group.ends", "nothing tells"),
    ],
)
def test_what_is_no_group(invalid, value, argument, words):
    with invalid(argument, words):
        runs_of(model(consistent_group=value), Group()).plan()


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"file_format": "parquet"}, "a table of Parquet has none"),
        ({"read": None}, "this one reads all rows"),
        ({"read": {"column": "lsn"}}, "reads by lsn, which is not strict"),
        ({"watermark": "5 minutes"}, "may wait for different runs"),
        ({"adopt": True}, "of no position"),
    ],
)
def test_what_cannot_join(invalid, config, words):
    with invalid("consistent_group", words):
        given = model(**config)
        runs_of(given, Group()).macros().parse_group(WHERE, given.node)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"consistent_group": {"name": "shop"}}, "differ in transaction: here it is tx, and in"),
        ({"read": {**STRICT, "column": "seen"}}, "differ in read.column"),
        ({"file_format": "iceberg"}, "differ in file_format"),
    ],
)
def test_what_members_must_agree_on(invalid, config, words):
    with invalid("consistent_group", words):
        runs_of(MODEL, Group(), member(MODEL, "orders", **config)).plan()


def test_another_group_is_not_asked():
    other = member(MODEL, "orders", consistent_group="bank", file_format="iceberg")
    assert runs_of(MODEL, Group(), other).plan().plan["group"]["members"] == MEMBERS[:1]
