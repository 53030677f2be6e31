"""Our macros in a real Spark without dbt: for what is said of one macro call."""

from __future__ import annotations

import agate
from pyspark.sql import SparkSession

from tests.unit.macros.render import Macros, Warehouse, table


class SparkWarehouse(Warehouse):
    """Spark itself answers."""

    def __init__(self, spark: SparkSession) -> None:
        super().__init__()
        self.spark = spark

    def run_query(self, sql: str) -> agate.Table:
        found = self.spark.sql(sql)
        return table([tuple(row) for row in found.collect()], found.columns)


def macros_in(spark: SparkSession) -> Macros:
    return Macros(SparkWarehouse(spark))
