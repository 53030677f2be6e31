"""A project whose stream runs in a process of its own, with a Spark of its own: what a test starts,
waits for, kills and reads."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml

from tests.spark import JARS, REPO, without_spark

PROJECT = """
name: service
version: "1.0"
profile: dbt_changelog_integration_tests
flags: {send_anonymous_usage_stats: false, use_colors: false}
"""


class Service:
    """`jars`: folders of what Spark needs beside the jars of all tests."""

    def __init__(self, root: Path, files: dict[str, str], *jars: Path) -> None:
        self.root = root
        profile: dict[str, Any] = yaml.safe_load(
            (REPO / "integration_tests" / "profiles.yml").read_text(encoding="utf-8")
        )
        for output in profile["dbt_changelog_integration_tests"]["outputs"].values():
            settings = output.get("server_side_parameters", {})
            settings["spark.driver.extraClassPath"] = ":".join(f"{jar}/*" for jar in (JARS, *jars))
        self.write({"dbt_project.yml": PROJECT, "profiles.yml": yaml.safe_dump(profile), **files})
        (root / "dbt_packages").mkdir()
        (root / "dbt_packages" / "dbt_changelog").symlink_to(REPO, target_is_directory=True)

    def write(self, files: dict[str, str]) -> None:
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, encoding="utf-8")

    def start(self, *command: str, said: str = "said.txt") -> subprocess.Popen[bytes]:
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            # as in a job that a shell runs in the background: what it starts would ignore it, too
            signal.signal(signal.SIGINT, signal.default_int_handler)
        ours = {"DBT_CHANGELOG_WORK": str(self.root / "work"), "PYTHONPATH": str(REPO / "src")}
        with (self.root / said).open("w") as out:
            return subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=self.root,
                env={**without_spark(), **ours, "PYTHONUNBUFFERED": "1"},
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def stream(self) -> subprocess.Popen[bytes]:
        every = ["--every", "1 second", "--target", "dev"]
        return self.start("dbt_changelog._cli", "stream", "--select", "customers", *every)

    def dbt(self, *arguments: str, timeout: float = 600) -> str:
        process = self.start("dbt.cli.main", *arguments, said="dbt.txt")
        code, text = process.wait(timeout=timeout), (self.root / "dbt.txt").read_text()
        assert code == 0, text[-4000:]
        return text

    def said(self) -> str:
        return (self.root / "said.txt").read_text()

    def wait_until(self, is_true: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
        end = time.monotonic() + 480
        while not is_true():
            assert process.poll() is None and time.monotonic() < end, self.said()[-4000:]
            time.sleep(0.2)

    def wait_for(self, words: str, process: subprocess.Popen[bytes]) -> None:
        self.wait_until(lambda: words in self.said(), process)

    def end(self, process: subprocess.Popen[bytes]) -> None:
        """As a supervisor does: told to stop, it ends by itself and well."""
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(timeout=60) == 0, self.said()[-4000:]

    def check(self, query: str) -> None:
        """A data test: it passes if the query finds nothing."""
        self.write({"tests/customers.sql": query})
        self.dbt("test", "--target", "dev")


def kill(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL for it and all that it has started."""
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
