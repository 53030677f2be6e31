"""The Spark session of this process, and the views by which SQL finds a frame."""

from __future__ import annotations

import hashlib
from typing import Any


def current_session() -> Any:
    from pyspark.sql import SparkSession

    return SparkSession.builder.getOrCreate()


def has_session() -> bool:
    """Whether this thread has one; others may have it alone."""
    from pyspark.sql import SparkSession

    return SparkSession.getActiveSession() is not None


def is_remote() -> bool:
    """Whether the session is that of a server of Spark Connect."""
    return not hasattr(current_session(), "_jsparkSession")


def view_of(frame: Any, name: str) -> str:
    """The global temporary view of a frame: one of `name` alone, for all sessions of this Spark."""
    return global_view(frame, f"dbt_changelog_{hashlib.md5(name.encode()).hexdigest()}")


def global_view(frame: Any, name: str) -> str:
    frame.createOrReplaceGlobalTempView(name)
    schema = frame.sparkSession.conf.get("spark.sql.globalTempDatabase", "global_temp")
    return f"{schema}.{name}"
