"""Our macros without a project and without Spark, as Python functions.

The Jinja is dbt's own, with one difference: a name or a field that is not there is an error, where
dbt renders nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache, cached_property, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import agate
import jinja2
from dbt.adapters.spark.relation import SparkRelation
from dbt.context.base import BaseContext
from dbt.context.providers import ModelContext
from dbt.include.global_project import PACKAGE_PATH as GLOBAL_PROJECT
from dbt.include.spark import PACKAGE_PATH as SPARK_PROJECT
from dbt_common.clients.jinja import extract_toplevel_blocks, get_environment
from dbt_common.exceptions.macros import MacroReturn
from jinja2 import meta, nodes

from tests.frozen import MAKERS, frozen

ROOT = Path(__file__).resolve().parents[3]
PACKAGE = "dbt_changelog"
BLOCKS = {"macro", "test", "materialization"}

# what modules.datetime.datetime.now() gives
NOW = datetime.fromisoformat("2026-01-02T03:04:05+00:00")

# what a step or a guard may lack, as run_program.sql and guards.sql say
OPTIONAL = {"guards", "counts", "warns", "ends", "always", "undo", "may_fail", "finds", "runs"}


class Undefined(jinja2.StrictUndefined):
    """An error, but for the question whether a step has one of its optional fields."""

    __slots__ = ()

    def __bool__(self) -> bool:
        if self._undefined_name in OPTIONAL and isinstance(self._undefined_obj, dict):
            return False
        return super().__bool__()


ENVIRONMENT = get_environment()
ENVIRONMENT.undefined = Undefined


class CompilerError(Exception):
    """What exceptions.raise_compiler_error raises here."""


@dataclass(frozen=True)
class Source:
    """One macro, test or materialization, as it stands in its file."""

    path: Path
    kind: str
    text: str

    @cached_property
    def tree(self) -> nodes.Template:
        return ENVIRONMENT.parse(self.text)

    @property
    def folder(self) -> str:
        """Its layer, as macros/layers.txt has it."""
        return self.path.relative_to(ROOT / "macros").parts[0]

    @property
    def signature(self) -> nodes.Macro:
        (macro,) = self.tree.find_all(nodes.Macro)
        return macro

    @cached_property
    def name(self) -> str:
        """As dbt and the yml files call it: tests and materializations have a prefix."""
        return self.signature.name.removeprefix("dbt_macro__")

    @property
    def arguments(self) -> list[str]:
        return [argument.name for argument in self.signature.args]

    @property
    def required(self) -> list[str]:
        return self.arguments[: len(self.arguments) - len(self.signature.defaults)]

    @property
    def read_names(self) -> set[str]:
        return {name.name for name in self.tree.find_all(nodes.Name) if name.ctx == "load"}

    @property
    def takes_any_keyword(self) -> bool:
        return "kwargs" in self.read_names

    @property
    def takes_any_position(self) -> bool:
        return "varargs" in self.read_names

    @property
    def free_names(self) -> set[str]:
        """What it takes from dbt: every name that it does not set itself."""
        own = {name.name for name in self.tree.find_all(nodes.Name) if name.ctx != "load"}
        return meta.find_undeclared_variables(self.tree) - own - {"kwargs", "varargs", "caller"}

    @property
    def calls(self) -> list[nodes.Call]:
        """The calls of macros of this package."""
        return [call for call in self.tree.find_all(nodes.Call) if _is_ours(call.node)]

    @property
    def uses(self) -> set[str]:
        """The macros of this package that it names, in a call or not."""
        return {node.attr for node in self.tree.find_all(nodes.Getattr) if _is_ours(node)}


def _is_ours(node: nodes.Node) -> bool:
    return (
        isinstance(node, nodes.Getattr)
        and isinstance(node.node, nodes.Name)
        and node.node.name == PACKAGE
    )


@cache
def sources() -> dict[str, Source]:
    """Every macro, test and materialization of the package by its name."""
    found: dict[str, Source] = {}
    for path in sorted((ROOT / "macros").rglob("*.sql")):
        for block in extract_toplevel_blocks(path.read_text(), BLOCKS, collect_raw_data=False):
            source = Source(path, block.block_type_name, block.full_block)
            if source.name in found:
                raise ValueError(f"{path} and {found[source.name].path} both have {source.name}")
            found[source.name] = source
    return found


@cache
def dbt_names() -> set[str]:
    """What dbt gives to a macro: members of its context, and its own macros."""
    names = set(ModelContext._context_members_)
    for folder in (GLOBAL_PROJECT, SPARK_PROJECT):
        for path in Path(folder).rglob("*.sql"):
            names.update(re.findall(r"{%-?\s*macro\s+(\w+)", path.read_text()))
    return names


@cache
def _template(name: str) -> jinja2.Template:
    source = sources()[name]
    code = ENVIRONMENT.compile(source.text, name, str(source.path))
    return jinja2.Template.from_code(ENVIRONMENT, code, ENVIRONMENT.globals)


def table(rows: list[tuple[Any, ...]], columns: list[str]) -> agate.Table:
    """A result as dbt gives it to macros."""
    return agate.Table(rows, columns, [agate.Text(cast_nulls=False)] * len(columns))


@dataclass
class Warehouse:
    """What Spark would answer: give it `answers`, read what was run in `statements`."""

    answers: list[tuple[str, Callable[[], agate.Table]]] = field(default_factory=list)
    relations: dict[str, SparkRelation] = field(default_factory=dict)
    statements: list[str] = field(default_factory=list)
    # the types of the nested columns of each query
    nested: dict[str, list[str]] = field(default_factory=dict)

    def answer(self, pattern: str, result: Callable[[], agate.Table]) -> None:
        """Give this to a statement in which the pattern is found; the newest answer wins."""
        known = [found for found, _ in self.answers]
        if pattern in known:
            self.answers[known.index(pattern)] = (pattern, result)
        else:
            self.answers.insert(0, (pattern, result))

    def run_query(self, sql: str) -> agate.Table | None:
        self.statements.append(sql)
        if "_dbtc_parts" in sql:
            (query,) = (of for of in self.nested if sql.endswith(f"(\n{of}\n))"))
            return self._describe_parts(query)
        for pattern, result in self.answers:
            if re.search(pattern, sql):
                found = result()
                return self._noted(sql, found)
        return self._noted(sql, self.answer_itself(sql))

    def _noted(self, sql: str, found: agate.Table | None) -> agate.Table | None:
        asked = re.match(r"(?s)describe (query (.*)|table extended (.*))$", sql)
        if asked and found is not None:
            query = asked[2] or f"select * from {asked[3]}"
            self.nested[query] = [
                row[1] for row in found if re.match(r"(struct|array|map)<", row[1])
            ]
        return found

    def answer_itself(self, sql: str) -> agate.Table | None:
        """What it gives to a statement for which there is no answer."""
        if re.match(r"\s*(describe|select|show|with)\b", sql):
            raise AssertionError(f"no answer for:\n{sql}")
        return None

    def _describe_parts(self, query: str) -> agate.Table:
        """What is in the nested columns that were described last, a level deeper."""
        parts, begins = [], ("_dbtc_parts", "void")
        for type_ in self.nested[query]:
            kind, inner = type_[:-1].split("<", 1)
            items = re.findall(r"(?:[^,<(]|<(?:[^<>]|<[^<>]*>)*>|\([^)]*\))+", inner)
            names = {"array": ["item"], "map": ["key", "value"]}.get(kind)
            fields = zip(names, items, strict=True) if names else (i.split(":", 1) for i in items)
            parts += [begins, *(tuple(field) for field in fields)]
        self.nested[query] = [type_ for _, type_ in parts if "<" in type_]
        return table(parts, ["col_name", "data_type"])

    def load_relation(self, relation: SparkRelation) -> SparkRelation | None:
        return self.relations.get(str(relation))


class Macros:
    """The macros, called as in Python: `Macros().quote('a')`. `context`: what dbt gives by name."""

    def __init__(self, warehouse: Warehouse | None = None, **context: Any) -> None:
        self.warehouse = warehouse or Warehouse()
        self.warnings: list[str] = []
        self.written: list[str] = []
        self._macros: dict[str, Callable[..., Any]] = {}
        self._context = {
            **{name: _not_here(name) for name in dbt_names()},
            **(given := BaseContext({}).to_dict()),
            "modules": {**given["modules"], "datetime": SimpleNamespace(datetime=_Clock)},
            **self._fakes(),
            **context,
            PACKAGE: {name: partial(self._call, name) for name in sources()},
        }

    def _fakes(self) -> dict[str, Any]:
        return {
            "execute": True,
            "flags": SimpleNamespace(WHICH="run", EMPTY=False, FULL_REFRESH=False),
            "exceptions": SimpleNamespace(
                raise_compiler_error=_raise_compiler_error, warn=self.warnings.append
            ),
            "api": SimpleNamespace(Relation=SparkRelation),
            "adapter": SimpleNamespace(config=SimpleNamespace(project_name="shop", models={})),
            "model": None,
            "graph": {},
            "run_query": self.warehouse.run_query,
            "load_relation": self.warehouse.load_relation,
            "should_full_refresh": lambda: False,
            "write": self.written.append,
            "invocation_args_dict": {},
            "invocation_id": "the-invocation",
            "var": lambda name, default=None: default,
        }

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__") or name not in sources():
            raise AttributeError(name)
        return partial(self._call, name)

    def _call(self, name: str, /, *args: Any, **kwargs: Any) -> Any:
        """What the macro gives to return(), or else its text; plans can not be written to."""
        if name not in self._macros:
            module = _template(name).make_module(vars=self._context)
            self._macros[name] = getattr(module, f"dbt_macro__{name}")
        try:
            return self._macros[name](*args, **kwargs)
        except MacroReturn as result:
            return frozen(result.value) if name in MAKERS else result.value


class _Clock:
    @staticmethod
    def now(zone: Any) -> datetime:
        return NOW


def _raise_compiler_error(message: str) -> None:
    raise CompilerError(message)


def _not_here(name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(f"{name} is dbt's: give Macros({name}=...) a stand-in")

    return call
