"""When a stream has time for what can wait, and when it ends."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from dbt.adapters.spark.connections import SparkConnectionManager

from dbt_changelog import _trigger
from dbt_changelog._plugin import ChangelogPlugin
from dbt_changelog._trigger import Ends, Pause, Service


@pytest.fixture
def clock(monkeypatch):
    now = SimpleNamespace(seconds=100.0)
    monkeypatch.setattr(_trigger.time, "monotonic", lambda: now.seconds)
    return now


def at_work(is_active, is_available=True, progress="the first"):
    status = {"isTriggerActive": is_active, "isDataAvailable": is_available}
    return SimpleNamespace(status=status, lastProgress=progress)


def test_a_stream_ends_after_its_time(clock):
    ends = Ends({"processing_time": "1 seconds", "run_for": 60, "idle_for": None})
    clock.seconds += 59
    assert not ends.reached()
    clock.seconds += 1
    assert ends.reached()


def test_a_stream_ends_when_it_was_idle(clock):
    ends = Ends({"processing_time": "1 seconds", "run_for": None, "idle_for": 10})
    for is_active, is_over in ((True, False), (False, False), (False, True)):
        clock.seconds += 6
        ends.touch(at_work(is_active))
        assert ends.reached() is is_over


def test_a_stream_that_only_looks_for_rows_is_idle(clock):
    """With a short processing_time there is hardly a moment in which it does not."""
    ends = Ends({"processing_time": "1 seconds", "run_for": None, "idle_for": 10})
    for is_over in (False, True):
        clock.seconds += 6
        ends.touch(at_work(True, is_available=False))
        assert ends.reached() is is_over


def test_a_stream_is_not_idle_before_it_has_looked_once(clock):
    ends = Ends({"processing_time": "1 seconds", "run_for": None, "idle_for": 10})
    clock.seconds += 60
    ends.touch(at_work(True, is_available=False, progress=None))
    assert not ends.reached()


def test_a_service_ends_when_it_is_told_to(clock, monkeypatch):
    monkeypatch.setattr(Service, "is_on", True)
    ends = Ends({"processing_time": "1 seconds", "run_for": 60, "idle_for": 10})
    clock.seconds += 1000
    assert not ends.reached()
    monkeypatch.setattr(Service, "stop", SimpleNamespace(is_set=lambda: True))
    assert ends.reached()


def test_what_can_wait_has_its_time_after_a_batch_or_after_many(clock):
    pause = Pause(idle=2, at_most=30)
    clock.seconds += 10
    assert not pause.is_due()
    pause.touch()
    assert not pause.is_due()
    clock.seconds += 2
    assert pause.is_due() and not pause.is_due()
    due = []
    for _ in range(31):
        clock.seconds += 1
        pause.touch()
        due.append(pause.is_due())
    assert due == [False] * 29 + [True, False]


def test_a_dbt_command_forgets_that_an_earlier_one_was_interrupted(monkeypatch):
    loaded = SparkConnectionManager.exception_handler
    monkeypatch.setattr(loaded, "is_dbt_changelog", True, raising=False)
    for is_on in True, False:
        monkeypatch.setattr(Service, "is_on", is_on)
        Service.stop.set()
        ChangelogPlugin("project")
        assert Service.stop.is_set() is is_on
