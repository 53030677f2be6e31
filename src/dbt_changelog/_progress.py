"""What a stream says: a line for each micro-batch."""

from __future__ import annotations

import time
from typing import Any

from dbt.events.types import JinjaLogInfo
from dbt_common.events.contextvars import get_node_info
from dbt_common.events.functions import fire_event
from tqdm import tqdm


class Lines:
    """A line for each micro-batch, once Spark says how many rows it had; in a terminal a last line
    with all rows so far."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._waiting: dict[int, str] = {}
        # disable=None: there is none where nobody looks
        self._bar = tqdm(desc=name, unit=" rows", unit_scale=True, leave=False, disable=None)

    def note(self, number: int, stream: dict[str, Any]) -> None:
        if (batch := stream["batch"]) is not None:
            counters = stream["last_counters"]
            counted = [f"{counters[name]:,} {name.replace('_', ' ')}" for name in counters]
            said = ", ".join([f"batch {batch['id']}", *counted])
            self._waiting[number] = f"{self._name}: {said}"

    def tell(self, query: Any) -> None:
        for progress in query.recentProgress if self._waiting else ():
            # one without it is of a stream that waits, and has the id of the batch to come
            ran = "addBatch" in progress["durationMs"]
            if ran and (line := self._waiting.pop(progress["batchId"], None)) is not None:
                seconds = progress["durationMs"].get("triggerExecution", 0) / 1000
                read = progress["numInputRows"]
                rate = f", {read / seconds:,.0f} a second" if seconds else ""
                with tqdm.external_write_mode():
                    log_line(f"{line}; {read:,} rows read in {seconds:.2f} s{rate}{_lag(progress)}")
                self._bar.update(read)

    def tell_rest(self, query: Any) -> None:
        """Spark says it a moment after a micro-batch, when its checkpoint has it too."""
        for _ in range(40):
            is_over = not query.isActive
            self.tell(query)
            if is_over or not self._waiting:
                break
            time.sleep(0.05)

    def close(self) -> None:
        self._bar.close()


def _lag(progress: Any) -> str:
    """How far the sources are ahead, where they say it."""
    said = []
    for source in progress["sources"]:
        metrics = source["metrics"] or {}
        for name, unit in (("maxOffsetsBehindLatest", "offsets"), ("numFilesOutstanding", "files")):
            if int(metrics.get(name) or 0):
                said.append(f"{int(metrics[name]):,} {unit} behind")
    return "".join(f", {text}" for text in said)


def log_line(text: str) -> None:
    """A line of dbt's log, as log(.., info=true) writes it."""
    fire_event(JinjaLogInfo(msg=text, node_info=get_node_info()))
