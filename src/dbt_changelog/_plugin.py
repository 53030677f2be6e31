"""What dbt loads: it mends where dbt-spark does not know what this package needs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from dbt import selected_resources
from dbt.adapters.base.impl import PythonJobHelper
from dbt.adapters.base.relation import BaseRelation
from dbt.adapters.contracts.connection import Connection
from dbt.adapters.contracts.relation import RelationType
from dbt.adapters.spark.connections import SparkConnectionManager
from dbt.adapters.spark.impl import SparkAdapter
from dbt.adapters.spark.relation import SparkRelation
from dbt.context.providers import RuntimeRefResolver
from dbt.contracts.graph.nodes import ModelNode
from dbt.plugins.manager import dbtPlugin
from dbt_common.exceptions import DbtRuntimeError

from dbt_changelog._errors import explain, first_line
from dbt_changelog._python_models import SessionJob, frame_view
from dbt_changelog._quiet import Printers
from dbt_changelog._session import has_session, is_remote
from dbt_changelog._streams import Stream, found_streams, run_stream, source_view
from dbt_changelog._trigger import Service

Relation = TypeVar("Relation", bound=BaseRelation)


class ChangelogPlugin(dbtPlugin):
    """Loaded once per dbt command; a project without the pip module runs all the same."""

    def initialize(self) -> None:
        if not Service.is_on:
            # set by an earlier command of this process, which was interrupted
            Service.stop.clear()
        if not hasattr(SparkConnectionManager.exception_handler, "is_dbt_changelog"):
            _explain_errors()
            _list_relations_of_catalogs()
            _find_relations_of_catalogs()
            _find_contents_in_their_schema()
            _enforce_constraints()
            _attempt_statements()
            _run_python_models()
            _run_streams()


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
    run = SparkConnectionManager.execute

    def execute(self: SparkConnectionManager, sql: str, *args: Any, **given: Any) -> Any:
        """A query fails when its rows are fetched, where dbt has no handler."""
        try:
            return run(self, sql, *args, **given)
        except DbtRuntimeError:
            raise
        except Exception as error:
            if message := explain(error, sql):
                raise DbtRuntimeError(message) from error
            raise

    SparkConnectionManager.execute = execute  # type: ignore[method-assign, assignment]


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
        # as in dbt-spark, no database: that of a snapshot is Jinja's undefined
        found = {str(relation.name): relation for relation in self.list_relations(None, schema)}
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
        is_ours = _function(config) == "from_changelog"
        return _in_schema(relation, schema) if is_ours and isinstance(schema, str) else relation

    SparkRelation.create_from = classmethod(create_from)  # type: ignore[assignment,method-assign]

    usual: Any = RuntimeRefResolver.create_relation

    def create_relation(self: Any, target_model: Any) -> Any:
        """With --defer dbt looks for the model in `schema`, where its view never is."""
        schema = target_model.config.get("contents_schema")
        if isinstance(schema, str) and getattr(target_model, "defer_relation", None):
            view = SparkRelation.create_from(self.config, target_model)
            chosen = target_model.unique_id in selected_resources.SELECTED_RESOURCES
            if (chosen or not self.config.args.favor_state) and self.db_wrapper.get_relation(
                view.database, view.schema, view.identifier
            ):
                target_model.defer_relation = None
        return usual(self, target_model)

    RuntimeRefResolver.create_relation = create_relation  # type: ignore[method-assign]


def _enforce_constraints() -> None:
    """dbt warns that constraints are ignored where a materialization is not one of its own two."""

    name = "materialization_enforces_constraints"
    original: Any = getattr(ModelNode, name)

    def enforces_constraints(self: ModelNode) -> bool:
        return _function(self.config) == "from_changelog" or original.fget(self)

    setattr(ModelNode, name, property(enforces_constraints))


def _attempt_statements() -> None:
    """`adapter.attempt_statement(sql)`, for macros: Jinja has no way to catch an error."""

    def attempt_statement(self: SparkAdapter, sql: str) -> dict[str, Any]:
        try:
            _, table = self.execute(sql, fetch=True)
        # dbt leaves some of Spark's exceptions as they are
        except Exception as error:
            return {"table": None, "error": first_line(getattr(error, "msg", None) or str(error))}
        return {"table": table, "error": None}

    _make_available(attempt_statement)


def _run_python_models() -> None:
    """dbt-spark knows two ways to run a Python model, both of them Databricks clusters."""
    helpers: Any = SparkAdapter.python_submission_helpers
    usual: Any = SparkAdapter.default_python_submission_method

    def python_submission_helpers(self: SparkAdapter) -> dict[str, type[PythonJobHelper]]:
        return {**helpers.fget(self), "session": SessionJob}

    def default_python_submission_method(self: SparkAdapter) -> str:
        is_session = self.config.credentials.method == "session"
        return "session" if is_session else str(usual.fget(self))

    def changelog_frame(_: SparkAdapter, name: str, compiled_code: str) -> str:
        return frame_view(name, compiled_code)

    for helper in (python_submission_helpers, default_python_submission_method):
        setattr(SparkAdapter, helper.__name__, property(helper))
    _make_available(changelog_frame)


def _run_streams() -> None:
    """What the materialization changelog_stream calls."""

    def changelog_connection(self: SparkAdapter) -> str:
        method = str(self.config.credentials.method)
        if method != "session":
            return method
        if not has_session():
            # Spark starts with dbt's first statement; otherwise without the profile's settings
            self.execute("select 1")
        return "connect" if is_remote() else method

    def changelog_streams(_: SparkAdapter, location: str) -> dict[str, Any]:
        return found_streams(location)

    def changelog_stream(
        _: SparkAdapter, settings: Stream, on_batch: Any, on_pause: Any, stream: Stream
    ) -> Stream:
        return run_stream(settings, on_batch, on_pause, stream)

    def changelog_source(
        _: SparkAdapter, name: str, format: str, options: dict[str, str], schema: str | None
    ) -> str:
        return source_view(name, format, options, schema)

    original = SparkConnectionManager.cancel

    def cancel(self: SparkConnectionManager, connection: Connection) -> None:
        # dbt was interrupted, and waits for its models to end
        Service.stop.set()
        original(self, connection)

    _make_available(changelog_connection, changelog_streams, changelog_source, changelog_stream)
    SparkConnectionManager.cancel = cancel  # type: ignore[method-assign]


def _make_available(*methods: Any) -> None:
    """Methods of `adapter` that a macro may call."""
    for method in methods:
        setattr(SparkAdapter, method.__name__, method)
        SparkAdapter._available_ |= {method.__name__}


def _function(config: Any) -> str | None:
    """What a model is, run by dbt or as a stream."""
    kind: str | None = config.get("materialized")
    return config.get("function") if kind == "changelog_stream" else kind


def _in_schema(relation: Relation, schema: str) -> Relation:
    moved: Relation = relation.incorporate(path={"schema": schema})  # type: ignore[no-untyped-call]
    return moved
