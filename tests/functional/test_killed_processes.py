"""dbt processes that are killed with -9 at random moments: the next run goes on as if nothing had
happened.

Spark runs inside them, with a metastore and tables on disk. A failure names the seed and the
moment; DBT_CHANGELOG_SEED=.. draws other moments, DBT_CHANGELOG_KILLS=5 kills a hundred, as
`make test-thorough` does.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import pytest

from tests.spark import REPO, without_spark

from .changelogs import SEED
from .project import SCHEMA_NAME, process_profile

KILLS = int(os.environ.get("DBT_CHANGELOG_KILLS", "1"))
# models and their tests
BUILD = ["build", "--resource-type", "model", "--resource-type", "test"]
DBT_PROJECT = """
name: killed
version: "1.0"
profile: dbt_changelog_integration_tests
flags: {send_anonymous_usage_stats: false, use_colors: false}
vars: {batch: 1}
on-run-end: "{{ check_batches(results) }}"
models:
  killed:
    events: {+materialized: view}
    tables:
      +file_format: FORMAT
      +schema: SCHEMA
      customers: {+location_root: ROOT}
"""
# what a run committed has its row for people
CHECK_BATCHES = """
{% macro check_batches(results) -%}
{%- set ran, committed = namespace(schema=none), [] -%}
{%- for result in results if (result.message or '').startswith('batch ') -%}
{%- do committed.append(result.node.name) -%}
{%- set ran.schema = result.node.schema -%}
{%- endfor -%}
{%- set rows = run_query('select count(*) from ' ~ ran.schema ~ '.dbt_changelog_batches'
    ~ " where invocation_id = '" ~ invocation_id ~ "'").rows[0][0] if committed else 0 -%}
{%- do exceptions.raise_compiler_error('only ' ~ rows ~ ' rows of ' ~ committed | join(', '))
    if rows < committed | length -%}
{%- endmacro %}
"""
EVENTS = """
select op, id, name, lsn from {{ ref('log') }} where batch <= {{ var('batch') }}
"""
CUSTOMERS = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn', changelog=true,
          state_ttl='0', read={'column': 'lsn'},
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}) }}
select * from {{ dbt_changelog.new_rows(ref('events')) }}
"""
CONTENTS = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
          read={'column': 'lsn'},
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}) }}
select * from {{ dbt_changelog.new_rows(ref('events')) }}
"""
BAG = """
{{ config(materialized='from_changelog', read={'column': 'lsn', 'strict': true},
          op_mapping={'c, u': 'INSERT', 'd': 'DELETE'}) }}
select op, name, lsn from (select * from {{ dbt_changelog.new_rows(ref('events')) }})
"""
FEED = """
{{ config(materialized='to_changelog', unique_key='id') }}
select * from {{ ref('contents') }}
"""
CHANGES = """
{{ config(materialized='to_changelog', unique_key='id') }}
select * from {{ dbt_changelog.changes(ref('customers')) }}
"""
# what is not as a replay of the log has it
CHECK = """
with replay as (REPLAY),
found as (FOUND)
(select * from replay except all select * from found)
union all
(select * from found except all select * from replay)
"""
REPLAY = """
  select id, name, lsn from (
    select *, row_number() over (partition by id order by lsn desc) as place
    from {{ ref('log') }} where batch <= {{ var('batch') }}
  ) where place = 1 and op <> 'd'
"""
REPLAY_BAG = """
  select name, lsn from {{ ref('log') }} where batch <= {{ var('batch') }} and op <> 'd'
"""
FOLD = """
  select id, name, lsn from (
    select *, row_number() over (partition by id order by ORDER desc) as place from TABLE
  ) where place = 1 and KIND <> 'DELETE'
