import pytest

from ..plans import FLAT, Model


def storage(**config):
    return Model(config, FLAT).plan()["state"]


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
