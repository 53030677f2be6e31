import pytest
from dbt.adapters.spark.relation import SparkRelation

from ..plans import CONTENTS, FLAT, WHERE, Model, answer_catalog, macros_of
from ..render import table


def check(contents_schema, *, relation=None, schema=CONTENTS.schema, catalog="", settings=()):
    config = {"contents_schema": contents_schema} if contents_schema is not None else {}
    model = Model(config, FLAT)
    macros = macros_of(model)
    found = [(catalog or "spark_catalog", schema)]
    macros.warehouse.answer("^show current", lambda: table(found, ["catalog", "namespace"]))
    for key in "type", "catalog-impl":
        value = dict(settings).get(key, "<undefined>")
        macros.warehouse.answer(
            rf"^set .*\.{key}`", lambda value=value: table([("key", value)], ["key", "value"])
        )
    relation = relation or SparkRelation.create(
        schema=contents_schema or schema, identifier="customers"
    )
    node = {**model.node, "schema": schema}
    macros.check_catalogs(WHERE, node, relation)
    relations = macros.model_tables(node, relation)["relations"]
    return {name: str(relations[name]) for name in ("contents", "state")}


def test_all_in_one_schema():
    assert check(None) == {
        "contents": "analytics.customers",
        "state": "analytics.customers__state",
    }


def test_contents_elsewhere():
    assert check("views", schema="lake.db", settings={"type": "hadoop"}) == {
        "contents": "views.customers",
        "state": "lake.db.customers__state",
    }


@pytest.mark.parametrize("settings", [{"type": "jdbc"}, {"type": "rest"}, {"catalog-impl": "My"}])
def test_catalogs_that_have_views(settings):
    assert check(None, schema="cat.db", settings=settings)["contents"] == "cat.db.customers"


GLUE = {"catalog-impl": "org.apache.iceberg.aws.glue.GlueCatalog"}


@pytest.mark.parametrize("settings", [{"type": "hadoop"}, {"type": "GLUE"}, GLUE])
@pytest.mark.parametrize(
    "place",
    [
        {"contents_schema": None, "schema": "cat.db"},
        {"contents_schema": None, "schema": "db", "catalog": "cat"},
        {"contents_schema": "cat.views"},
    ],
)
def test_catalogs_that_have_no_views(invalid, place, settings):
    with invalid("contents_schema", "has no views"):
        check(**place, settings=settings)


@pytest.mark.parametrize("value", ["", 7, ["a"]])
def test_not_a_schema(invalid, value):
    with invalid("contents_schema", "is not the name of a schema"):
        check(value, relation=CONTENTS)


def test_without_the_pip_module(invalid):
    with invalid("contents_schema", "ref() would look for the contents in analytics"):
        check("views", relation=CONTENTS)


DELTA = "org.apache.spark.sql.delta.catalog.DeltaCatalog"
ICEBERG = "org.apache.iceberg.spark.SparkCatalog"
BOTH = "org.apache.iceberg.spark.SparkSessionCatalog"


def check_format(file_format, implementation, schema="analytics"):
    model = Model({"file_format": file_format}, FLAT)
    macros = macros_of(model)
    answer_catalog(macros.warehouse, implementation)
    node = {**model.node, "schema": schema}
    macros.check_catalogs(WHERE, node, SparkRelation.create(schema=schema, identifier="it"))


@pytest.mark.parametrize(
    ("implementation", "formats"),
    [
        (DELTA, {"delta", "parquet"}),
        (BOTH, {"iceberg", "parquet"}),
        ("builtin", {"parquet"}),
        ("<undefined>", {"parquet"}),
        ("com.example.Catalog", {"delta", "iceberg", "parquet"}),
    ],
)
def test_what_the_sessions_catalog_holds(invalid, implementation, formats):
    for file_format in ("delta", "iceberg", "parquet"):
        if file_format in formats:
            check_format(file_format, implementation)
        else:
            with invalid("file_format", "spark_catalog"):
                check_format(file_format, implementation)


def test_another_catalog(invalid):
    check_format("iceberg", ICEBERG, "lake.silver")
    # whoever made it knows what it is
    check_format("delta", "<undefined>", "lake.silver")
    for file_format in ("delta", "parquet"):
        with invalid("file_format", "the catalog lake holds iceberg tables: spark.sql.catalog.la"):
            check_format(file_format, ICEBERG, "lake.silver")


def test_the_settings_of_delta_are_named(invalid):
    with invalid("file_format", "spark.sql.catalog.spark_catalog is not set"):
        check_format("delta", "builtin")