"""
CHANGELOG = "{{ ref('customers').incorporate(path={'identifier': 'customers__changelog'}) }}"
FOUND = {
    "bag": "select name, lsn from {{ ref('bag') }}",
    "customers": "select id, name, lsn from {{ ref('customers') }}",
    "contents": "select id, name, lsn from {{ ref('contents') }}",
    "changelog": FOLD.replace("ORDER", "struct(_batch_id, _sequence, _ordinal)").replace(
        "TABLE", CHANGELOG).replace("KIND", "_row_kind"),
    **{
        name: FOLD.replace("ORDER", "struct(_batch_id, _position)")
        .replace("TABLE", f"{{{{ ref('{name}') }}}}")
        .replace("KIND", "op")
        for name in ("feed", "changes")
    },
}  # fmt: skip
# a position of a key is one event
CHECK_TWICE = """
select _batch_id, id, _position from {{ ref('feed') }} group by all having count(*) > 1
union all
select _batch_id, id, _position from {{ ref('changes') }} group by all having count(*) > 1
"""


def log() -> str:
    """Two batches of events, as a seed."""
    chance, live, lines = Random(SEED), set(), ["batch,op,id,name,lsn"]
    for lsn in range(80):
        key = chance.randint(1, 15)
        op = "c" if key not in live else chance.choice("uud")
        live = live - {key} if op == "d" else live | {key}
        lines.append(f"{1 if lsn < 50 else 2},{op},{key},{chance.choice('abc')},{lsn}")
    return "\n".join(lines) + "\n"


class Processes:
    """A project whose warehouse can be put back to what it was before the kill."""

    def __init__(self, root: Path, storage: str) -> None:
        self.root, self.storage = root / "project", storage
        self.work, self.kept = root / "work", root / "kept"
        self.work.mkdir(parents=True)
        self.durations: dict[str, float] = {}
        schema = "lake.killed" if storage == "iceberg" else "tables"
        files = {
            "dbt_project.yml": DBT_PROJECT.replace("FORMAT", storage)
            .replace("SCHEMA", schema)
            # a path-based catalog of Iceberg has one place for its tables
            .replace("ROOT", str(self.work / "rooted") if storage == "delta" else "null"),
            "profiles.yml": process_profile(),
            "macros/generate_schema_name.sql": SCHEMA_NAME,
            "macros/check_batches.sql": CHECK_BATCHES,
            "seeds/log.csv": log(),
            "models/events/events.sql": EVENTS,
            **{
                f"models/tables/{name}.sql": text
                for name, text in {"customers": CUSTOMERS, "contents": CONTENTS, "bag": BAG,
                                   "feed": FEED, "changes": CHANGES}.items()
            },
            **{
                f"tests/{name}.sql": CHECK.replace(
                    "REPLAY", REPLAY_BAG if name == "bag" else REPLAY
                ).replace("FOUND", found)
                for name, found in FOUND.items()
            },
            "tests/twice.sql": CHECK_TWICE,
        }  # fmt: skip
        for path, text in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        (self.root / "dbt_packages").mkdir()
        (self.root / "dbt_packages" / "dbt_changelog").symlink_to(REPO, target_is_directory=True)
        self.finish("seed")
        self.keep("empty")
        self.finish(*BUILD)
        self.keep("first")

    def keep(self, name: str) -> None:
        shutil.copytree(self.work, self.kept / name)

    def put_back(self, name: str) -> None:
        shutil.rmtree(self.work)
        shutil.copytree(self.kept / name, self.work)

    def start(self, *arguments: str) -> tuple[subprocess.Popen[bytes], Path]:
        said = self.root / "said.txt"
        target = "iceberg" if self.storage == "iceberg" else "dev"
        command = [str(Path(sys.executable).parent / "dbt"), *arguments, "--target", target]
        ours = {"DBT_CHANGELOG_WORK": str(self.work), "PYTHONPATH": str(REPO / "src")}
        with said.open("w") as out:
            process = subprocess.Popen(
                command,
                cwd=self.root,
                env={**without_spark(), **ours, "PYTHONUNBUFFERED": "1"},
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        return process, said

    def finish(self, *arguments: str) -> None:
        process, said = self.start(*arguments)
        assert process.wait(timeout=600) == 0, said.read_text()[-6000:]

    def kill(self, moment: float, *arguments: str) -> bool:
        """Kill a run some seconds after its first model began; False if it ended before."""
        process, said = self.start(*arguments)
        while process.poll() is None and " START " not in said.read_text():
            time.sleep(0.05)
        try:
            process.wait(timeout=moment)
            return False
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return True

    def duration(self, *arguments: str) -> float:
        """How long the models of such a run take."""
        process, said = self.start(*arguments)
        while " START " not in said.read_text():
            assert process.poll() is None, said.read_text()[-6000:]
            time.sleep(0.05)
        began = time.monotonic()
        assert process.wait(timeout=600) == 0, said.read_text()[-6000:]
        return time.monotonic() - began


RUNS = {
    "first": ("empty", ["run"]),
    "next": ("first", ["run", "--vars", "batch: 2"]),
    "refresh": ("first", ["run", "--full-refresh", "--vars", "batch: 2"]),
}
MOMENTS = [*(("first", n) for n in range(2)), *(("next", n) for n in range(5)),
           *(("refresh", n) for n in range(3))]  # fmt: skip


@pytest.fixture(scope="module", params=["delta", "iceberg"])
def processes(request, tmp_path_factory):
    return Processes(tmp_path_factory.mktemp("killed"), request.param)


@pytest.mark.thorough
@pytest.mark.parametrize(("when", "number"), MOMENTS)
def test_a_run_after_a_kill_is_right(processes, when, number):
    before, arguments = RUNS[when]
    if when not in processes.durations:
        processes.put_back(before)
        processes.durations[when] = processes.duration(*arguments)
    seed = f"{SEED}:{processes.storage}:{when}:{number}"
    chance = Random(seed)
    for _ in range(KILLS):
        moment = chance.uniform(0, processes.durations[when])
        processes.put_back(before)
        while not processes.kill(moment, *arguments):
            processes.put_back(before)
            moment /= 2
        try:
            rest = arguments[arguments.index("--vars") :] if "--vars" in arguments else []
            processes.finish(*BUILD, *rest)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}, killed after {moment:.2f} s: {error}") from error
