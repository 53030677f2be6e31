import pytest
from dbt.adapters.spark.relation import SparkRelation

MAPPED = {"delta.columnMapping.mode": "name"}


@pytest.mark.parametrize(
    ("name", "type_", "needed"),
    [
        ("id", "decimal(10,2)", {}),
        ("a b", "int", MAPPED),
        ("a`;`b", "int", MAPPED),
        ("s", "struct<a:decimal(10,2),b:map<string,int>>", {}),
        ("s", "struct<`a.b`:decimal(10,2),`c`:map<string,int>>", {}),
        ("s", "struct<`a``b`:int,`c``d`:int>", {}),
        ("s", "struct<`a`:array<struct<`c=d`:int>>>", MAPPED),
    ],
)
def test_only_delta_needs_a_property_for_odd_names(macros, name, type_, needed):
    columns = [{"name": "x", "type": "int"}, {"name": name, "type": type_}]
    assert macros.required_properties("delta", columns) == needed
    assert macros.required_properties("iceberg", columns) == {}


@pytest.mark.parametrize(("schema", "target"), [("a", "a"), ("cat.a", "a"), ("cat.a.b", "a.b")])
def test_the_new_name_has_no_catalog(macros, schema, target):
    old, new = (SparkRelation.create(schema=schema, identifier=name) for name in ("t", "t2"))
    assert macros.rename_table_sql(old, new) == f"alter table {schema}.t rename to {target}.t2"


def test_a_table_beside_a_models_own_has_its_place_and_not_its_layout(macros):
    place = {"file_format": "delta", "location_root": "/data"}
    layout = {"partition_by": ["`id`"], "cluster_by": ["id"], "properties": {"a": "b"}}
    none = {"partition_by": [], "cluster_by": [], "properties": {}}
    assert macros.sibling_storage({**place, **layout}) == {**place, **none}


VECTORS = "delta.enableDeletionVectors"


@pytest.mark.parametrize(
    ("file_format", "properties", "mark"),
    [
        ("delta", {}, (VECTORS, "true")),
        ("delta", {VECTORS: "false"}, (VECTORS, "false")),
        ("delta", {"delta.enableIcebergCompatV2": "false"}, (VECTORS, "true")),
        ("delta", {"delta.enableIcebergCompatV2": True}, (VECTORS, None)),
        ("delta", {"delta.universalFormat.enabledFormats": "iceberg"}, (VECTORS, None)),
        ("iceberg", {}, ("write.merge.mode", "merge-on-read")),
        ("iceberg", {"write.merge.mode": "copy-on-write"}, ("write.merge.mode", "copy-on-write")),
        ("iceberg", {"format-version": 1}, ("write.merge.mode", None)),
        ("parquet", {}, (VECTORS, None)),
    ],
)
def test_a_state_marks_rows_where_it_may(macros, file_format, properties, mark):
    storage = {"file_format": file_format, "properties": properties}
    name, value = mark
    found = macros.state_storage(storage)["properties"]
    assert found.get(name) == value
    assert found | properties == found
