"""make thrift, make connect: the integration project over a Spark server of its own.

    python scripts/over_server.py thrift|connect

The server has the settings of the target `dev` in integration_tests/profiles.yml, a free port, and
ends with this script. All that it and dbt write lies in .work/thrift or .work/connect.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

import yaml
from jinja2 import Environment
from whole_project import STEPS

ROOT = Path(__file__).resolve().parent.parent
PROJECT, JARS = ROOT / "integration_tests", ROOT / ".work" / "jars"
SECONDS_TO_START = 180


@dataclass(frozen=True)
class Server:
    """A Spark server: its class, how it is told its address, what dbt's side needs."""

    name: str
    main_class: str
    flag: str
    address: str
    port: str
    module: str
    # what does not run over it: dbt's selectors, each with the reason
    excluded: tuple[tuple[str, str], ...] = ()

    @property
    def work(self) -> Path:
        return ROOT / ".work" / self.name


STREAMS = ("path:models/stream", "a stream needs Spark in dbt's own process")
SERVERS = {
    "thrift": Server(
        name="thrift",
        main_class="org.apache.spark.sql.hive.thriftserver.HiveThriftServer2",
        flag="--hiveconf",
        address="hive.server2.thrift.bind.host",
        port="hive.server2.thrift.port",
        module="pyhive",
        excluded=(STREAMS,),
    ),
    "connect": Server(
        name="connect",
        main_class="org.apache.spark.sql.connect.service.SparkConnectServer",
        flag="--conf",
        address="spark.connect.grpc.binding.address",
        port="spark.connect.grpc.binding.port",
        module="grpc",
        excluded=(STREAMS,),
    ),
}


def fail(what: str, problem: str, fix: str) -> NoReturn:
    sys.exit(f"Invalid {what} for make {sys.argv[1]}: {problem}.\nTo fix: {fix}.")


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


def settings(server: Server) -> dict[str, str]:
    """Those of the target `dev`, and all that is written below .work."""
    text = (PROJECT / "profiles.yml").read_text(encoding="utf-8")
    variables = {"DBT_CHANGELOG_WORK": str(server.work), "PWD": str(PROJECT)}
    jinja = Environment()
    jinja.filters["as_number"] = int
    rendered = jinja.from_string(text).render(env_var=variables.get)
    target = yaml.safe_load(rendered)["dbt_changelog_integration_tests"]["outputs"]["dev"]
    found = {name: str(value) for name, value in target["server_side_parameters"].items()}
    temporary = str(server.work / "tmp")
    found["spark.driver.extraJavaOptions"] += f" -Djava.io.tmpdir={temporary}"
    places = ("spark.local.dir", "spark.hadoop.hadoop.tmp.dir", "spark.hadoop.hive.exec.scratchdir")
    return found | dict.fromkeys(places, temporary)


def command(server: Server, port: int) -> list[str]:
    spark = find_spec("pyspark")
    assert spark and spark.origin
    words = [str(Path(spark.origin).parent / "bin" / "spark-submit"), "--class", server.main_class]
    for name, value in settings(server).items():
        words += ["--conf", f"{name}={value}"]
    place = [server.flag, f"{server.address}=127.0.0.1", server.flag, f"{server.port}={port}"]
    # what stands before spark-internal is for spark-submit, what stands after it for the server
    if server.flag == "--conf":
        return [*words, *place, "spark-internal"]
    return [*words, "spark-internal", *place]


@contextmanager
def running(server: Server, port: int) -> Iterator[None]:
    """The server, from the moment that it takes connections until the end of the block."""
    log = server.work / "server.log"
    environment = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1"}
    # it would make of the server a client
    environment.pop("SPARK_REMOTE", None)
    with log.open("w") as output:
        process = subprocess.Popen(
            command(server, port),
            cwd=server.work,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        await_port(process, port, log)
        yield
    finally:
        stop(process)


def end_by_signals() -> None:
    """A signal ends this process as an error does: with what it has started."""
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))


def stop(process: subprocess.Popen[bytes]) -> None:
    """End the server with all that it has started."""
    for kind in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is None:
            os.killpg(process.pid, kind)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=30)


def await_port(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as one:
            one.settimeout(1)
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    lines = log.read_text(errors="replace").splitlines()
    errors = [line for line in lines if "Exception" in line or "ERROR" in line] or lines
    said = f"and says '{errors[0].strip()[:300]}'" if errors else "and says nothing"
    state = "did not start" if process.poll() is None else f"ended with status {process.returncode}"
    fail(
        "server",
        f"it {state} {said}",
        f"read {log.relative_to(ROOT)}; make setup fetches its jars, and it needs 2 GB of memory",
    )


def dbt(server: Server, port: int, *arguments: str, fails: bool = False) -> None:
    """Run dbt as a user would, and stop if it does not end as it should."""
    print(f"\n$ dbt {' '.join(arguments)}", flush=True)
    words = 2 if arguments[0] == "docs" else 1
    options = ["--no-version-check", "--log-path", str(server.work / "logs")]
    options += ["--target", server.name]
    if arguments[0] != "deps":
        options += ["--target-path", str(server.work / "target")]
    environment = os.environ | {
        "PWD": str(PROJECT),
        "DBT_CHANGELOG_WORK": str(server.work),
        "DBT_CHANGELOG_PORT": str(port),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    }
    if server.name == "connect":
        environment["SPARK_REMOTE"] = f"sc://127.0.0.1:{port}"
        # dbt-spark asks for Hive in each statement, and pyspark warns in each that it is too late
        environment["PYTHONWARNINGS"] = "ignore:Failed to set spark.sql.catalogImplementation"
    dbt_command = [str(Path(sys.executable).with_name("dbt")), "--quiet"]
    result = subprocess.run(
        [*dbt_command, *arguments[:words], *options, *arguments[words:]],
        cwd=PROJECT,
        env=environment,
    )
    if bool(result.returncode) != fails:
        fail(
            "result",
            f"dbt {arguments[0]} did not {'fail' if fails else 'succeed'}, see above",
            f"read .work/{server.name}/logs/dbt.log and .work/{server.name}/server.log",
        )


def main() -> None:
    if sys.argv[1:] not in (["thrift"], ["connect"]):
        sys.exit(__doc__)
    server = SERVERS[sys.argv[1]]
    end_by_signals()
    if not list(JARS.glob("*.jar")):
        fail("set-up", "there are no jars in .work/jars", "run make setup")
    if find_spec(server.module) is None:
        fail("set-up", f"there is no Python module {server.module}", "run make setup")
    shutil.rmtree(server.work, ignore_errors=True)
    (server.work / "tmp").mkdir(parents=True)
    (server.work / "jars").symlink_to("../jars")
    exclude = [word for selector, _ in server.excluded for word in ("--exclude", selector)]
    for selector, reason in server.excluded:
        print(f"Left out over {server.name}: {selector}: {reason}")
    started, port = time.monotonic(), free_port()
    print(f"Starting the server on port {port}, its log is .work/{server.name}/server.log")
    with running(server, port):
        print(f"It takes connections after {time.monotonic() - started:.0f} seconds", flush=True)
        for words, fails in STEPS:
            dbt(server, port, *words, *(exclude if words[0] == "build" else ()), fails=fails)
        dbt(server, port, "run", "--select", STREAMS[0], fails=True)
    print(f"\nAll of it passed over {server.name}, in {time.monotonic() - started:.0f} seconds")


if __name__ == "__main__":
    main()
