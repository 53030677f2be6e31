"""What lies beside a checkpoint: which micro-batches had no rows, and who runs the stream."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from threading import Event

import pytest
from dbt_common.exceptions import DbtRuntimeError

from dbt_changelog import _lease
from dbt_changelog._checkpoints import Passed
from dbt_changelog._lease import LEASE, Lease


class Folder:
    """Files by their names."""

    def __init__(self, **files: str) -> None:
        self.files = files

    def names(self, root: str) -> list[str]:
        return sorted(name.removeprefix(root + "/") for name in self.files if root in name)

    def read(self, name: str) -> str | None:
        return self.files.get(name)

    def write(self, name: str, text: str) -> None:
        self.files[name] = text

    def remove(self, name: str) -> None:
        del self.files[name]


def test_micro_batches_without_rows_are_one_name():
    folder = Folder()
    passed = Passed(folder, "a1b2c3d4")
    assert passed.found() == {}
    for number in 4, 5:
        passed.note("3", number)
        assert passed.found() == {"3": number}
    passed.note("6", 7)
    assert passed.found() == {"6": 7}
    passed.note("-1", 0)
    assert passed.found() == {"-1": 0}
    assert folder.files == {"a1b2c3d4/passed/-1_0": ""}


def test_the_greater_number_of_two_names_counts():
    """A process may be killed before it has removed the older name."""
    folder = Folder(**{"a/passed/3_9": "", "a/passed/3_10": ""})
    assert Passed(folder, "a").found() == {"3": 10}


def said(**more):
    host = _lease.socket.gethostname()
    return {"host": host, "pid": 1, "began": _lease._began(1), "seen": 0.0, **more}


def test_nobody_holds_a_lease_that_is_not_there():
    assert Lease(Folder()).holder() is None


def test_a_process_of_this_machine_holds_its_lease_as_long_as_it_lives():
    held = Lease(Folder(**{LEASE: json.dumps(said())}))
    assert held.holder().startswith("process 1 on ")
    # another process has its number now
    assert Lease(Folder(**{LEASE: json.dumps(said(began="long ago"))})).holder() is None
    assert Lease(Folder(**{LEASE: json.dumps(said(pid=2**30))})).holder() is None


def test_a_process_that_was_killed_and_nobody_has_asked_for_holds_no_lease():
    killed = subprocess.Popen(["true"])
    while f"{killed.pid} (true) Z" not in Path(f"/proc/{killed.pid}/stat").read_text():
        time.sleep(0.01)
    stat = Path(f"/proc/{killed.pid}/stat").read_text().split()
    held = said(pid=killed.pid, began=stat[21])
    assert Lease(Folder(**{LEASE: json.dumps(held)})).holder() is None
    killed.wait()


def test_a_process_elsewhere_holds_its_lease_for_two_minutes(monkeypatch):
    folder = Folder(**{LEASE: json.dumps(said(host="elsewhere", seen=100.0))})
    monkeypatch.setattr(_lease.time, "time", lambda: 219.0)
    assert Lease(folder).holder() == "process 1 on elsewhere"
    with pytest.raises(DbtRuntimeError, match="process 1 on elsewhere"):
        Lease(folder).take()
    monkeypatch.setattr(_lease.time, "time", lambda: 221.0)
    assert Lease(folder).holder() is None


def test_a_lease_that_is_half_written_is_read_again(monkeypatch):
    folder = Folder(**{LEASE: '{"host": '})
    whole = json.dumps(said())
    monkeypatch.setattr(_lease.time, "sleep", lambda _: folder.write(LEASE, whole))
    assert Lease(folder).holder().startswith("process 1 on ")


def test_a_lease_is_taken_and_given_back():
    folder = Folder()
    lease = Lease(folder)
    lease.take()
    assert json.loads(folder.files[LEASE])["pid"] == os.getpid()
    assert lease.holder() is None
    lease.give_back()
    assert folder.files == {}


def test_a_lease_of_another_process_is_not_given_back():
    folder = Folder(**{LEASE: json.dumps(said())})
    Lease(folder).give_back()
    assert LEASE in folder.files


def test_what_renews_a_lease_does_not_bring_it_back(monkeypatch):
    begins, goes_on = Event(), Event()

    class Slow(Folder):
        def write(self, name: str, text: str) -> None:
            if self.files:
                begins.set()
                goes_on.wait(0.5)
            super().write(name, text)

    monkeypatch.setattr(_lease, "LEASE_SECONDS", 0.04)
    folder = Slow()
    lease = Lease(folder)
    lease.take()
    assert begins.wait(5)
    lease.give_back()
    goes_on.set()
    lease._renews.join()
    assert folder.files == {}
