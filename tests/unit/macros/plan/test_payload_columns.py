import pytest

from ..plans import DEBEZIUM, ROW, Model

FLAT = {"op": "string", "id": "int", "name": "string", "lsn": "bigint", "_lsn": "bigint"}
IMAGES = {"op_mapping": DEBEZIUM, "before": "before", "after": "after"}


def images(before, after, **more):
    return {"op": "string", "before": before, "after": after, "lsn": "bigint", **more}


@pytest.mark.parametrize(
    ("sequence_by", "payload"),
    [
        ("lsn", ["id", "name", "lsn", "_lsn"]),
        ("_lsn", ["id", "name", "lsn"]),
        ("_LSN", ["id", "name", "lsn"]),
        (["lsn", "_lsn"], ["id", "name", "lsn"]),
        ("-_lsn", ["id", "name", "lsn", "_lsn"]),
    ],
)
def test_flat(sequence_by, payload):
    assert Model({"sequence_by": sequence_by}, FLAT).plan()["payload"] == payload


@pytest.mark.parametrize(
    ("before", "after", "payload"),
    [
        (ROW, ROW, ["id", "name"]),
        ({"id": "int"}, ROW, ["id", "name"]),
        ({"id": "int", "tax": "int"}, ROW, ["id", "name", "tax"]),
        ({"ID": "int", "NAME": "string"}, ROW, ["id", "name"]),
    ],
)
def test_images(before, after, payload):
    assert Model(IMAGES, images(before, after)).plan()["payload"] == payload


@pytest.mark.parametrize("name", ["_row_kind", "_SEQUENCE", "_ordinal", "_batch_id", "_position"])
def test_a_name_of_ours(invalid, name):
    with invalid("input", f"its column '{name}' has the name of a column that is generated"):
        Model({}, {**FLAT, name: "string"}).plan()


def test_no_column_at_all(invalid):
    with invalid("input", "it has no column besides the op column"):
        Model({"sequence_by": "_lsn"}, {"op": "string", "_lsn": "bigint"}).plan()


@pytest.mark.parametrize("name", ["name", "NAME"])
def test_passthrough_that_is_a_field(invalid, name):
    with invalid("passthrough", "is also a field of the images"):
        columns = images(ROW, ROW, **{name: "string"})
        Model({**IMAGES, "passthrough": [name]}, columns).plan()


def test_passthrough_without_images_changes_no_columns():
    assert (
        Model({"passthrough": ["name"]}, FLAT).plan()["payload"]
        == Model({}, FLAT).plan()["payload"]
    )


@pytest.mark.parametrize("name", ["_sequence", "_row_kind", "_IMAGE"])
def test_a_name_of_ours_beside_the_images(invalid, name):
    with invalid("input", f"its column '{name}' has the name of a column that is generated"):
        Model(IMAGES, images(ROW, ROW, **{name: "bigint"})).plan()


def test_the_sequence_of_a_changelog_without_images():
    columns = {"_row_kind": "string", "id": "int", "_sequence": "bigint"}
    plan = Model({"op": "_row_kind", "sequence_by": "_sequence"}, columns).plan()
    assert plan["payload"] == ["id"]
