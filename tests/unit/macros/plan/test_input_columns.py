import pytest

from ..plans import DEBEZIUM, ROW, Model

FLAT = {"Op": "string", "Id": "int", "Name": "string", "Lsn": "bigint"}
IMAGES = {"OP": "string", "Old": ROW, "New": ROW, "LSN": "bigint", "Ts": "timestamp"}


def test_names_as_the_input_spells_them():
    model = Model({"op": "OP", "unique_key": "ID", "sequence_by": "LSN"}, FLAT)
    plan = model.plan()
    assert plan["op"] == "Op"
    assert plan["unique_key"] == ["Id"]
    assert plan["sequence_names"] == ["Lsn"]
    assert plan["sequence_by"] == ["`Lsn`"]
    assert plan["payload"] == ["Id", "Name", "Lsn"]


def test_images_as_the_input_spells_them():
    config = {"op": "op", "op_mapping": DEBEZIUM, "before": "old", "after": "new"}
    plan = Model({**config, "unique_key": ["ID"], "passthrough": ["ts"]}, IMAGES).plan()
    assert (plan["op"], plan["before"], plan["after"]) == ("OP", "Old", "New")
    assert plan["unique_key"] == ["id"]
    assert plan["passthrough"] == ["Ts"]
    assert plan["payload"] == ["id", "name"]


def test_flat_events_carry_a_column_where_it_stands():
    plan = Model({"op": "op", "sequence_by": "lsn", "passthrough": "NAME"}, FLAT).plan()
    assert plan["payload"] == ["Id", "Name", "Lsn"]
    assert plan["uncompared"] == ["Name"] and plan["passthrough"] == []
    assert [column["name"] for column in plan["compared"]] == ["Lsn"]


def test_without_a_key_a_row_is_all_of_its_columns():
    config = {"unique_key": None, "op_mapping": {"c": "INSERT"}, "passthrough": "name"}
    plan = Model({"op": "op", "sequence_by": "lsn", **config}, FLAT).plan()
    assert plan["uncompared"] == []
    assert [column["name"] for column in plan["compared"]] == ["Id", "Lsn", "Name"]


@pytest.mark.parametrize("name", ["id", "op", "gone"])
def test_what_a_flat_event_can_not_carry(invalid, name):
    with invalid("passthrough", f"column '{name}' is not in the input. Its columns are: Name, Lsn"):
        Model({"op": "op", "sequence_by": "lsn", "passthrough": name}, FLAT).plan()


@pytest.mark.parametrize(
    ("item", "names", "sql"),
    [
        ("lsn", ["Lsn"], "`Lsn`"),
        ("Id.x", [], "Id.x"),
        ("`Id`.`x`", [], "`Id`.`x`"),
        ("`odd.x`.y", [], "`odd.x`.y"),
        ("`a.b`", ["A.b"], "`A.b`"),
        ("-lsn", [], "-lsn"),
        ("cast(name as bigint)", [], "cast(name as bigint)"),
    ],
)
def test_sequence_is_a_column_or_an_expression(item, names, sql):
    plan = Model({"sequence_by": item}, {**FLAT, "A.b": "int", "odd.x": "struct<y:int>"}).plan()
    assert plan["sequence_names"] == names
    assert plan["sequence_by"] == [sql]


@pytest.mark.parametrize(
    ("argument", "config"),
    [
        ("op", {"op": "operation"}),
        ("unique_key", {"unique_key": ["id", "line"]}),
        ("unique_key", {"unique_key": "op"}),
        ("sequence_by", {"sequence_by": "ts"}),
        ("sequence_by", {"sequence_by": "source.lsn"}),
        ("sequence_by", {"sequence_by": ["lsn", "ts"]}),
        ("before", {"before": "old", "after": "new"}),
    ],
)
def test_not_in_the_input(invalid, argument, config):
    with invalid(argument, "is not in the input. Its columns are: "):
        Model({"sequence_by": "lsn", **config}, FLAT).plan()


def test_an_image_must_be_a_struct(invalid):
    with invalid("after", "column 'Name' is string, and an image is a struct"):
        Model({"after": "name"}, FLAT).plan()


def test_macro_takes_names_as_they_are(macros):
    given = {"op": "Op", "unique_key": "Id", "sequence_by": "source.lsn"}
    plan = macros.decode_plan("from_changelog(...)", given)
    assert (plan["op"], plan["unique_key"], plan["sequence_by"]) == ("Op", ["Id"], ["source.lsn"])
    assert plan["columns"] is None and plan["payload"] is None


EVENTS = {"op": "string", "id": "int", "name": "string", "lsn": "bigint", "_lsn": "bigint"}
TWO_SIDES = {"op_mapping": DEBEZIUM, "before": "before", "after": "after"}


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
    assert Model({"sequence_by": sequence_by}, EVENTS).plan()["payload"] == payload


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
    assert Model(TWO_SIDES, images(before, after)).plan()["payload"] == payload


@pytest.mark.parametrize(
    "name", ["_row_kind", "_SEQUENCE", "_ordinal", "_batch_id", "_position", "_dbtc_x", "_DBTC_x"]
)
def test_a_name_of_ours(invalid, name):
    with invalid("input", f"its column '{name}' has the name of a column that is generated"):
        Model({}, {**EVENTS, name: "string"}).plan()


def test_no_column_at_all(invalid):
    with invalid("input", "it has no column besides the op column"):
        Model({"sequence_by": "_lsn"}, {"op": "string", "_lsn": "bigint"}).plan()


@pytest.mark.parametrize("name", ["name", "NAME"])
def test_passthrough_that_is_a_field(invalid, name):
    with invalid("passthrough", "is also a field of the images"):
        columns = images(ROW, ROW, **{name: "string"})
        Model({**TWO_SIDES, "passthrough": [name]}, columns).plan()


def test_passthrough_without_images_changes_no_columns():
    assert (
        Model({"passthrough": ["name"]}, EVENTS).plan()["payload"]
        == Model({}, EVENTS).plan()["payload"]
    )


@pytest.mark.parametrize("name", ["_sequence", "_row_kind", "_dbtc_image"])
def test_a_name_of_ours_beside_the_images(invalid, name):
    with invalid("input", f"its column '{name}' has the name of a column that is generated"):
        Model(TWO_SIDES, images(ROW, ROW, **{name: "bigint"})).plan()


def test_the_sequence_of_a_changelog_without_images():
    columns = {"_row_kind": "string", "id": "int", "_sequence": "bigint"}
    plan = Model({"op": "_row_kind", "sequence_by": "_sequence"}, columns).plan()
    assert plan["payload"] == ["id"]
