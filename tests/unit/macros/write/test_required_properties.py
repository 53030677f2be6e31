import pytest

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
