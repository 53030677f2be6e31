"""Streams in a process of their own, that follow a folder: `dbt-changelog stream`, until a signal
ends it, and `dbt run`, until it is interrupted or another model fails."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from .service import Service, kill

CUSTOMERS = """
{{ config(materialized='changelog_stream', function='from_changelog', unique_key='id',
          sequence_by='lsn', changelog=true, state_ttl='0', checkpoint_location='ROOT/checkpoint',
          trigger=var('trigger', 'available_now'),
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}) }}
select * from {{ dbt_changelog.stream(format='json', schema='op string, id int, name string,'
  ~ ' lsn int', options={'path': 'ROOT/events', 'maxFilesPerTrigger': 1}) }}
"""
# a changelog of each event once, that folds to the contents
CHECK = """
with changelog as (
  select * from {{ ref('customers').incorporate(path={'identifier': 'customers__changelog'}) }}
),
expected as (
  select * from values {ROWS} as t (id, name)
)
(select id, name from {{ ref('customers') }} except all select * from expected)
union all
(select * from expected except all select id, name from {{ ref('customers') }})
union all
select id, 'twice' from changelog group by id, _sequence, _row_kind having count(*) > 1
"""


class Events:
    """A folder with an event in each file."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.count = folder, 0
        folder.mkdir()

    def add(self, op: str, id: int, name: str | None) -> None:
        self.count += 1
        line = json.dumps({"op": op, "id": id, "name": name, "lsn": self.count})
        hidden = self.folder / f".{self.count}.json"
        hidden.write_text(line)
        hidden.rename(self.folder / f"{self.count}.json")


@pytest.mark.thorough
def test_a_stream_goes_on_until_it_is_told_to_stop(tmp_path):
    events = Events(tmp_path / "events")
    service = Service(tmp_path, {"models/customers.sql": CUSTOMERS.replace("ROOT", str(tmp_path))})
    events.add("c", 1, "Ada")
    process = service.stream()
    service.wait_for("customers: batch 1,", process)
    # another process, which has other tables and the same checkpoint
    assert "runs in process" in service.dbt("run", "--target", "ci")
    events.add("u", 1, "Eve")
    service.wait_for("customers: batch 2,", process)
    kill(process)
    events.add("c", 2, "Ben")
    process = service.stream()
    service.wait_for("customers: batch 3,", process)
    service.end(process)
    # in a process that has no session yet
    assert "does not run, batch 3," in service.dbt("run-operation", "stream_status")
    service.check(CHECK.replace("{ROWS}", "(1, 'Eve'), (2, 'Ben')"))


FOLLOW = """{trigger: {processing_time: '1 second', run_for: '1 hour'}}"""
BROKEN = """
from pathlib import Path
from time import sleep


def model(dbt, session):
    dbt.config(materialized="table")
    while not Path("ROOT/break").exists():
        sleep(0.1)
    return session.table("no_such_table")
"""


def interrupt(service: Service, process: subprocess.Popen[bytes]) -> None:
    """As Ctrl-C does in a terminal: the signal goes to all processes."""
    os.killpg(process.pid, signal.SIGINT)


def fail_another(service: Service, process: subprocess.Popen[bytes]) -> None:
    (service.root / "break").touch()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("select", "end", "code", "words"),
    [
        ("customers", interrupt, 2, "Exited because of keyboard interrupt"),
        ("customers broken", fail_another, 1, "ERROR=1 SKIP=1"),
    ],
)
def test_a_run_that_is_to_end_ends_after_the_micro_batch_under_way(
    tmp_path, select, end, code, words
):
    events = Events(tmp_path / "events")
    models = {"models/customers.sql": CUSTOMERS, "models/broken.py": BROKEN}
    service = Service(tmp_path, {of: s.replace("ROOT", str(tmp_path)) for of, s in models.items()})
    events.add("c", 1, "Ada")
    run = ["run", "--target", "dev", "--threads", "2", "--vars", FOLLOW, "--log-level", "debug"]
    process = service.start("dbt.cli.main", *run, "--fail-fast", "--select", *select.split())
    service.wait_for("customers: batch 1,", process)
    staged = service.said().count("customers__changes")
    events.add("u", 1, "Eve")
    service.wait_until(lambda: service.said().count("customers__changes") > staged, process)
    events.add("u", 1, "Eva")
    end(service, process)
    assert process.wait(timeout=120) == code, service.said()[-4000:]
    said = service.said()
    assert "customers: batch 2," in said and "customers: batch 3," not in said, said[-4000:]
    assert words in said
    # the position is noted on both sides: the rest is one more batch
    assert "batch 3, 0 rows inserted, 1 rows updated" in service.dbt(
        "run", "--target", "dev", "--select", "customers"
    )
    service.check(CHECK.replace("{ROWS}", "(1, 'Eva')"))
