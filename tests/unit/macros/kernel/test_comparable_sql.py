import pytest

NULLS = "map('ignoreNullFields', 'false')"


@pytest.mark.parametrize("type_", ["int", "string", "decimal(10,2)", "timestamp", "double"])
def test_simple_types_compare_by_themselves(macros, type_):
    assert macros.comparable_sql("`c`", type_) == "`c`"


@pytest.mark.parametrize("type_", ["struct<a:int>", "array<int>", "array<map<int,int>>", "variant"])
def test_nested_types_compare_as_text(macros, type_):
    assert macros.comparable_sql("`c`", type_) == f"to_json(struct(`c`), {NULLS})"


def test_maps_compare_by_their_sorted_entries(macros):
    text = macros.comparable_sql("`c`", "map<string,int>")
    assert text == f"to_json(struct(array_sort(map_entries(`c`))), {NULLS})"
