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
        ("-lsn", [], "-lsn"),
        ("cast(name as bigint)", [], "cast(name as bigint)"),
    ],
)
def test_sequence_is_a_column_or_an_expression(item, names, sql):
    plan = Model({"sequence_by": item}, FLAT).plan()
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
