"""What a stream says."""

from __future__ import annotations

import io
import sys
from types import SimpleNamespace

import pytest

from dbt_changelog import _progress
from dbt_changelog._progress import Lines


def progress(number, **more):
    durations = {"durationMs": {"addBatch": 400, "triggerExecution": 500}, "sources": []}
    return {"batchId": number, "numInputRows": 1000, **durations, **more}


def idle(number):
    return progress(number, numInputRows=0, durationMs={"latestOffset": 9, "triggerExecution": 10})


def batch(number):
    counters = {"rows_inserted": 900, "rows_updated": 100}
    return {"batch": {"id": number}, "last_counters": counters}


@pytest.fixture
def log(monkeypatch):
    lines = []
    monkeypatch.setattr(_progress, "log_line", lines.append)
    return lines


def test_a_micro_batch_has_a_line_when_spark_knows_it(log):
    lines, query = Lines("customers"), SimpleNamespace(recentProgress=[])
    lines.note(0, batch(7))
    lines.tell(query)
    assert log == []
    metrics = [{"metrics": {"numFilesOutstanding": "3"}}, {"metrics": None}]
    query.recentProgress = [progress(0, sources=metrics)]
    lines.tell(query)
    lines.tell(query)
    assert log == [
        "customers: batch 7, 900 rows inserted, 100 rows updated; 1,000 rows read in 0.50 s,"
        " 2,000 a second, 3 files behind"
    ]


def test_a_stream_that_waits_says_nothing_of_the_micro_batch_to_come(log):
    lines, query = Lines("customers"), SimpleNamespace(recentProgress=[idle(0)])
    lines.note(0, batch(7))
    lines.tell(query)
    assert log == []
    query.recentProgress = [idle(0), progress(0), idle(1)]
    lines.tell(query)
    assert len(log) == 1 and "; 1,000 rows read in 0.50 s" in log[0]


def test_the_last_micro_batch_of_a_stream_that_ends_has_its_line(log, monkeypatch):
    lines, query = Lines("customers"), SimpleNamespace(recentProgress=[], isActive=True)
    lines.note(0, batch(7))
    monkeypatch.setattr(_progress.time, "sleep", lambda _: query.recentProgress.append(progress(0)))
    lines.tell_rest(query)
    assert len(log) == 1 and len(query.recentProgress) == 1


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("is_terminal", [True, False])
def test_only_a_terminal_shows_all_rows_so_far(log, monkeypatch, is_terminal):
    screen = Terminal() if is_terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", screen)
    lines = Lines("customers")
    for number in range(2):
        lines.note(number, batch(number))
        lines.tell(SimpleNamespace(recentProgress=[progress(number)]))
    lines.close()
    assert ("customers: " in screen.getvalue()) is is_terminal
    assert ("1.00k rows" in screen.getvalue()) is is_terminal
    assert len(log) == 2
