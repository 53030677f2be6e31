"""make thrift, make connect: what is started and what is said when it does not start. No Spark."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

import over_server
import pytest

SERVERS = pytest.mark.parametrize("name", ["thrift", "connect"])


@pytest.fixture
def server(monkeypatch, tmp_path, name):
    monkeypatch.setattr(over_server, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "argv", ["over_server", name])
    server = over_server.SERVERS[name]
    server.work.mkdir(parents=True)
    return server


@SERVERS
def test_the_server_has_the_settings_of_dev_and_writes_below_its_folder(server):
    found = over_server.settings(server)
    assert found["spark.sql.catalog.spark_catalog"].endswith("DeltaCatalog")
    assert found["spark.driver.extraClassPath"] == f"{server.work}/jars/*"
    places = [found["spark.sql.warehouse.dir"], found["spark.local.dir"]]
    places += [found["spark.hadoop.hive.exec.scratchdir"], found["spark.hadoop.hadoop.tmp.dir"]]
    assert all(place.startswith(f"{server.work}/") for place in places)
    assert (
        f"databaseName={server.work}/metastore;"
        in found["spark.hadoop.javax.jdo.option.ConnectionURL"]
    )
    assert f"-Djava.io.tmpdir={server.work}/tmp" in found["spark.driver.extraJavaOptions"]
    assert not [name for name, value in found.items() if "env_var" in value]


@SERVERS
def test_it_listens_only_to_this_machine_on_the_given_port(server):
    words = over_server.command(server, 12345)
    assert f"{server.address}=127.0.0.1" in words
    assert f"{server.port}=12345" in words
    # what stands after spark-internal is for the server: spark-submit knows no --hiveconf
    application = words[words.index("spark-internal") :]
    assert ("--hiveconf" in application) == (server.name == "thrift")
    assert "--hiveconf" not in words[: words.index("spark-internal")]


def test_a_free_port_can_be_taken():
    with socket.socket() as one:
        one.bind(("127.0.0.1", over_server.free_port()))


@SERVERS
def test_a_server_that_ends_is_named_with_what_it_said(server):
    log = server.work / "server.log"
    log.write_text("a line\njava.net.BindException: Address already in use\n")
    ended = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    ended.wait()
    with pytest.raises(SystemExit) as caught:
        over_server.await_port(ended, over_server.free_port(), log)
    assert str(caught.value) == (
        f"Invalid server for make {server.name}: it ended with status 3 and says "
        "'java.net.BindException: Address already in use'.\n"
        f"To fix: read .work/{server.name}/server.log; make setup fetches its jars, "
        "and it needs 2 GB of memory."
    )


@SERVERS
def test_a_server_ends_with_what_it_started(server):
    child = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'input()'])"
    process = subprocess.Popen([sys.executable, "-c", child], start_new_session=True,
                               stdin=subprocess.PIPE)  # fmt: skip
    over_server.stop(process)
    assert process.poll() is not None


def test_a_signal_ends_it_as_an_error_does():
    code = (
        "import os, signal, over_server\n"
        "over_server.end_by_signals()\n"
        "try:\n    os.kill(os.getpid(), signal.SIGTERM)\n    signal.pause()\n"
        "finally:\n    print('stopped')\n"
    )
    scripts = over_server.PROJECT.parent / "scripts"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=scripts, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stdout) == (128 + signal.SIGTERM, "stopped\n")


def test_an_unknown_server(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["over_server", "livy"])
    with pytest.raises(SystemExit, match="thrift|connect"):
        over_server.main()
