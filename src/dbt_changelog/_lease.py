"""Which process runs a stream."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import Any

from dbt_common.exceptions import DbtRuntimeError

from dbt_changelog._checkpoints import Folder

LEASE = "running.json"
# how long a stream on another machine counts as running without a sign of life
LEASE_SECONDS = 120


class Lease:
    """The file that says where a stream runs: a process, and when it was last seen alive."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._ended = Event()
        self._renews = Thread(target=self._renew, daemon=True)

    def holder(self) -> str | None:
        """Who runs the stream, if not this process."""
        said = self._said()
        if said is None or _is_ours(said):
            return None
        if said["host"] == socket.gethostname():
            is_alive = said["began"] is not None and _began(said["pid"]) == said["began"]
        else:
            is_alive = time.time() - said["seen"] < LEASE_SECONDS
        return f"process {said['pid']} on {said['host']}" if is_alive else None

    def take(self) -> None:
        if holder := self.holder():
            raise DbtRuntimeError(
                f"The stream began to run in {holder}. Nothing was done here.\n"
                "To fix: start each stream in one process only; that one goes on."
            )
        self._write()
        self._renews.start()

    def give_back(self) -> None:
        self._ended.set()
        if self._renews.is_alive():
            # what it is writing would be there again
            self._renews.join()
        if (said := self._said()) is not None and _is_ours(said):
            self._folder.remove(LEASE)

    def _renew(self) -> None:
        # a batch may take longer than a lease
        while not self._ended.wait(LEASE_SECONDS / 4):
            with suppress(Exception):
                self._write()

    def _write(self) -> None:
        pid = os.getpid()
        said = {"host": socket.gethostname(), "pid": pid, "began": _began(pid)}
        self._folder.write(LEASE, json.dumps({**said, "seen": time.time()}))

    def _said(self) -> dict[str, Any] | None:
        for _ in range(3):
            text = self._folder.read(LEASE)
            if text is None:
                return None
            with suppress(ValueError):
                found: dict[str, Any] = json.loads(text)
                return found
            # it is being written
            time.sleep(0.2)
        return None


def _is_ours(said: dict[str, Any]) -> bool:
    return bool(said["host"] == socket.gethostname() and said["pid"] == os.getpid())


def _began(pid: int) -> str | None:
    """When a process of this machine began, in the words of its system; None if there is none."""
    with suppress(OSError):
        state, *more = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        # one that has ended, which its parent has not asked for, is still listed
        return None if state in "ZX" else more[18]
    with suppress(OSError):
        found = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True)
        return found.stdout.decode().strip() or None
    return None
