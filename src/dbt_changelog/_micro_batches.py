"""The micro-batches of a stream, from the thread in which Spark calls back to dbt's own."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, field
from queue import Empty, Queue
from threading import Event
from typing import Any
from uuid import uuid4

from dbt_changelog._session import global_view


class NotDoneError(RuntimeError):
    """What Spark is told of a micro-batch whose error dbt prints."""


# py4j would print it with the traces of both sides
logging.getLogger("py4j.clientserver").addFilter(
    lambda record: not (record.exc_info and isinstance(record.exc_info[1], NotDoneError))
)


@dataclass
class MicroBatch:
    """One micro-batch: `view` has its rows until it is done."""

    id: int
    view: str
    is_empty: bool
    given_back: Event = field(default_factory=Event)
    is_done: bool = False


class MicroBatches:
    """From the thread in which Spark calls back to the one that runs the program."""

    def __init__(self) -> None:
        # of no other stream: views of one name have mixed the rows of two
        self._name = f"dbt_changelog_{uuid4().hex}"
        self._waiting: Queue[MicroBatch] = Queue()
        # Spark may call before it has given the query to us
        self._started = Event()
        self._query: Any = None
        self._closed = False

    def follow(self, query: Any) -> None:
        self._query = query
        self._started.set()

    def offer(self, frame: Any, number: int) -> None:
        """Called by Spark; it takes the micro-batch for done when this returns."""
        # the statements run in another session than the micro-batch
        view = global_view(frame, name := f"{self._name}_{number}")
        try:
            batch = MicroBatch(number, view, self._is_empty(frame))
            self._waiting.put(batch)
            while not batch.given_back.wait(1) and not self._closed:
                pass
        finally:
            frame.sparkSession.catalog.dropGlobalTempView(name)
        if not batch.is_done:
            raise NotDoneError("The micro-batch is not done; dbt says why.")

    def _is_empty(self, frame: Any) -> bool:
        """Whether it has no row; what Spark has read to find out is not counted as read."""
        is_empty = bool(frame.isEmpty())
        with suppress(Exception):
            self._started.wait(10)
            leaves = (
                self._query._jsq.streamingQuery().lastExecution().executedPlan().collectLeaves()
            )
            for number in range(leaves.size()):
                leaves.apply(number).metrics().apply("numOutputRows").reset()
        return is_empty

    def take(self) -> MicroBatch | None:
        with suppress(Empty):
            return self._waiting.get(timeout=0.05)
        return None

    def close(self) -> None:
        self._closed = True
