import pytest

from ..plans import FLAT, WHERE, Model, answer_catalog, macros_of

DELTA = "org.apache.spark.sql.delta.catalog.DeltaCatalog"
ICEBERG = "org.apache.iceberg.spark.SparkCatalog"
BOTH = "org.apache.iceberg.spark.SparkSessionCatalog"


def check(file_format, implementation, schema="analytics"):
    model = Model({"file_format": file_format}, FLAT)
    macros = macros_of(model)
    answer_catalog(macros.warehouse, implementation)
    catalog = macros.catalog(schema)
    macros.check_file_format(WHERE, {**model.node, "schema": schema}, catalog)


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
            check(file_format, implementation)
        else:
            with invalid("file_format", "spark_catalog"):
                check(file_format, implementation)


def test_another_catalog(invalid):
    check("iceberg", ICEBERG, "lake.silver")
    # whoever made it knows what it is
    check("delta", "<undefined>", "lake.silver")
    for file_format in ("delta", "parquet"):
        with invalid("file_format", "the catalog lake holds iceberg tables: spark.sql.catalog.la"):
            check(file_format, ICEBERG, "lake.silver")


def test_the_settings_of_delta_are_named(invalid):
    with invalid("file_format", "spark.sql.catalog.spark_catalog is not set"):
        check("delta", "builtin")
