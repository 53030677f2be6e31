"""dbt-changelog stream: which of the selected nodes it runs. dbt lists them, nothing is run."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from dbt_changelog import _cli

STREAM = "{{ config(materialized='changelog_stream') }} select 1 as id"
OUTPUT = "{type: spark, method: session, host: NA, schema: s}"
PROFILE = f"{{p: {{target: d, outputs: {{d: {OUTPUT}, prod: {OUTPUT}}}}}}}"
FLAGS = "{send_anonymous_usage_stats: false}"
FILES = {
    "dbt_project.yml": f"{{name: p, version: '1.0', profile: p, flags: {FLAGS}}}",
    "profiles.yml": PROFILE,
    "models/customers.sql": STREAM,
    "models/orders.sql": STREAM,
    "models/models.yml": """
        models: [{name: customers, columns: [{name: id, data_tests: [not_null]}]}]
    """,
    "tests/no_customer.sql": "select * from {{ ref('customers') }}",
}


@pytest.fixture
def stream(tmp_path, monkeypatch):
    """Runs the command; gives its exit code and the commands that dbt would have run."""
    runs: list[list[str]] = []

    def run(command: list[str]) -> int:
        runs.append(command)
        return 0

    monkeypatch.setattr(_cli, "_run", run)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(_cli.Service, "is_on", False)
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.chdir(tmp_path)

    def call(*select: str, before: tuple[str, ...] = ()) -> tuple[int, list[list[str]]]:
        return _cli.main([*before, "stream", "--select", *select]), runs

    return call


def test_the_data_tests_of_a_stream_are_none(stream, capsys):
    code, (run,) = stream("customers")
    assert code == 0 and "unique_id" not in capsys.readouterr().out
    assert run[:3] == ["run", "--select", "customers,config.materialized:changelog_stream"]
    assert run[3:] == ["--threads", "1"]


def test_streams_that_read_each_other_are_refused(stream, capsys):
    text = STREAM.replace("select", "select * from {{ ref('customers') }} --")
    Path("models/orders.sql").write_text(text)
    assert stream("customers", "orders") == (_cli.MISUSED, [])
    assert "model.p.orders reads another one of the selected streams" in capsys.readouterr().err


def test_no_stream_is_selected(stream, capsys):
    assert stream("no_such_model") == (_cli.MISUSED, [])
    assert "No changelog_stream model is selected by: no_such_model" in capsys.readouterr().err


@pytest.mark.parametrize("before", [(), ("--target", "prod")])
def test_an_option_of_dbt_may_stand_before_the_command_or_after_it(stream, before):
    after = () if before else ("--target", "prod")
    code, (run,) = stream("customers", *after, before=before)
    assert code == 0 and run[-2:] == ["--target", "prod"]


def test_the_help_of_stream_has_the_options_of_dbt(capsys):
    with pytest.raises(SystemExit):
        _cli.main(["stream", "--help"])
    shown = capsys.readouterr().out
    assert all(option in shown for option in _cli.OPTIONS)


ONLY_PROD = "{{ config(enabled=target.name == 'prod') }}\n" + STREAM


def test_further_arguments_choose_the_streams_too(stream):
    code, (run,) = stream("customers", "orders", "--exclude", "orders")
    assert code == 0 and run[run.index("--threads") + 1] == "1"
    assert run[-2:] == ["--exclude", "orders"]


def test_a_model_that_only_the_target_has_is_found(stream):
    Path("models/orders.sql").write_text(ONLY_PROD)
    assert stream("orders", "-t", "prod")[0] == 0


def test_arguments_that_only_dbt_run_takes_are_left_to_it(stream):
    code, (run,) = stream("customers", "--full-refresh", "--fail-fast")
    assert code == 0 and run[-2:] == ["--full-refresh", "--fail-fast"]


@pytest.mark.parametrize("wrong", ["--no-such-flag", "--threads many", "--exclude"])
def test_a_wrong_argument_is_misuse(stream, wrong, capsys):
    assert stream("customers", *wrong.split()) == (_cli.MISUSED, [])
    assert wrong.split()[0] in capsys.readouterr().err
