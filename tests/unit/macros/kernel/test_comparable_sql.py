import pytest

SIMPLE = ["int", "string", "decimal(10,2)", "timestamp", "double"]
TAGS = {"name": "tags", "type": "map<string,int>", "parts": None}
EXTRA = {"name": "extra", "type": "variant", "parts": None}
SORTED = "array_sort(map_entries({}))"


@pytest.mark.parametrize("type_", [*SIMPLE, "struct<a:int>", "array<struct<a:int>>"])
def test_most_types_compare_by_themselves(macros, type_):
    assert macros.comparable_sql("`c`", type_) == "`c`"


def test_maps_compare_by_their_sorted_entries(macros):
    assert macros.comparable_sql("`c`", "map<string,int>") == SORTED.format("`c`")


def test_variants_compare_as_text(macros):
    assert macros.comparable_sql("`c`", "variant") == "to_json(`c`)"


@pytest.mark.parametrize(
    ("type_", "parts", "expected"),
    [
        ("struct<..>", [TAGS], f"if(`c` is null, null, struct({SORTED.format('`c`.`tags`')}))"),
        ("array<..>", [TAGS], f"transform(`c`, item -> {SORTED.format('item')})"),
        (
            "map<..>",
            [{**TAGS, "name": "key", "type": "int"}, {**TAGS, "name": "value"}],
            "array_sort(transform(map_entries(`c`), item -> "
            f"struct(item.key, {SORTED.format('item.value')})))",
        ),
        (
            "array<..>",
            [{"name": "item", "type": "struct<..>", "parts": [EXTRA, {**TAGS, "name": "a`b"}]}],
            "transform(`c`, item -> if(item is null, null, struct(to_json(item.`extra`), "
            f"{SORTED.format('item.`a``b`')})))",
        ),
    ],
)
def test_what_is_inside_nested_types(macros, type_, parts, expected):
    assert macros.comparable_sql("`c`", type_, parts) == expected


@pytest.mark.parametrize("type_", SIMPLE)
def test_hash_of_simple_types(macros, type_):
    assert macros.hashable_sql("`c`", type_) == "`c`"


@pytest.mark.parametrize("type_", ["struct<a:int>", "array<int>", "map<string,int>"])
def test_hash_of_nested_types_is_that_of_their_text(macros, type_):
    comparable = macros.comparable_sql("`c`", type_)
    assert macros.hashable_sql("`c`", type_) == macros.row_text_sql(f"struct({comparable})")


def test_hash_of_floats_inside_nested_types_knows_no_negative_zero(macros):
    text = macros.row_text_sql("struct(`c`)")
    assert macros.hashable_sql("`c`", "array<double>") == f"to_json(parse_json({text}))"


def test_a_text_has_all_of_a_timestamp(macros):
    assert "HH:mm:ss.SSSSSSXXX" in macros.row_text_sql("struct(*)")
    assert "'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'" in macros.row_text_sql("c")
