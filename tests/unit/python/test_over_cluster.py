"""make cluster: what is started, and what is said when it does not start. No Spark."""

from __future__ import annotations

import subprocess
import sys

import over_cluster
import pytest
import yaml
from jinja2 import Environment


def test_a_master_and_two_workers_listen_only_to_this_machine():
    commands = over_cluster.commands(12345)
    assert list(commands) == ["master", "worker_1", "worker_2"]
    for words in commands.values():
        assert words[words.index("--host") + 1] == "127.0.0.1"
    assert commands["master"][-2:] == ["--port", "12345"]
    workers = [commands[name] for name in ("worker_1", "worker_2")]
    assert {words[-1] for words in workers} == {"spark://127.0.0.1:12345"}
    assert len({words[words.index("--work-dir") + 1] for words in workers}) == 2


def test_the_target_is_dev_on_that_master():
    jinja = Environment()
    jinja.filters["as_number"] = int
    text = (over_cluster.ROOT / "integration_tests" / "profiles.yml").read_text(encoding="utf-8")
    given = {"PWD": "/here", "DBT_CHANGELOG_PORT": "12345"}
    rendered = jinja.from_string(text).render(
        env_var=lambda name, default="": given.get(name) or default
    )
    outputs = yaml.safe_load(rendered)["dbt_changelog_integration_tests"]["outputs"]
    ours, usual = (outputs[name]["server_side_parameters"] for name in ("cluster", "dev"))
    assert ours["spark.master"] == "spark://127.0.0.1:12345"
    assert ours["spark.executor.extraClassPath"] == ours["spark.driver.extraClassPath"]
    own = {"spark.master"} | {name for name in ours if name.startswith("spark.executor.")}
    assert {name: ours[name] for name in usual if name not in own} == {
        name: value for name, value in usual.items() if name not in own
    }


def test_a_process_that_ends_is_named_with_its_log(monkeypatch, tmp_path):
    monkeypatch.setattr(over_cluster, "WORK", tmp_path)
    (tmp_path / "worker_1.log").write_text("a line\n")
    ended = subprocess.Popen([sys.executable, "-c", "raise SystemExit(3)"])
    ended.wait()
    with pytest.raises(SystemExit) as caught:
        over_cluster.await_words(ended, "worker_1", "Registering worker")
    assert str(caught.value) == (
        "Invalid cluster for make cluster: its worker 1 did not say 'Registering worker'.\n"
        "To fix: read .work/cluster/worker_1.log; the cluster needs 5 GB of memory."
    )
