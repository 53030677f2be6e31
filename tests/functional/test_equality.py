"""Equality, hashes and texts of random types depend on values alone: not on the order of a map's
entries, the session's time zone or a number's spelling.

A failure names the type and its seed: DBT_CHANGELOG_SEED=.. DBT_CHANGELOG_TYPES=1 runs it alone.
"""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from pyspark.sql import SparkSession

from tests.unit.macros.render import Macros

from .changelogs import SEED
from .rendered import macros_in

TYPES = int(os.environ.get("DBT_CHANGELOG_TYPES", "0"))
ZONES = ["UTC", "Asia/Kathmandu", "America/Los_Angeles"]
SCALARS: dict[str, list[Any]] = {
    "int": [None, 0, 1, -1],
    "bigint": [None, 0, 2**40],
    "string": [None, "", "a", "a,b", '"', "null", "-0.0", "1.0E-7"],
    "binary": [None, b"", b"\x00", b"\x80", b"\xff"],
    "boolean": [None, True, False],
    "double": [None, 0.0, -0.0, 1.5, 1e-7, 1e300, float("nan"), float("inf")],
    "float": [None, 0.0, -0.0, 0.5],
    "decimal(38,20)": [None, Decimal(0), Decimal("1.23E-7"), Decimal("1.2300000000001E-7")],
    "decimal(9,2)": [None, Decimal("1.10"), Decimal("1.1"), Decimal("-3.05")],
    "date": [None, "2026-01-02", "0001-01-01"],
    "timestamp": [None, 0, 1, 1_767_323_045_000_001, -1],
    "timestamp_ntz": [None, "2026-01-02 03:04:05", "2026-01-02 03:04:05.000001"],
}
VARIANTS = ["{}", '{"a":1,"b":2}', '{"a":1.5,"b":[1,null]}', '"x"', "[1]", '{"a":null}']
NAMES = ["a", "b", "odd name", "dot.ted", "a:int", "x`y", "été", "select", "p,q"]


def random_type(random: Random, depth: int = 3, is_key: bool = False) -> Any:
    """A scalar's name, or (kind, parts); of a struct the parts are (name, type)."""
    kind = random.choice(["scalar", "struct", "array", "map", "variant"] if depth else ["scalar"])
    if is_key and kind in ("map", "variant"):
        kind = "scalar"
    if kind == "scalar":
        return random.choice(list(SCALARS))
    if kind == "variant":
        return kind
    if kind == "array":
        return kind, [random_type(random, depth - 1, is_key)]
    if kind == "map":
        key = random_type(random, min(depth - 1, 1), is_key=True)
        return kind, [key, random_type(random, depth - 1)]
    names = random.sample(NAMES, random.randint(1, 3))
    return kind, [(name, random_type(random, depth - 1, is_key)) for name in names]


def ddl(type_: Any) -> str:
    if isinstance(type_, str):
        return type_
    kind, parts = type_
    if kind == "struct":
        return f"struct<{', '.join(f'{quoted(name)}: {ddl(of)}' for name, of in parts)}>"
    return f"{kind}<{', '.join(ddl(part) for part in parts)}>"


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def random_value(random: Random, type_: Any, is_key: bool = False) -> Any:
    if type_ == "variant":
        return random.choice([None, *VARIANTS])
    if isinstance(type_, str):
        values = SCALARS[type_]
        return random.choice(values[1:] if is_key else values)
    kind, parts = type_
    if not is_key and random.random() < 0.15:
        return None
    if kind == "struct":
        return tuple(random_value(random, of) for _, of in parts)
    if kind == "array":
        return [random_value(random, parts[0]) for _ in range(random.randint(0, 3))]
    entries: dict[Any, Any] = {}
    for _ in range(random.randint(0, 3)):
        key = random_value(random, parts[0], is_key=True)
        entries.setdefault(identity(parts[0], key), (key, random_value(random, parts[1])))
    return {"entries": list(entries.values())}


