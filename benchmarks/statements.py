"""Where the time of a run goes: what each statement takes, of whoever asks it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from pyspark.sql import SparkSession
from pyspark.sql.classic.dataframe import DataFrame

WIDTH = 90
SHOWN = 0.05
# in comments: who asks, and what a table keeps of its batches
COMMENT = re.compile(r"/\*.*?\*/|--.*?$", re.DOTALL | re.MULTILINE)


@contextmanager
def shown() -> Iterator[None]:
    """Print what each statement, and what is fetched of a query, took, if it is worth a look."""
    run, fetch = SparkSession.sql, DataFrame.collect

    def sql(spark: SparkSession, text: str, *args: Any, **kwargs: Any) -> Any:
        words = " ".join(COMMENT.sub("", text).split())[:WIDTH]
        found = _timed(words, lambda: run(spark, text, *args, **kwargs))
        found._statement = words
        return found

    def collect(rows: DataFrame) -> Any:
        return _timed(getattr(rows, "_statement", "collect"), lambda: fetch(rows))

    with patch.object(SparkSession, "sql", sql), patch.object(DataFrame, "collect", collect):
        yield


def _timed(words: str, action: Callable[[], Any]) -> Any:
    started = time.perf_counter()
    try:
        return action()
    finally:
        seconds = time.perf_counter() - started
        if seconds >= SHOWN:
            print(f"  {seconds:7.3f} {words}", flush=True)
