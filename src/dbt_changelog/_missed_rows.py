"""What a new stream would miss of its source, without a word of Spark."""

from __future__ import annotations

from typing import Any

from dbt_common.exceptions import DbtRuntimeError

ICEBERG = "org.apache.iceberg.spark.source.SparkTable"


def check_is_whole(frame: Any, where: str) -> None:
    """Iceberg begins at the oldest snapshot that has not expired, with the rows that it added."""
    leaves = frame._jdf.queryExecution().analyzed().collectLeaves()
    for number in range(leaves.size()):
        leaf = leaves.apply(number)
        if leaf.nodeName() != "StreamingRelationV2":
            continue
        if leaf.table().getClass().getName() == ICEBERG:
            begin = leaf.extraOptions().get("stream-from-timestamp")
            _check_snapshots(leaf.table().table(), int(begin) if begin else None, where)


def _check_snapshots(table: Any, begin: int | None, where: str) -> None:
    table.refresh()
    oldest = table.currentSnapshot()
    while oldest is not None and oldest.parentId() is not None:
        if (parent := table.snapshot(oldest.parentId())) is None:
            break
        oldest = parent
    if oldest is None or oldest.parentId() is None:
        return
    if begin is None or begin < oldest.timestampMillis():
        raise DbtRuntimeError(
            f"Invalid query in {where}: older snapshots of {table.name()} have expired, and a new "
            "stream would miss the rows that they added.\n"
            "To fix: load the table with materialized='from_changelog', then make the model a "
            "stream again, with the option 'stream-from-timestamp' of a moment before that run "
            "began, in milliseconds."
        )
