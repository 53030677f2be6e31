"""dbt-changelog: streams that go on when a dbt run would end."""

from __future__ import annotations

import argparse
import json
import re
import signal
import sys
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from click import UsageError
from click.core import ParameterSource
from dbt.cli.main import cli, dbtRunner, dbtRunnerResult

from dbt_changelog._trigger import Service

FAILED, MISUSED = 1, 2
HELP = """
Exit codes: 0, a signal (SIGTERM, SIGINT) ended the streams after the micro-batch under way; 1, one
of them failed or runs elsewhere; 2, there was nothing to run, one of them reads another, or an
argument is wrong. Further arguments go to dbt run.
"""
# of dbt, before the command or after it
OPTIONS = ("--target", "--profile", "--profiles-dir", "--project-dir", "--vars")


def main(given: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="dbt-changelog", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    stream = commands.add_parser("stream", help="run streams until a signal ends them", epilog=HELP)
    stream.add_argument("--select", "-s", nargs="+", required=True, help="models, as dbt selects")
    stream.add_argument(
        "--every",
        default=Service.every,
        type=_interval,
        help="time between micro-batches, where the model sets none (default: %(default)s)",
    )
    status = commands.add_parser("status", help="each stream: where it runs, and its last batch")
    for option in OPTIONS:
        parser.add_argument(option, help="as dbt takes it")
        for command in (stream, status):
            # a default here would overwrite what stands before the command
            command.add_argument(option, help="as dbt takes it", default=argparse.SUPPRESS)
    arguments, rest = parser.parse_known_args(given)
    shared = []
    for option in OPTIONS:
        if value := getattr(arguments, option[2:].replace("-", "_")):
            shared += [option, value]
    if arguments.command == "status":
        return _run(["run-operation", "stream_status", *shared, *rest])
    return run_streams(arguments.select, arguments.every, [*shared, *rest])


def _interval(text: str) -> str:
    if not re.fullmatch(r"\d+ (millisecond|second|minute|hour)s?", text):
        raise argparse.ArgumentTypeError(f"'{text}' is no time; write for example '10 seconds'")
    return text


def run_streams(select: list[str], every: str, options: list[str]) -> int:
    try:
        given = _given(options)
    except UsageError as error:
        print(error.format_message(), file=sys.stderr)
        return MISUSED
    # dbt reads a text with spaces as several selections
    models = " ".join(select).split()
    only = [f"{one},config.materialized:changelog_stream" for one in models]
    parsed = _invoke(["--quiet", "parse"], **given)
    # no tests: dbt selects those of the models too
    keys = ["--resource-type", "model", "--output", "json", "--output-keys", "unique_id"]
    # dbt prints the list also when it is to be quiet
    with redirect_stdout(StringIO()):
        listed = _invoke(["--quiet", "list", "--select", *only, *keys], **given)
    if not (parsed.success and listed.success):
        return FAILED
    lines: Any = listed.result
    names = {json.loads(line)["unique_id"] for line in lines or []}
    if not names:
        print(f"No changelog_stream model is selected by: {' '.join(select)}", file=sys.stderr)
        return MISUSED
    manifest: Any = parsed.result
    nodes = manifest.nodes.items()
    parents = {of: node.depends_on.nodes for of, node in nodes if hasattr(node, "depends_on")}
    for name in sorted(names):
        if names & _read_by(name, parents):
            print(
                f"{name} reads another one of the selected streams, and would wait for its end.\n"
                "To fix: run each of them by a command of its own.",
                file=sys.stderr,
            )
            return MISUSED
    Service.is_on, Service.every = True, every
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: Service.stop.set())
    return _run(["run", "--select", *only, "--threads", str(len(names)), *options])


def _given(options: list[str]) -> dict[str, Any]:
    """What dbt run is given, by the names that all commands of dbt have for it."""
    context = cli.commands["run"].make_context("run", [*options])
    source = context.get_parameter_source
    return {
        name: value
        for name, value in context.params.items()
        if source(name) is ParameterSource.COMMANDLINE
    }


def _read_by(name: str, parents: dict[str, list[str]]) -> set[str]:
    """All nodes that a node reads, by way of others too."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        new = set(parents.get(waiting.pop(), [])) - found
        found |= new
        waiting += new
    return found


def _run(command: list[str]) -> int:
    return 0 if _invoke(command).success else FAILED


def _invoke(command: list[str], **given: Any) -> dbtRunnerResult:
    result = dbtRunner().invoke(command, **given)
    if result.exception is not None:
        print(result.exception, file=sys.stderr)
    return result


if __name__ == "__main__":
    sys.exit(main())
