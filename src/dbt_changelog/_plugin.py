"""What dbt loads: it makes the errors of Spark readable where this package's statements fail."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dbt.adapters.spark.connections import SparkConnectionManager
from dbt.plugins.manager import dbtPlugin
from dbt_common.exceptions import DbtRuntimeError

from dbt_changelog._errors import explain


class ChangelogPlugin(dbtPlugin):
    """Loaded once per dbt command; a project without the pip module runs all the same."""

    def initialize(self) -> None:
        if not hasattr(SparkConnectionManager.exception_handler, "is_dbt_changelog"):
            _explain_errors()


def _explain_errors() -> None:
    original = SparkConnectionManager.exception_handler

    @contextmanager
    def exception_handler(self: SparkConnectionManager, sql: str) -> Iterator[None]:
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
