import pytest

SIMPLE = ["int", "string", "decimal(10,2)", "timestamp", "double"]
ENTRIES = "array_sort(map_entries({}))"
TEXT = "to_json(parse_json(to_json({}, map('timeZone', 'UTC'))))"


def part(type_, name="a", parts=None):
    return {"name": name, "type": type_, "parts": parts}


def struct(*parts):
    return part("struct<..>", parts=list(parts))


def array(item):
    return part("array<..>", parts=[{**item, "name": "item"}])


def map_of(key, value):
    return part("map<..>", parts=[{**key, "name": "key"}, {**value, "name": "value"}])


TAGS = {**map_of(part("string"), part("int")), "name": "tags"}


@pytest.mark.parametrize(
    "column", [*map(part, SIMPLE), struct(part("int")), array(struct(part("int")))]
)
def test_most_types_compare_by_themselves(macros, column):
    assert macros.comparable_sql("`c`", column) == "`c`"


def test_maps_compare_by_their_sorted_entries(macros):
    assert macros.comparable_sql("`c`", TAGS) == ENTRIES.format("`c`")


def test_variants_compare_as_text(macros):
    assert macros.comparable_sql("`c`", part("variant")) == TEXT.format("`c`")


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        (
            struct(TAGS),
            f"if(`c` is null, null, struct({ENTRIES.format('`c`.`tags`')} as `tags`))",
        ),
        (array(TAGS), f"transform(`c`, item -> {ENTRIES.format('item')})"),
        (
            map_of(part("int"), TAGS),
            "array_sort(transform(map_entries(`c`), item -> "
            f"struct(item.key as key, {ENTRIES.format('item.value')} as value)))",
        ),
        (
            array(struct(part("variant", "extra"), {**TAGS, "name": "a`b"})),
            "transform(`c`, item -> if(item is null, null, "
            f"struct({TEXT.format('item.`extra`')} as `extra`, "
            f"{ENTRIES.format('item.`a``b`')} as `a``b`)))",
        ),
    ],
)
def test_what_is_inside_nested_types(macros, column, expected):
    assert macros.comparable_sql("`c`", column) == expected


@pytest.mark.parametrize("type_", SIMPLE)
def test_hash_of_simple_types(macros, type_):
    assert macros.hashable_sql("`c`", part(type_)) == "`c`"


def test_hash_of_nested_types_has_their_nulls_and_sizes(macros):
    assert macros.hashable_sql("c", struct(part("int"))) == "xxhash64(isnull(c.`a`), c.`a`)"
    assert macros.hashable_sql("c", array(part("int"))) == (
        "xxhash64(array_size(c), transform(c, item -> xxhash64(isnull(item), item)))"
    )
    assert "array_sort(transform(map_entries(c), item ->" in macros.hashable_sql("c", TAGS)


def test_a_text_has_all_of_a_timestamp_and_no_zone_of_a_session(macros):
    assert "HH:mm:ss.SSSSSSXXX" in macros.row_text_sql("struct(*)")
    assert "'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS'" in macros.row_text_sql("c")
    assert "'timeZone', 'UTC'" in macros.row_text_sql("c")


def test_a_text_knows_no_negative_zero(macros):
    plan = {"compared": [part("double", "x")], "payload": ["id", "x"], "uncompared": []}
    assert "struct(`id`, (`x` + cast(0 as double)) as `x`)" in macros.image_text_sql(plan)


def test_a_map_in_a_map_is_sorted_by_key_in_texts(macros):
    """The inner map is an object there, which has no order."""
    nested = map_of(part("int"), TAGS)
    found = macros.comparable_sql("`c`", nested, ["double"])
    assert "map_from_entries(" in found
    assert found.endswith("when left.key > right.key then 1 else 0 end)")
    assert "left.key" not in macros.comparable_sql("`c`", nested)
