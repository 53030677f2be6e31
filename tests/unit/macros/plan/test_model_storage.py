import pytest

from ..plans import FLAT, WHERE, Model


def storage(**config):
    return Model(config, FLAT).plan()["storage"]


def test_defaults():
    assert storage() == {
        **{"file_format": "delta", "partition_by": [], "cluster_by": []},
        **{"location_root": None, "properties": {}},
    }


def test_given():
    assert storage(partition_by="NAME", location_root="/lake/", tblproperties={"a": "b"}) == {
        **{"file_format": "delta", "partition_by": ["`name`"], "cluster_by": []},
        **{"location_root": "/lake", "properties": {"a": "b"}},
    }
    assert storage(clustered_by=["id", "Name"])["cluster_by"] == ["id", "name"]
    assert storage(liquid_clustered_by="name")["cluster_by"] == ["name"]
    iceberg = storage(file_format="iceberg", partition_by="bucket(4, ID)")
    assert iceberg["partition_by"] == ["bucket(4, `id`)"]


@pytest.mark.parametrize(
    ("argument", "config"),
    [
        ("partition_by", {"partition_by": "day"}),
        ("clustered_by", {"clustered_by": ["day"]}),
        ("clustered_by", {"partition_by": "id", "clustered_by": "id"}),
        ("liquid_clustered_by", {"partition_by": "id", "liquid_clustered_by": "id"}),
        ("buckets", {"clustered_by": "id", "buckets": 4}),
        ("file_format", {"file_format": "csv"}),
        ("clustered_by", {"file_format": "iceberg", "clustered_by": "id"}),
        ("buckets", {"file_format": "iceberg", "buckets": 4}),
    ],
)
def test_refused(invalid, argument, config):
    with invalid(argument):
        storage(**config)


NAMES = ["id", "Day", "days(id)"]


@pytest.mark.parametrize(
    ("file_format", "item", "sql"),
    [
        ("delta", "DAY", "`Day`"),
        ("iceberg", "day", "`Day`"),
        ("iceberg", "bucket(16, ID)", "bucket(16, `id`)"),
        ("iceberg", "truncate(4,id)", "truncate(4, `id`)"),
        ("iceberg", "months(day)", "months(`Day`)"),
        ("iceberg", "days(id)", "`days(id)`"),
    ],
)
def test_partitions(macros, file_format, item, sql):
    assert macros._partition_sql(WHERE, file_format, item, NAMES) == sql


@pytest.mark.parametrize(
    ("file_format", "item"),
    [
        ("iceberg", "bucket(id)"),
        ("iceberg", "days(4, id)"),
        ("iceberg", "bucket(4, nobody)"),
        ("iceberg", "sort(id)"),
    ],
)
def test_no_partition(invalid, macros, file_format, item):
    with invalid("partition_by", "is not in the input"):
        macros._partition_sql(WHERE, file_format, item, NAMES)


def test_a_format_without_transforms_says_so(invalid, macros):
    with invalid("partition_by", "a table of Delta is partitioned by columns alone"):
        macros._partition_sql(WHERE, "delta", "bucket(16, id)", NAMES)
