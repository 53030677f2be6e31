"""What dbt loads: it mends where dbt-spark does not know what this package needs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from dbt.adapters.base.relation import BaseRelation
from dbt.adapters.contracts.relation import RelationType
from dbt.adapters.spark.connections import SparkConnectionManager
from dbt.adapters.spark.impl import SparkAdapter
from dbt.adapters.spark.relation import SparkRelation
from dbt.contracts.graph.nodes import ModelNode
from dbt.plugins.manager import dbtPlugin
from dbt_common.exceptions import DbtRuntimeError

from dbt_changelog._errors import explain
from dbt_changelog._quiet import Printers

Relation = TypeVar("Relation", bound=BaseRelation)


class ChangelogPlugin(dbtPlugin):
    """Loaded once per dbt command; a project without the pip module runs all the same."""

    def initialize(self) -> None:
        if not hasattr(SparkConnectionManager.exception_handler, "is_dbt_changelog"):
            _explain_errors()
            _list_relations_of_catalogs()
            _find_relations_of_catalogs()
            _find_contents_in_their_schema()
            _enforce_constraints()


def _explain_errors() -> None:
    """The errors of Spark, readable where this package's statements fail."""
    original, printers = SparkConnectionManager.exception_handler, Printers()
    printers.silence_json()

    @contextmanager
    def exception_handler(self: SparkConnectionManager, sql: str) -> Iterator[None]:
        printers.prepare(sql)
        try:
            yield
        except Exception as error:
            message = explain(error, sql)
            if message is None:
                with original(self, sql):
                    raise
            raise DbtRuntimeError(message) from error

    exception_handler.is_dbt_changelog = True  # type: ignore[attr-defined]
    SparkConnectionManager.exception_handler = exception_handler  # type: ignore[method-assign]


def _list_relations_of_catalogs() -> None:
    """Spark lists the tables of `cat.db` as those of `db`, and its views not at all.

    dbt then takes every table for missing: an incremental model would be replaced by each run.
    """
    original = SparkAdapter.list_relations_without_caching

    def list_relations_without_caching(
        self: SparkAdapter, schema_relation: BaseRelation
    ) -> list[BaseRelation]:
        relations = original(self, schema_relation)
        schema = schema_relation.schema
        if not schema or "." not in schema:
            return relations
        try:
            _, views = self.execute(f"show views in {schema}", fetch=True)
            names = [row["viewName"] for row in views]
        except DbtRuntimeError:
            # there is no such schema, or the catalog does not know views
            names = []
        tables = [_in_schema(found, schema) for found in relations if found.name not in names]
        create, kind = self.Relation.create, RelationType.View
        return tables + [create(schema=schema, identifier=name, type=kind) for name in names]

    SparkAdapter.list_relations_without_caching = (  # type: ignore[method-assign]
        list_relations_without_caching
    )


def _find_relations_of_catalogs() -> None:
    """Most catalogs keep the capitals of a name; dbt-spark looks for all in small letters."""
    original = SparkAdapter.get_relation

    def get_relation(
        self: SparkAdapter, database: str, schema: str, identifier: str
    ) -> BaseRelation | None:
        if not schema or "." not in schema:
            return original(self, database, schema, identifier)
        found = {str(relation.name): relation for relation in self.list_relations(database, schema)}
        alike = (of for name, of in found.items() if name.lower() == identifier.lower())
        return found.get(identifier) or next(alike, None)

    SparkAdapter.get_relation = get_relation  # type: ignore[method-assign]


def _find_contents_in_their_schema() -> None:
    """With `contents_schema` the model's name, in ref() too, means the view in that schema."""
    original = SparkRelation.create_from

    def create_from(
        cls: type[SparkRelation], /, quoting: Any, relation_config: Any, **kwargs: Any
    ) -> SparkRelation:
        relation = original(quoting, relation_config, **kwargs)
        config = getattr(relation_config, "config", None) or {}
        schema = config.get("contents_schema")
        # a project may set it for all its models
        is_ours = config.get("materialized") == "from_changelog"
        return _in_schema(relation, schema) if is_ours and isinstance(schema, str) else relation

    SparkRelation.create_from = classmethod(create_from)  # type: ignore[assignment,method-assign]


def _enforce_constraints() -> None:
    """dbt warns that constraints are ignored where a materialization is not one of its own two."""

    name = "materialization_enforces_constraints"
    original: Any = getattr(ModelNode, name)

    def enforces_constraints(self: ModelNode) -> bool:
        return self.config.materialized == "from_changelog" or original.fget(self)

    setattr(ModelNode, name, property(enforces_constraints))


def _in_schema(relation: Relation, schema: str) -> Relation:
    moved: Relation = relation.incorporate(path={"schema": schema})  # type: ignore[no-untyped-call]
    return moved
