"""make cluster: the integration project, its stream too, on a Spark cluster of this machine.

A standalone master and two workers of pyspark listen on 127.0.0.1, each a process of its own, and
end with this script; dbt's process is the driver. All that is written lies in .work/cluster.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from over_server import JARS, ROOT, end_by_signals, free_port, stop

WORK = ROOT / ".work" / "cluster"
WORKERS, MEMORY = 2, "2g"
SECONDS_TO_START = 180
DEPLOY = "org.apache.spark.deploy"


def fail(what: str, problem: str, fix: str) -> NoReturn:
    sys.exit(f"Invalid {what} for make cluster: {problem}.\nTo fix: {fix}.")


def spark_class() -> str:
    spark = find_spec("pyspark")
    assert spark and spark.origin
    return str(Path(spark.origin).parent / "bin" / "spark-class")


def commands(port: int, number_of_workers: int = WORKERS) -> dict[str, list[str]]:
    """The processes of a cluster: {name: command}."""
    place = ["--host", "127.0.0.1", "--webui-port", "0"]
    master = [spark_class(), f"{DEPLOY}.master.Master", *place, "--port", str(port)]
    worker = [spark_class(), f"{DEPLOY}.worker.Worker", *place, "--cores", "1", "--memory", MEMORY]
    workers = {
        name: [*worker, "--work-dir", str(WORK / name), f"spark://127.0.0.1:{port}"]
        for name in (f"worker_{number}" for number in range(1, number_of_workers + 1))
    }
    return {"master": master} | workers


@contextmanager
def process(name: str, command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the cluster, until the end of the block; it writes to a log of its name."""
    environment = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_DAEMON_MEMORY": "512m"}
    with (WORK / f"{name}.log").open("w") as log:
        started = subprocess.Popen(
            command, cwd=WORK, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        yield started
    finally:
        stop(started)


def await_words(started: subprocess.Popen[bytes], name: str, words: str, times: int = 1) -> None:
    """Wait until the log of a process has said something."""
    log, deadline = WORK / f"{name}.log", time.monotonic() + SECONDS_TO_START
    while log.read_text(errors="replace").count(words) < times:
        if started.poll() is not None or time.monotonic() > deadline:
            fail(
                "cluster",
                f"its {name.replace('_', ' ')} did not say '{words}'",
                f"read .work/cluster/{name}.log; the cluster needs 5 GB of memory",
            )
        time.sleep(0.2)


@contextmanager
def cluster(workers: int = WORKERS) -> Iterator[int]:
    """A cluster until the end of the block or of the process, given the port of its master."""
    end_by_signals()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    started, port = time.monotonic(), free_port()
    print(f"Starting a master on port {port} and {workers} workers, logs are in .work/cluster")
    with ExitStack() as stack:
        for name, command in commands(port, workers).items():
            running = stack.enter_context(process(name, command))
            if name == "master":
                master = running
                await_words(master, name, "I have been elected leader")
        await_words(master, "master", "Registering worker", workers)
        print(f"They run after {time.monotonic() - started:.0f} seconds", flush=True)
        yield port


def main() -> None:
    if not list(JARS.glob("*.jar")):
        fail("set-up", "there are no jars in .work/jars", "run make setup")
    started = time.monotonic()
    with cluster() as port:
        (WORK / "jars").symlink_to("../jars")
        script = Path(__file__).with_name("whole_project.py")
        result = subprocess.run(
            [sys.executable, str(script), "cluster", str(WORK)],
            env=os.environ | {"DBT_CHANGELOG_PORT": str(port)},
        )
        if result.returncode:
            fail("result", "see above", "read .work/cluster/logs/dbt.log and the logs beside it")
        if len(list(WORK.glob("worker_*/app-*/*/stderr"))) < WORKERS:
            fail("result", "not every worker had an executor", "read .work/cluster/master.log")
    print(f"All of it passed on a cluster, in {time.monotonic() - started:.0f} seconds")


if __name__ == "__main__":
    main()
