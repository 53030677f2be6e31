"""When a stream looks for rows, has time for other things, and ends."""

from __future__ import annotations

import time
from threading import Event
from typing import Any


class Service:
    """What `dbt-changelog stream` asks for: streams that go on until they are told to stop.

    stop: set by a signal; each stream then ends after the micro-batch under way.
    """

    is_on = False
    every = "10 seconds"
    stop = Event()


def spark_trigger(trigger: Any) -> dict[str, Any]:
    """The words in which Spark takes it."""
    if trigger == "once":
        return {"once": True}
    every = trigger["processing_time"] or (Service.every if Service.is_on else None)
    return {"processingTime": every} if every else {"availableNow": True}


class Ends:
    """When a stream that would go on ends: after some time, or some time without a batch."""

    def __init__(self, trigger: Any) -> None:
        times = trigger if isinstance(trigger, dict) and not Service.is_on else {}
        self._run_for, self._idle_for = times.get("run_for"), times.get("idle_for")
        self._began = self._touched = time.monotonic()

    def touch(self, query: Any) -> None:
        """While Spark works, nothing is idle; but only its first look for rows is work."""
        if self._idle_for is None:
            return
        status = query.status
        works = status["isTriggerActive"] and status["isDataAvailable"]
        if works or query.lastProgress is None:
            self._touched = time.monotonic()

    def reached(self) -> bool:
        now = time.monotonic()
        return (
            Service.stop.is_set()
            or (self._run_for is not None and now - self._began >= self._run_for)
            or (self._idle_for is not None and now - self._touched >= self._idle_for)
        )


class Pause:
    """When there is time for what can wait: some seconds after a batch, or after many."""

    def __init__(self, idle: float = 2, at_most: float = 30) -> None:
        self._idle, self._at_most = idle, at_most
        self._paused = self._touched = time.monotonic()

    def touch(self) -> None:
        self._touched = time.monotonic()

    def is_due(self) -> bool:
        now = time.monotonic()
        is_new = self._touched > self._paused
        if is_new and (now - self._touched >= self._idle or now - self._paused >= self._at_most):
            self._paused = now
            return True
        return False
