"""Equality, hashes and texts of random types depend on values alone: not on the order of a map's
entries, the session's time zone or a number's spelling.

A failure names the type and its seed: DBT_CHANGELOG_SEED=.. DBT_CHANGELOG_TYPES=1 runs it alone.
"""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.unit.macros.render import Macros

from .changelogs import SEED
from .random_types import (
    NAMES,
    ddl,
    identity,
    literal,
    neighbour,
    quoted,
    random_type,
    random_value,
)
from .rendered import macros_in

TYPES = int(os.environ.get("DBT_CHANGELOG_TYPES", "0"))
ZONES = ["UTC", "Asia/Kathmandu", "America/Los_Angeles"]


def is_odd(type_: Any) -> bool:
    """Rows of columns that are not known are compared as JSON, which can't spell all of them."""
    text_of = ddl(type_)
    has_names = any(quoted(name) in text_of for name in NAMES if not name.isidentifier())
    return (
        "map<binary" in text_of
        or "map<struct" in text_of
        or "map<array" in text_of
        or (has_names and "decimal(38,20)" in text_of)
    )


@pytest.mark.thorough
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(1, 25))]
)
def test_equal_values_and_only_they_are_equal(spark, part):
    macros = macros_in(spark)
    for number in range(TYPES or 6):
        seed = SEED + part * 1000 + number
        random = Random(seed)
        type_ = random_type(random)
        values = [random_value(random, type_) for _ in range(6)]
        pairs = [(value, value) for value in values]
        pairs += [(value, neighbour(random, type_, value)) for value in values * 2]
        rows = " union all ".join(
            f"select {n} as n, {literal(random, type_, a)} as a, {literal(random, type_, b)} as b"
            for n, (a, b) in enumerate(pairs)
        )
        query = Query(macros, rows)
        expected = [identity(type_, a) == identity(type_, b) for a, b in pairs]
        about = f"DBT_CHANGELOG_SEED={seed} DBT_CHANGELOG_TYPES=1, {ddl(type_)}"
        in_zones = []
        for zone in ZONES:
            spark.conf.set("spark.sql.session.timeZone", zone)
            try:
                in_zones.append(query.run(spark, with_unknown=not is_odd(type_)))
            finally:
                spark.conf.set("spark.sql.session.timeZone", "UTC")
        for n, is_equal in enumerate(expected):
            equal, ours, theirs = in_zones[0][n]
            shown = f"{about}\n{literal(random, type_, pairs[n][0])}\n{ours}\n{theirs}"
            assert equal == is_equal, shown
            assert (ours["hash"] == theirs["hash"]) == is_equal, shown
            assert ours["text"] == theirs["text"] or not is_equal, shown
            assert (ours["unknown"] == theirs["unknown"]) == is_equal or is_odd(type_), shown
        assert in_zones[0] == in_zones[1] == in_zones[2], about


class Query:
    """What the macros say of pairs of values: `rows` is a query of n, a, b."""

    def __init__(self, macros: Macros, rows: str) -> None:
        column = macros.describe_columns(f"select a as v from ({rows})")[0]
        a, b = (macros.comparable_sql(side, column) for side in ("a", "b"))
        self.equal = f"select n, {a} <=> {b} from ({rows}) order by n"
        values = f"select n, 0 as side, a as v from ({rows}) union all select n, 1, b from ({rows})"
        plan = {"compared": [column], "payload": ["v"], "uncompared": []}
        self.each = (
            f"select n, xxhash64(isnull(v), {macros.hashable_sql('v', column)}) as hash,"
            f" {macros.image_text_sql(plan)} as text,"
            f" UNKNOWN as unknown from ({values}) order by n, side"
        )
        self.unknown = macros.equal_text_sql({"where": "a test"}, "struct(v)")

    def run(self, spark: SparkSession, with_unknown: bool) -> list[tuple[bool, Any, Any]]:
        each = self.each.replace("UNKNOWN", self.unknown if with_unknown else "''")
        values = [row.asDict() for row in spark.sql(each).collect()]
        equal = [row[1] for row in spark.sql(self.equal).collect()]
        return list(zip(equal, values[::2], values[1::2], strict=True))
