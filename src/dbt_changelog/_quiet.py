"""Spark prints the trace of a failed task several times. Of an error of ours dbt says all."""

from __future__ import annotations

import logging
import sys
from contextlib import suppress
from threading import Lock
from typing import Any

# who in Spark, Delta and Iceberg prints the error of a task, or of the micro-batch that it is of,
# which its statement gives anyway, and who in Hadoop that a task beside it was stopped while it set
# the rights of a file
PRINTERS = (
    "org.apache.spark.executor.Executor",
    "org.apache.spark.scheduler.TaskSetManager",
    "org.apache.spark.util.Utils",
    "org.apache.spark.sql.execution.datasources",
    "org.apache.spark.sql.execution.streaming",
    "org.apache.spark.rdd",
    "org.apache.spark.sql.delta.files",
    "org.apache.spark.sql.delta.commands",
    "org.apache.iceberg.spark.source",
    "org.apache.hadoop.util.Shell",
)
# pyspark prints the error of a statement as JSON, before it raises it
JSON_PRINTERS = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


class Printers:
    """The log levels of PRINTERS in the JVM of this process, if there is one."""

    def __init__(self) -> None:
        self._silenced: list[str] = []
        # all threads of dbt have one JVM
        self._lock = Lock()

    def silence_json(self) -> None:
        for name in JSON_PRINTERS:
            logging.getLogger(name).disabled = True

    def prepare(self, sql: str) -> None:
        """Be quiet while a statement runs that can raise an error of ours, and until the next.

        Until then, since the tasks beside the one that failed may fail when it has ended.
        """
        be_quiet = "raise_error(" in sql
        # a Spark that logs by something else is as loud as before
        with self._lock, suppress(Exception):
            if be_quiet != bool(self._silenced) and (jvm := _jvm()) is not None:
                self._set_levels(jvm.org.apache.logging.log4j, be_quiet)

    def _set_levels(self, log4j: Any, be_quiet: bool) -> None:
        context = log4j.LogManager.getContext(False)
        settings = context.getConfiguration()
        for name in self._silenced:
            settings.removeLogger(name)
        self._silenced = []
        for name in PRINTERS if be_quiet else ():
            # one that is there was configured by the user
            if settings.getLoggers().get(name) is None:
                off = log4j.core.config.LoggerConfig(name, log4j.Level.OFF, False)
                settings.addLogger(name, off)
                self._silenced.append(name)
        context.updateLoggers()


def _jvm() -> Any:
    """None: Spark has not started, or runs elsewhere."""
    context = getattr(sys.modules.get("pyspark"), "SparkContext", None)
    active = getattr(context, "_active_spark_context", None)
    return getattr(active, "_jvm", None)
