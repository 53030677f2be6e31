"""The integration project from its first batch to its report, by the dbt of this Python, in one
process: what make cluster and make dbt-1.12 run.

    python scripts/whole_project.py TARGET WORK

TARGET is one of integration_tests/profiles.yml whose Spark is in dbt's process; all that is written
lies in the folder WORK, which must have the jars.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent / "integration_tests"
CHAINS = ("path:models/shop", "path:models/many_tables", "path:models/log", "path:models/stream")
FAILURE = ("--vars", "{dbt_changelog_fail_after: write state}")
# dbt's words, and whether they must fail
STEPS: tuple[tuple[tuple[str, ...], bool], ...] = (
    (("deps",), False),
    (("run-operation", "land_batch", "--args", "{batch: 1}"), False),
    (("build",), False),
    (("run-operation", "land_batch", "--args", "{batch: 2}"), False),
    (("run", "--select", "customers", *FAILURE), True),
    (("build", "--select", *CHAINS), False),
    (("run", "--select", "package:dbt_changelog"), False),
    (("run-operation", "diagnose", "--args", "{model: customers}"), False),
)


class Listener:
    """What dbt says that a user should not have to read."""

    def __init__(self) -> None:
        self.warnings: list[str] = []

    def hear(self, event: Any) -> None:
        if event.info.level == "warn" or "Deprecat" in event.info.name:
            self.warnings.append(f"{event.info.name}: {event.info.msg}")


def dbt(target: str, work: Path, words: tuple[str, ...], fails: bool, listener: Listener) -> int:
    """Run a dbt command as a user would; the number of tests that passed."""
    # not above: the environment must be set before
    from dbt.cli.main import dbtRunner

    print(f"\n$ dbt {' '.join(words)}", flush=True)
    options = ["--target", target, "--log-path", str(work / "logs")]
    if words[0] != "deps":
        options += ["--target-path", str(work / "target")]
    result = dbtRunner(callbacks=[listener.hear]).invoke(
        ["--quiet", "--show-all-deprecations", words[0], *options, *words[1:]]
    )
    if result.exception:
        print(result.exception)
    if result.success == fails:
        sys.exit(f"dbt {words[0]} was expected to {'fail' if fails else 'succeed'}, see above")
    results = [(str(one.status), one) for one in getattr(result.result, "results", None) or []]
    if results:
        kinds = sorted({status for status, _ in results})
        found = [f"{sum(s == kind for s, _ in results)} {kind}" for kind in kinds]
        print(f"  {', '.join(found)}")
    return sum(status == "pass" for status, _ in results)


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    target, work, started = sys.argv[1], Path(sys.argv[2]).resolve(), time.monotonic()
    os.chdir(PROJECT)
    os.environ |= {"PWD": str(PROJECT), "DBT_CHANGELOG_WORK": str(work)}
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    logging.getLogger("SQLQueryContextLogger").disabled = True
    listener = Listener()
    passed = sum(dbt(target, work, words, fails, listener) for words, fails in STEPS)
    if listener.warnings:
        sys.exit("dbt warned:\n" + "\n".join(listener.warnings))

    from pyspark.sql import SparkSession

    context = SparkSession.builder.getOrCreate().sparkContext
    executors = context._jsc.sc().statusTracker().getExecutorInfos()
    # one is the driver
    number = len(executors) - 1
    where = f"{context.master} with {number} executors" if number else context.master
    found = (f"{name} {version(name)}" for name in ("dbt-core", "dbt-spark", "pyspark"))
    print(f"\n{passed} tests passed: {', '.join(found)}, on {where}", end="")
    print(f", in {time.monotonic() - started:.0f} seconds")


if __name__ == "__main__":
    main()
