"""The log levels around a statement of ours, in a stand-in for Log4j."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import pytest

from dbt_changelog import _quiet

OURS = "create table t__state as select .. where case when id is null then raise_error('..') end"
OFF = "OFF"


class Log4j:
    """What Log4j has by name, and the calls that were made."""

    def __init__(self, **configured: str) -> None:
        self.loggers = dict(configured)
        self.updates = 0
        self.LogManager = self.Configuration = self
        self.Level = SimpleNamespace(OFF=OFF)
        self.core = SimpleNamespace(
            config=SimpleNamespace(LoggerConfig=lambda name, level, additive: level)
        )
        self.removeLogger, self.addLogger = self.loggers.pop, self.loggers.__setitem__

    def getContext(self, _):
        return self

    def getConfiguration(self):
        return self

    def getLoggers(self):
        return self.loggers

    def updateLoggers(self):
        self.updates += 1

    def levels(self):
        return dict(self.loggers)


@pytest.fixture
def log4j(monkeypatch):
    fake = Log4j(**{_quiet.PRINTERS[0]: "DEBUG", "other": "WARN"})
    logging_ = SimpleNamespace(log4j=fake)
    apache = SimpleNamespace(apache=SimpleNamespace(logging=logging_))
    monkeypatch.setattr(_quiet, "_jvm", lambda: SimpleNamespace(org=apache))
    return fake


def test_quiet_around_our_statements_alone(log4j):
    printers, usual = _quiet.Printers(), log4j.levels()
    printers.prepare("show tables")
    assert log4j.levels() == usual and log4j.updates == 0
    printers.prepare(OURS)
    # what a user configured stays
    assert log4j.levels() == usual | dict.fromkeys(_quiet.PRINTERS[1:], OFF)
    printers.prepare(OURS)
    assert log4j.updates == 1
    printers.prepare("create table other as select 1")
    assert log4j.levels() == usual


def test_a_logger_that_a_user_turned_off_stays_off(log4j):
    log4j.loggers[_quiet.PRINTERS[1]] = OFF
    printers = _quiet.Printers()
    printers.prepare(OURS)
    printers.prepare("select 1")
    assert log4j.levels()[_quiet.PRINTERS[1]] == OFF


def test_spark_that_runs_elsewhere(monkeypatch):
    monkeypatch.setattr(_quiet, "_jvm", lambda: None)
    _quiet.Printers().prepare(OURS)


def test_spark_that_logs_by_something_else(log4j, monkeypatch):
    def no_configuration():
        raise RuntimeError("SLF4JLoggerContext has no getConfiguration")

    monkeypatch.setattr(log4j, "getConfiguration", no_configuration)
    _quiet.Printers().prepare(OURS)


def test_pyspark_prints_no_json():
    _quiet.Printers().silence_json()
    assert all(logging.getLogger(name).disabled for name in _quiet.JSON_PRINTERS)
