import pytest
from dbt.adapters.spark.relation import SparkRelation


@pytest.mark.parametrize(("schema", "target"), [("a", "a"), ("cat.a", "a"), ("cat.a.b", "a.b")])
def test_the_new_name_has_no_catalog(macros, schema, target):
    old, new = (SparkRelation.create(schema=schema, identifier=name) for name in ("t", "t2"))
    assert macros.rename_table_sql(old, new) == f"alter table {schema}.t rename to {target}.t2"