def neighbour(random: Random, type_: Any, value: Any) -> Any:
    """A value that differs in one place of it, if at all."""
    if value is None or isinstance(type_, str) or random.random() < 0.2:
        return random_value(random, type_)
    kind, parts = type_
    if kind == "struct":
        at = random.randrange(len(parts))
        items = [neighbour(random, of, v) if n == at else v
                 for n, ((_, of), v) in enumerate(zip(parts, value, strict=True))]  # fmt: skip
        return tuple(items)
    if kind == "array":
        if not value or random.random() < 0.3:
            return [*value, random_value(random, parts[0])]
        at = random.randrange(len(value))
        return [*value[:at], neighbour(random, parts[0], value[at]), *value[at + 1 :]]
    return {"entries": [(k, neighbour(random, parts[1], v)) for k, v in value["entries"]]}


def identity(type_: Any, value: Any) -> Any:
    """Equal if and only if the values are."""
    if value is None:
        return None
    if isinstance(type_, str):
        if type_ == "variant":
            return "variant", json.dumps(json.loads(value), sort_keys=True)
        if type_ in ("double", "float") and value != value:
            return "nan"
        return value + 0.0 if type_ in ("double", "float") else value
    kind, parts = type_
    if kind == "struct":
        pairs = zip(parts, value, strict=True)
        return "struct", tuple(identity(of, item) for (_, of), item in pairs)
    if kind == "array":
        return "array", tuple(identity(parts[0], item) for item in value)
    entries = ((identity(parts[0], k), identity(parts[1], v)) for k, v in value["entries"])
    return "map", frozenset(entries)


def literal(random: Random, type_: Any, value: Any) -> str:
    """SQL for a value, in one of its spellings."""
    if value is None:
        return f"cast(null as {ddl(type_)})"
    if type_ == "variant":
        document = json.loads(value)
        if isinstance(document, dict):
            items = list(document.items())
            random.shuffle(items)
            document = dict(items)
        spelled = json.dumps(document)
        if random.random() < 0.5:
            spelled = spelled.replace("1,", "1.0,")
        return f"parse_json('{spelled}')"
    if isinstance(type_, str):
        return scalar(random, type_, value)
    kind, parts = type_
    if kind == "struct":
        items = [f"{text(name)}, {literal(random, of, item)}"
                 for (name, of), item in zip(parts, value, strict=True)]  # fmt: skip
        inner = f"named_struct({', '.join(items)})"
    elif kind == "array":
        inner = f"array({', '.join(literal(random, parts[0], item) for item in value)})"
    else:
        entries = list(value["entries"])
        random.shuffle(entries)
        pairs = [f"{literal(random, parts[0], k)}, {literal(random, parts[1], v)}"
                 for k, v in entries]  # fmt: skip
        inner = f"map({', '.join(pairs)})"
    return f"cast({inner} as {ddl(type_)})"


def scalar(random: Random, type_: str, value: Any) -> str:
    if type_ == "string":
        return text(value)
    if type_ == "binary":
        return f"X'{value.hex()}'"
    if type_ == "timestamp":
        zone = timezone(timedelta(hours=random.choice([-8, 0, 5])))
        instant = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=value)
        return f"timestamp'{instant.astimezone(zone).isoformat(' ')}'"
    if type_ in ("date", "timestamp_ntz"):
        return f"{type_}'{value}'"
    if type_ in ("double", "float") and value == 0:
        return f"cast('{random.choice(['0.0', '-0.0'])}' as {type_})"
    return f"cast('{value}' as {type_})"


def text(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


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


@pytest.mark.parametrize(
    "part", [0, *(pytest.param(n, marks=pytest.mark.thorough) for n in range(1, 8))]
)
def test_equal_values_and_only_they_are_equal(spark, part):
    macros = macros_in(spark)
    for number in range(TYPES or 20):
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
        columns = {"compared": [column], "payload": ["v"], "uncompared": []}
        values = f"select n, 0 as side, a as v from ({rows}) union all select n, 1, b from ({rows})"
        self.each = (
            f"select n, xxhash64(isnull(v), {macros.hashable_sql('v', column)}) as hash,"
            f" {macros.image_text_sql(columns)} as text,"
            f" UNKNOWN as unknown from ({values}) order by n, side"
        )
        self.unknown = macros.equal_text_sql({"where": "a test"}, "struct(v)")

    def run(self, spark: SparkSession, with_unknown: bool) -> list[tuple[bool, Any, Any]]:
        each = self.each.replace("UNKNOWN", self.unknown if with_unknown else "''")
        values = [row.asDict() for row in spark.sql(each).collect()]
        equal = [row[1] for row in spark.sql(self.equal).collect()]
        return list(zip(equal, values[::2], values[1::2], strict=True))
