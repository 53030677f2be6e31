"""Types and values of the case files: as SQL, and as something that can be compared."""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass
from datetime import date, datetime, timezone
from decimal import Decimal
from typing import Any

from pyspark.sql import types as spark_types

# other systems' names of Spark's types
NAMES = {"row": "struct", "bytes": "binary", "integer": "int", "timestamp_ltz": "timestamp"}


@dataclass(frozen=True)
class Type:
    """A type of Spark. parts: a struct's fields; an array's element, a map's key and value."""

    name: str
    parameters: str = ""
    parts: tuple[tuple[str, Type], ...] = ()

    @property
    def sql(self) -> str:
        if self.name == "struct":
            fields = ", ".join(f"{quote(name)}: {part.sql}" for name, part in self.parts)
            return f"struct<{fields}>"
        if self.parts:
            return f"{self.name}<{', '.join(part.sql for _, part in self.parts)}>"
        return self.name + self.parameters


def quote(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def text_literal(text: str) -> str:
    # not `$`: Spark replaces ${..} in the whole of a statement, string literals included
    escapes = {"\\": "\\\\", "'": "\\'", "$": "\\u0024", "\n": "\\n", "\r": "\\r", "\0": "\\0"}
    return "'" + "".join(escapes.get(letter, letter) for letter in text) + "'"


# --- types --------------------------------------------------------------------------------------


def parse_type(text: str) -> Type:
    """'ROW<a INT, b ARRAY<STRING>>', 'STRUCT<a: INT>', 'DECIMAL(10,3) NOT NULL' -> Type.

    NOT NULL is left out: a table that Spark writes has only columns that may be NULL.
    """
    text = re.sub(r"\s+NOT NULL$", "", text.strip(), flags=re.I)
    name, _, inner = text.partition("<")
    head, _, parameters = name.strip().partition("(")
    head = head.strip().lower()
    if parameters and head.startswith("timestamp"):
        # only types with a precision are another system's; its plain TIMESTAMP has no time zone
        head, parameters = ("timestamp_ntz" if head == "timestamp" else head), ""
    head = NAMES.get(head, head)
    if not inner:
        digits = parameters.rstrip(")").replace(" ", "")
        return Type(head, f"({digits})" if digits else "")
    items = _split(inner.strip()[:-1])
    if head == "struct":
        return Type(head, parts=tuple(_field(item) for item in items))
    return Type(head, parts=tuple(("", parse_type(item)) for item in items))


def _split(text: str) -> list[str]:
    """Split at the commas that are outside of brackets and backquotes."""
    items, depth, quoted = [""], 0, False
    for letter in text:
        quoted ^= letter == "`"
        depth += 0 if quoted else (letter in "<(") - (letter in ">)")
        if letter == "," and depth == 0 and not quoted:
            items.append("")
        else:
            items[-1] += letter
    return [item.strip() for item in items]


def _field(text: str) -> tuple[str, Type]:
    if found := re.fullmatch(r"`((?:[^`]|``)*)`\s*:?\s*(.*)", text, re.S):
        return found[1].replace("``", "`"), parse_type(found[2])
    # a field of Spark has a colon after its name, which may hold blanks
    found = re.fullmatch(r"([^:<]+):(.*)", text, re.S) or re.fullmatch(r"(\S+)\s+(.*)", text, re.S)
    if not found:
        raise ValueError(f"not a field of a struct: {text}")
    return found[1].strip(), parse_type(found[2])


def type_of(kind: spark_types.DataType) -> Type:
    if isinstance(kind, spark_types.StructType):
        return Type("struct", parts=tuple((f.name, type_of(f.dataType)) for f in kind.fields))
    if isinstance(kind, spark_types.ArrayType):
        return Type("array", parts=(("", type_of(kind.elementType)),))
    if isinstance(kind, spark_types.MapType):
        return Type("map", parts=(("", type_of(kind.keyType)), ("", type_of(kind.valueType))))
    return parse_type(kind.simpleString())


# --- values -------------------------------------------------------------------------------------


def literal(value: Any, kind: Type) -> str:
    """A value of a case file as SQL of exactly that type."""
    if value is None:
        return f"cast(null as {kind.sql})"
    if kind.name == "struct":
        fields = (
            f"{text_literal(name)}, {literal(item, part)}"
            for (name, part), item in zip(kind.parts, value, strict=True)
        )
        return f"named_struct({', '.join(fields)})"
    if kind.name == "array":
        items = ", ".join(literal(item, kind.parts[0][1]) for item in value)
        return f"cast(array({items}) as {kind.sql})"
    if kind.name == "map":
        (_, key), (_, item) = kind.parts
        pairs = ", ".join(f"{literal(k, key)}, {literal(v, item)}" for k, v in value)
        return f"cast(map({pairs}) as {kind.sql})"
    if kind.name == "binary":
        return f"X'{value}'"
    if kind.name == "string":
        return text_literal(value)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return f"cast({text_literal(text)} as {kind.sql})"


def identity(value: Any, kind: Type) -> Any:
    """A value, of a case file or of Spark, as something that has equality and a hash.

    NaN equals NaN, 0.0 equals -0.0, decimals are compared by value and maps without an order.
    """
    if value is None:
        return None
    if kind.name == "struct":
        return tuple(identity(v, part) for v, (_, part) in zip(value, kind.parts, strict=True))
    if kind.name == "array":
        return tuple(identity(item, kind.parts[0][1]) for item in value)
    if kind.name == "map":
        (_, key), (_, item) = kind.parts
        pairs = value.items() if isinstance(value, dict) else value
        return frozenset((identity(k, key), identity(v, item)) for k, v in pairs)
    if kind.name in ("float", "double"):
        return _float_identity(float(value), kind)
    if kind.name == "decimal":
        return Decimal(value)
    if kind.name == "binary":
        return bytes.fromhex(value) if isinstance(value, str) else bytes(value)
    if kind.name == "date":
        return date.fromisoformat(value) if isinstance(value, str) else value
    if kind.name.startswith("timestamp"):
        return _parse_timestamp(value) if isinstance(value, str) else value
    return value


def _float_identity(value: float, kind: Type) -> Any:
    if value != value:
        return "NaN"
    if kind.name == "float":
        value = struct.unpack("f", struct.pack("f", value))[0]
    return value + 0.0


def _parse_timestamp(text: str) -> datetime:
    # Python 3.10 reads neither Z nor a fraction of other than 3 or 6 digits
    whole, dot, rest = text.replace("Z", "+00:00").partition(".")
    if dot:
        digits = re.match(r"\d+", rest)
        assert digits, text
        rest = digits[0].ljust(6, "0")[:6] + rest[digits.end() :]
    value = datetime.fromisoformat(whole + dot + rest)
    return value.astimezone(timezone.utc).replace(tzinfo=None) if value.tzinfo else value
