"""Random types, values of them in many spellings, and which values are equal: in plain Python."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from random import Random
from typing import Any

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
# what JSON has no type for, in spellings of one value
TIMES = {
    '{"t":"2026-01-02 03:04:05.000001+00:00"}': [
        "to_variant_object(named_struct('t', timestamp'2026-01-02 03:04:05.000001Z'))",
        "to_variant_object(named_struct('t', timestamp'2026-01-02 08:49:05.000001+05:45'))",
    ],
    '{"t":"2026-01-02 03:04:05+00:00"}': [
        "to_variant_object(named_struct('t', timestamp'2026-01-02 03:04:05Z'))",
        "to_variant_object(named_struct('t', timestamp'2026-01-01 19:04:05-08:00'))",
    ],
    '"2026-01-02 00:00:00+00:00"': ["cast(timestamp'2026-01-02 00:00:00Z' as variant)"],
    '"2026-01-02 00:00:00"': ["cast(timestamp_ntz'2026-01-02 00:00:00' as variant)"],
    '{"d":["2026-01-02",null]}': [
        "to_variant_object(named_struct('d', array(date'2026-01-02', null)))"
    ],
}
EPOCH, MICROSECOND = datetime(1970, 1, 1, tzinfo=timezone.utc), timedelta(microseconds=1)
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
        return random.choice([None, *VARIANTS, *TIMES])
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
            return "variant", json.dumps(json.loads(value, parse_float=_number), sort_keys=True)
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


def _number(text_of: str) -> float:
    """1.0 is 1."""
    number = float(text_of)
    return int(number) if number.is_integer() else number


def literal(random: Random, type_: Any, value: Any) -> str:
    """SQL for a value, in one of its spellings."""
    if value is None:
        return f"cast(null as {ddl(type_)})"
    if type_ == "variant" and value in TIMES:
        return random.choice(TIMES[value])
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
        instant = EPOCH + value * MICROSECOND
        return f"timestamp'{instant.astimezone(zone).isoformat(' ')}'"
    if type_ in ("date", "timestamp_ntz"):
        return f"{type_}'{value}'"
    if type_ in ("double", "float") and value == 0:
        return f"cast('{random.choice(['0.0', '-0.0'])}' as {type_})"
    return f"cast('{value}' as {type_})"


def text(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def read_sql(place: str, type_: Any, depth: int = 0) -> str:
    """A value with maps as their entries: PySpark could not hash the keys of some."""
    if "map<" not in ddl(type_):
        return place
    kind, parts = type_
    item = f"item_{depth}"
    if kind == "struct":
        each = (f"{text(n)}, {read_sql(f'{place}.{quoted(n)}', of, depth)}" for n, of in parts)
        return f"if({place} is null, null, named_struct({', '.join(each)}))"
    inner = [read_sql(f"{item}.{half}", of, depth + 1)
             for half, of in zip(("key", "value"), parts, strict=False)]  # fmt: skip
    if kind == "map":
        return f"transform(map_entries({place}), {item} -> struct({', '.join(inner)}))"
    return f"transform({place}, {item} -> {read_sql(item, parts[0], depth + 1)})"


def read_identity(type_: Any, value: Any) -> Any:
    """The identity of a value as PySpark gives what read_sql reads."""
    return identity(type_, _as_written(type_, value))


def _as_written(type_: Any, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(type_, str):
        reads = {
            "binary": bytes,
            "variant": lambda found: found.toJson(),
            "date": lambda found: found.isoformat(),
            "timestamp_ntz": str,
            "timestamp": lambda found: (found.astimezone(timezone.utc) - EPOCH) // MICROSECOND,
        }
        return reads.get(type_, lambda found: found)(value)
    kind, parts = type_
    if kind == "struct":
        return tuple(_as_written(of, item) for (_, of), item in zip(parts, value, strict=True))
    if kind == "array":
        return [_as_written(parts[0], item) for item in value]
    pairs = ((_as_written(parts[0], k), _as_written(parts[1], v)) for k, v in value)
    return {"entries": list(pairs)}
