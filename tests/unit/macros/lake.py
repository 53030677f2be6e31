"""A warehouse that remembers what statements write: tables with their properties, and views.

It knows no rows: which batches a table has is read off the statements, and counters are given.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

import agate
from dbt.adapters.spark.relation import SparkRelation

from .render import Warehouse, table

TABLES = ["namespace", "tableName", "isTemporary"]
COLUMNS = ["col_name", "data_type", "comment"]
# a property of a table, as our statements write it; values are hex, numbers and plain words
PROPERTY = re.compile(r"^  '([^']+)' = '((?:[^'\\]|\\.)*)'", re.M)
MARKS = {
    "delta": {"delta.minReaderVersion": "1"},
    "iceberg": {"current-snapshot-id": "1", "format": "iceberg/parquet"},
}


@dataclass
class Table:
    columns: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    batches: set[int] = field(default_factory=set)


def described(columns: dict[str, str]) -> agate.Table:
    return table([(name, type_, None) for name, type_ in columns.items()], COLUMNS)


@dataclass
class Lake(Warehouse):
    """`layout`: the columns that a table of this name gets. `counts`: what statements count."""

    layout: Callable[[str], dict[str, str]] = field(default=lambda name: {})
    tables: dict[str, Table] = field(default_factory=dict)
    views: dict[str, str] = field(default_factory=dict)
    counts: dict[str, int | str | None] = field(default_factory=lambda: {"written": 1})
    # the watermark, in minutes of the first hour of 2024
    minutes: int = 0

    def load_relation(self, relation: SparkRelation) -> SparkRelation | None:
        name = str(relation)
        if name in self.views:
            return relation.incorporate(type="view")
        return relation.incorporate(type="table") if name in self.tables else None

    def answer_itself(self, sql: str) -> agate.Table | None:
        for pattern, does in STATEMENTS.items():
            if found := re.match(pattern, sql, re.S):
                return does(self, sql, *found.groups())
        return super().answer_itself(sql)

    def _names(self, names: Iterable[str], schema: str, like: str) -> agate.Table:
        pairs = [name.rsplit(".", 1) for name in names]
        likes = like.split("|")
        rows = [
            (at, name, False)
            for at, name in pairs
            if at == schema and any(fnmatchcase(name, like) for like in likes)
        ]
        return table(rows, TABLES)

    def _show_tables(self, sql: str, schema: str, like: str) -> agate.Table:
        return self._names([*self.tables, *self.views], schema, like)

    def _show_extended(self, sql: str, schema: str, like: str) -> agate.Table:
        """As Spark says it, as far as we read it."""
        found = []
        for at, name, _ in self._names([*self.tables, *self.views], schema, like).rows:
            view = self.views.get(f"{at}.{name}")
            told = f"Table: {name}\nProvider: {self._provider(f'{at}.{name}')}\n"
            if view:
                query = view.partition("\nas\n")[2].strip()
                told = f"Type: VIEW\nView Text: {query}\nView Original Text: {query}\n"
            found.append((at, name, False, "\n" + told))
        return table(found, [*TABLES, "information"])

    def _provider(self, name: str) -> str:
        marks = self.tables[name].properties if name in self.tables else {}
        return next((of for of, mark in MARKS.items() if mark.keys() & marks.keys()), "parquet")

    def _describe_extended(self, sql: str, name: str) -> agate.Table:
        found = self.tables.get(name) or Table({}, {})
        properties = ",".join(f"{key}={value}" for key, value in sorted(found.properties.items()))
        rows = [(column, type_, None) for column, type_ in found.columns.items()]
        rows += [("# Detailed Table Information", "", "")]
        rows += [("Table Properties", f"[{properties}]", "")]
        return table(rows, COLUMNS)

    def _show_views(self, sql: str, schema: str, like: str) -> agate.Table:
        return self._names(self.views, schema, like)

    def _show_create(self, sql: str, name: str) -> agate.Table:
        return table([(self.views[name],)], ["createtab_stmt"])

    def _properties(self, sql: str, name: str, key: str | None) -> agate.Table:
        found = self.tables[name].properties
        missing = f"Table {name} does not have property: {key}"
        rows = [(key, found.get(key, missing))] if key else sorted(found.items())
        return table(rows, ["key", "value"])

    def _describe(self, sql: str, name: str) -> agate.Table:
        return described(self.tables[name].columns)

    def _has_batch(self, sql: str, name: str, batch: str) -> agate.Table:
        return table([("1",)] if int(batch) in self.tables[name].batches else [], ["1"])

    def _greatest(self, sql: str, column: str, name: str) -> agate.Table:
        return table([(max(self.tables[name].batches, default=None),)], ["max"])

    def _create(self, sql: str, name: str) -> None:
        (file_format,) = re.findall(r"\nusing (\w+)", sql)
        properties = {**MARKS.get(file_format, {}), **dict(PROPERTY.findall(sql))}
        identifier = name.rsplit(".", 1)[-1]
        self.tables[name] = Table(self.layout(identifier), properties, _batches(sql))

    def _write(self, sql: str, name: str) -> None:
        self.tables[name].batches |= _batches(sql)

    def _set_properties(self, sql: str, name: str) -> None:
        self.tables[name].properties |= dict(PROPERTY.findall(sql))

    def _add_columns(self, sql: str, name: str, columns: str) -> None:
        for column, type_ in re.findall(r"`((?:[^`]|``)+)` ([^`]+?)(?:, (?=`)|$)", columns):
            self.tables[name].columns[column] = type_

    def _drop_columns(self, sql: str, name: str, columns: str) -> None:
        for column in re.findall(r"`((?:[^`]|``)+)`", columns):
            del self.tables[name].columns[column]

    def _widen_column(self, sql: str, name: str, column: str, type_: str) -> None:
        self.tables[name].columns[column] = type_

    def _rename(self, sql: str, name: str, new: str) -> None:
        self.tables[new] = self.tables.pop(name)

    def _create_view(self, sql: str, name: str) -> None:
        self.views[name] = sql

    def _drop(self, sql: str, name: str) -> None:
        del self.tables[name]

    def _mark(self, sql: str) -> agate.Table:
        """The source's time goes on by a minute whenever it is asked for."""
        self.minutes += 1
        return table([(f"2024-01-01 00:{self.minutes:02}:00.000000Z",)], ["_dbtc_mark"])

    def _count(self, sql: str, *_: Any) -> agate.Table:
        names = list(dict.fromkeys(re.findall(rf"\bas ({COUNTED})\b", sql)))
        row = tuple(self.counts.get(name, 0) for name in names)
        types = [agate.Text() if isinstance(count, str) else agate.Number() for count in row]
        return agate.Table([row], names, types)


