from dataclasses import replace

import pytest

from ..plans import CASES, DEBEZIUM, ROW, Model, macros_of


def image_sql(side, before, after):
    config = {"op_mapping": DEBEZIUM, "before": "before", "after": "after"}
    model = Model(config, {"op": "string", "before": before, "after": after, "lsn": "bigint"})
    return macros_of(model)._image_sql(model.plan(), side)


@pytest.mark.parametrize("side", ["before", "after"])
def test_taken_as_it_is(side):
    assert image_sql(side, ROW, ROW) == f"`{side}`"


@pytest.mark.parametrize(
    ("before", "fields"),
    [
        ({"id": "int"}, "'id', `before`.`id`, 'name', null"),
        ({"name": "string", "id": "int"}, "'id', `before`.`id`, 'name', `before`.`name`"),
        ({"ID": "int", "Name": "string"}, "'id', `before`.`ID`, 'name', `before`.`Name`"),
    ],
)
def test_written_anew_in_the_order_of_the_payload(before, fields):
    text = image_sql("before", before, ROW)
    assert text == f"if(`before` is null, null, named_struct({fields}))"


def test_field_that_only_the_before_image_has():
    after = "'id', `after`.`id`, 'name', `after`.`name`, 'tax', null"
    assert f"named_struct({after})" in image_sql("after", {**ROW, "tax": "int"}, ROW)


def test_unknown_columns(macros):
    plan = {"columns": None, "before": "be`fore"}
    assert macros._image_sql(plan, "before") == "`be``fore`"


MOVED = "coalesce(_dbtc_image.`id`, `after`.`id`)"


@pytest.mark.parametrize(
    ("case", "name", "sql"),
    [
        ("images", "id", f"if(_dbtc_image is null, `after`.`id`, {MOVED})"),
        (
            "partial_delete",
            "id",
            "if(_dbtc_image is null, coalesce(`after`.`id`, `id`), _dbtc_image.`id`)",
        ),
    ],
)
def test_key_of_a_partial_delete(case, name, sql):
    model = CASES[case]
    assert macros_of(model).image_key_sql(model.plan(), name) == sql


@pytest.mark.parametrize(
    "model",
    [
        CASES["key_change"],
        replace(CASES["images"], config={**CASES["images"].config, "consume_full_deletes": True}),
    ],
)
def test_key_of_a_move_without_a_delete_code(model):
    assert macros_of(model).image_key_sql(model.plan(), "id") == MOVED
