"""Micro-batches of Structured Streaming, for the materialization changelog_stream."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from dbt_common.exceptions import DbtRuntimeError

from dbt_changelog._checkpoints import Folder, Passed
from dbt_changelog._lease import Lease
from dbt_changelog._micro_batches import MicroBatches
from dbt_changelog._missed_rows import check_is_whole
from dbt_changelog._progress import Lines
from dbt_changelog._session import current_session, view_of
from dbt_changelog._trigger import Ends, Pause, Service, spark_trigger

MARK = "dbt_changelog.json"
# Iceberg's words for a snapshot that is not there any more
NO_SNAPSHOT = "Cannot load current offset at snapshot"
Stream = dict[str, Any]


def found_streams(location: str) -> dict[str, Any]:
    """What lies in a model's checkpoint folder: {uid, table, running, checkpoints}.

    uid, table: whose it is, None if nothing says it. running: where the stream runs now, None if it
    does not. checkpoints: {name: {planned, committed, passed}}, the last micro-batch that Spark's
    logs have, -1 for none; passed: {a micro-batch: the last of those right after it that had no
    rows}.
    """
    try:
        found = _found(Folder(current_session(), location))
    except Exception as error:
        if (java := getattr(error, "java_exception", None)) is None:
            raise
        raise DbtRuntimeError(
            f"Invalid 'checkpoint_location' {location}: {java.toString().splitlines()[0]}.\n"
            "To fix: name a folder that Spark can write to, such as 's3a://bucket/checkpoints/"
            "customers'; the profile must have the jars and settings of its file system."
        ) from error
    if found["running"] and Service.is_on:
        raise DbtRuntimeError(
            f"The stream with its checkpoint in {location} runs in {found['running']}.\n"
            "To fix: end it there before it runs here, or leave it there."
        )
    return found


def _found(folder: Folder) -> dict[str, Any]:
    mark = json.loads(folder.read(MARK) or "{}")
    return {
        "uid": mark.get("uid"),
        "table": mark.get("table"),
        "running": Lease(folder).holder(),
        "checkpoints": {
            name: {
                "planned": folder.last_number(f"{name}/offsets"),
                "committed": folder.last_number(f"{name}/commits"),
                "passed": Passed(folder, name).found(),
            }
            for name in folder.checkpoints()
        },
    }


def run_stream(
    settings: dict[str, Any],
    on_batch: Callable[[Stream, Any], Stream],
    on_pause: Callable[[Stream], Stream],
    stream: Stream,
) -> Stream:
    """Run a stream to its end: `on_batch` gets each micro-batch, and both what the last call gave.

    Spark calls back in a thread of its own. The batch is run in the caller's, which has dbt's
    connection, while that one waits. `on_pause` is called when no batch comes, and at the end.
    """
    session = current_session()
    frame = session.sql(settings["query"])
    if not frame.isStreaming:
        raise DbtRuntimeError(
            f"Invalid query in {settings['where']}: it reads no stream.\n"
            "To fix: write `from stream bronze.events` in it, or use dbt_changelog.stream()."
        )
    folder = Folder(session, settings["location"])
    if folder.last_number(f"{settings['checkpoint']}/offsets") < 0:
        check_is_whole(frame, settings["where"])
    batches, lease = MicroBatches(), Lease(folder)
    passed = Passed(folder, settings["checkpoint"])
    lines, ends, pause = Lines(settings["name"]), Ends(settings["trigger"]), Pause()
    writer = (
        frame.writeStream.queryName(settings["name"])
        .foreachBatch(batches.offer)
        .option("checkpointLocation", folder.path(settings["checkpoint"]))
        .trigger(**spark_trigger(settings["trigger"]))
    )
    query = None
    try:
        lease.take()
        folder.write(MARK, json.dumps(settings["mark"]))
        if stream["batches"]:
            # after a full refresh nothing asks for the checkpoints before it
            for name in folder.checkpoints():
                if name != settings["checkpoint"]:
                    folder.remove(name)
        query = writer.start()
        batches.follow(query)
        while query.isActive and not ends.reached():
            if (batch := batches.take()) is None:
                lines.tell(query)
                ends.touch(query)
                if pause.is_due():
                    stream = on_pause(stream)
                continue
            try:
                micro = {"id": batch.id, "view": batch.view, "is_empty": batch.is_empty}
                stream = on_batch(stream, micro)
                if stream.get("passed") == batch.id:
                    passed.note(stream["last"], batch.id)
                else:
                    lines.note(batch.id, stream)
                batch.is_done = True
            finally:
                batch.given_back.set()
                ends.touch(query)
                pause.touch()
        lines.tell_rest(query)
    finally:
        batches.close()
        if query is not None:
            with suppress(Exception):
                query.stop()
        lease.give_back()
        lines.close()
        stream = on_pause(stream)
    # a micro-batch that was offered just when the stream was to end is given again by the next run
    if (error := query.exception()) is not None and not ends.reached():
        lacks_snapshot = NO_SNAPSHOT in str(error)
        if lacks_snapshot and "availableNow" in spark_trigger(settings["trigger"]):
            # with that trigger Iceberg counts from where the checkpoint began, long ago
            return run_stream(settings | {"trigger": "once"}, on_batch, on_pause, stream)
        raise DbtRuntimeError(
            f"The stream of {settings['where']} cannot go on: its Iceberg source no longer has the "
            "snapshot up to which it was read. The snapshot has expired, or the source was dropped "
            "and created again.\nTo fix: run with --full-refresh if the source was created again; "
            "else see docs/reference/changelog_stream.md, 'Expired snapshots'."
            if lacks_snapshot
            else f"The stream of {settings['where']} ended: {error}\n"
            "To fix: remove the cause that Spark names, and run the model again: it goes on where "
            "it ended."
        )
    if stream["refreshes"] and ends.reached():
        raise DbtRuntimeError(
            f"The stream of {settings['where']} was stopped before its full refresh. Nothing was"
            " done.\nTo fix: run it again with --full-refresh."
        )
    return stream


def source_view(name: str, format: str, options: dict[str, str], schema: str | None) -> str:
    """A streaming source that SQL has no words for, by the name of a global temporary view."""
    reader = current_session().readStream.format(format).options(**options)
    return view_of((reader.schema(schema) if schema else reader).load(), name)
