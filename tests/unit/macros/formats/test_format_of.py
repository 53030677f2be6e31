import pytest


@pytest.mark.parametrize(
    ("type_", "stored"),
    [
        ("smallint", "int"),
        ("map<tinyint,array<smallint>>", "map<int,array<int>>"),
        ("struct<smallint:bigint,a:tinyint>", "struct<smallint:bigint,a:int>"),
        ("decimal(10,2)", "decimal(10,2)"),
    ],
)
def test_types(macros, type_, stored):
    assert macros.stored_type("iceberg", type_) == stored
    assert macros.stored_type("delta", type_) == type_