def _batches(sql: str) -> set[int]:
    """The batches whose rows a statement writes."""
    return set(map(int, re.findall(r"cast\((\d+) as bigint\) as (?:_dbtc)?_batch_id", sql)))


COUNTED = r"rows_\w+|events_\w+|tombstones_\w+|truncates|values_unknown|written|newer_rows|codes"
COUNTED += "|appended|state_rows"
STATEMENTS: dict[str, Callable[..., agate.Table | None]] = {
    r"show table extended in (\S+) like '(.*)'$": Lake._show_extended,
    r"describe table extended (\S+)$": Lake._describe_extended,
    r"show tables in (\S+) like '(.*)'$": Lake._show_tables,
    r"show views in (\S+) like '(.*)'$": Lake._show_views,
    r"show create table (\S+)$": Lake._show_create,
    r"show tblproperties (\S+)(?: \('(.*)'\))?$": Lake._properties,
    r"describe query select \* from (\w[^\s(]*)$": Lake._describe,
    r"select 1 from (\S+) where _batch_id = (\d+) limit 1$": Lake._has_batch,
    r"select max\((_?batch_id)\) from (\S+)": Lake._greatest,
    r"create (?:or replace )?table (\S+)\n": Lake._create,
    r"create or replace view (\S+)\n": Lake._create_view,
    r"insert into (\S+) ": Lake._write,
    r"merge into (\S+) ": Lake._write,
    r"alter table (\S+) set tblproperties ": Lake._set_properties,
    r"alter table (\S+) add columns \((.*)\)$": Lake._add_columns,
    r"alter table (\S+) drop columns \((.*)\)$": Lake._drop_columns,
    r"alter table (\S+) alter column `(.*)` type (.*)$": Lake._widen_column,
    r"alter table (\S+) rename to (\S+)$": Lake._rename,
    r"drop table (?:if exists )?(\S+)$": Lake._drop,
    r"with\b.*\bas _dbtc_mark\b": Lake._mark,
    r"select 1 from (\S+) where _dbtc_batch_id = (\d+) limit 1$": Lake._has_batch,
    rf"(?:with|select)\b.*\bas (?:{COUNTED})\b": Lake._count,
}
