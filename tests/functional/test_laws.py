"""The laws (docs/concepts/laws.md) for random changelogs: what macros and models make of them is
what the reference model makes of them.

Hundreds of logs go through each model at once. A failure names the seed, the log, and how to run
it alone: DBT_CHANGELOG_SEED=.. DBT_CHANGELOG_LOG=SHAPE:NUMBER. DBT_CHANGELOG_LOGS is the number of
logs of a shape, for a longer search.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from . import changelogs
from .changelogs import BATCHES, KEY, SEED, TABLES, Log, Shape, comparable, reference

KINDS = {kind: kind for kind in reference.KINDS}
UPSERT = {"c": "INSERT", "u": "UPDATE_AFTER", "d": "DELETE"}
RETRACT = {"c": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"}
GUESS = {"c, u": "INSERT, UPDATE_AFTER", "d": "DELETE"}
GUESS_ALL = {"c, u": "INSERT, UPDATE_BEFORE, UPDATE_AFTER", "d": "DELETE"}
FLAG = {"false": "INSERT, UPDATE_AFTER", "true": "DELETE"}
FLAG_ALL = {"false": "INSERT, UPDATE_BEFORE, UPDATE_AFTER", "true": "DELETE"}

BOTH = {"before": "before", "after": "after", "passthrough": "at", "invalid_op_handling": "SKIP"}
AFTER = {"after": "after", "passthrough": "at"}
ONE = {"before": "after", "after": "after"}
SKIP = {"invalid_op_handling": "SKIP"}
LAST = {"tie_handling": "LAST"}
# the second run after the first has its rows in a compacted state
ON_READ = {"merge": "on_read", "compact_above": 0.3}

# model: (shape, form, arguments)
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "kinds": ("kinds", {"op_mapping": KINDS}),
    "codes": ("codes", {"op_mapping": UPSERT, **SKIP}),
    "flag": ("flag", {"op_mapping": FLAG_ALL}),
    "images": ("images", {"op_mapping": RETRACT, **BOTH}),
    "after": ("after", {"op_mapping": UPSERT, **AFTER}),
    "one_image": ("one_image", {"op_mapping": UPSERT, **ONE}),
    "kinds_ties": ("kinds", {"op_mapping": KINDS, **LAST}),
    "images_ties": ("images", {"op_mapping": UPSERT, **BOTH, **LAST}),
    "appended": ("codes", {"op_mapping": UPSERT, **SKIP, **ON_READ}),
    "appended_images": ("images", {"op_mapping": RETRACT, **BOTH, **ON_READ}),
    "appended_ties": ("kinds", {"op_mapping": KINDS, **LAST, **ON_READ}),
}
# these write their changelog too; False: it has no UPDATE_BEFORE of each row that was
CHANGELOGS = {"images": False, "flag": True, "kinds_ties": False, "appended_images": False}
# macro calls that read events one by one
STATELESS: dict[str, tuple[str, dict[str, Any]]] = {
    "kinds": ("kinds", {"op_mapping": KINDS}),
    "codes": ("codes", {"op_mapping": UPSERT, **SKIP}),
    "images": ("images", {"op_mapping": RETRACT, **BOTH}),
    "images_upsert": ("images", {"op_mapping": UPSERT, **BOTH}),
    "after": ("after", {"op_mapping": UPSERT, **AFTER}),
    "one_image": ("one_image", {"op_mapping": UPSERT, **ONE}),
    "kinds_ties": ("kinds", {"op_mapping": KINDS, **LAST}),
    "images_ties": ("images", {"op_mapping": RETRACT, **BOTH, **LAST}),
}
# macro calls that compare each change with the row before it
STATE_BACKED: dict[str, tuple[str, dict[str, Any]]] = {
    "kinds_kept": ("kinds", {"op_mapping": KINDS, "state_ttl": "0"}),
    "kinds_hour": ("kinds", {"op_mapping": KINDS, "state_ttl": "1 hour"}),
    "codes_retract": ("codes", {"op_mapping": RETRACT, **SKIP}),
    "codes_guess_hour": ("codes", {"op_mapping": GUESS, "state_ttl": "1 hour", **SKIP}),
    "flag": ("flag", {"op_mapping": FLAG}),
    "flag_all": ("flag", {"op_mapping": FLAG_ALL, "state_ttl": "0"}),
    "images_kept": ("images", {"op_mapping": RETRACT, "state_ttl": "0", **BOTH}),
    "images_hour": ("images", {"op_mapping": UPSERT, "state_ttl": "1 hour", **BOTH}),
    "images_guess": ("images", {"op_mapping": GUESS_ALL, **BOTH}),
    "after_retract": ("after", {"op_mapping": RETRACT, **AFTER}),
    "one_image_guess": ("one_image", {"op_mapping": GUESS_ALL, **ONE}),
    "kinds_kept_ties": ("kinds", {"op_mapping": KINDS, "state_ttl": "0", **LAST}),
    "images_kept_ties": ("images", {"op_mapping": RETRACT, "state_ttl": "0", **BOTH, **LAST}),
}
APPLIED = ["kinds", "codes", "images", "after", "kinds_ties", "images_ties", "flag_all"]

Found = dict[int, Counter[Any]]


class Call:
    """A model or a macro call: its shape, its arguments, its name in the project.

    files: of a stream, how many a micro-batch may have; none: no limit.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        form: str,
        arguments: dict[str, Any],
        is_stream: bool = False,
        files: int | None = 1,
        prefix: str = "",
    ) -> None:
        ties = "tie_handling" in arguments
        loose = kind == "model"
        shape_name = f"{form}{'_ties' if ties else ''}{'_loose' if loose else ''}"
        self.shape = Shape(shape_name, form, ties, loose)
        sequence = changelogs.sequence_of(self.shape)
        given = {name: value for name, value in arguments.items() if name not in ON_READ}
        # how a batch is written is nothing that the reference knows
        self.storage = {name: value for name, value in arguments.items() if name in ON_READ}
        self.arguments = {"unique_key": KEY, "sequence_by": sequence} | given
        self.name = f"{prefix or kind}_{name}"
        self.writes_changelog = kind == "model" and name in CHANGELOGS
        self.is_stream, self.files = is_stream, files

    def text(self) -> str:
        """The arguments as they stand in a call; lists, since Jinja prints tuples as they are."""
        given = self.arguments | {"unique_key": list(KEY)}
        return ", ".join(f"{name}={value!r}" for name, value in given.items())

    def model(self) -> str:
        table = f"source('bronze', '{self.table}')"
        if self.is_stream:
            reader = f"stream({table}, {files_options(self.files)})"
            more = "materialized='changelog_stream', function='from_changelog'"
        else:
            reader = f"new_rows({table})"
            more = "materialized='from_changelog', read={'column': 'batch'}"
        more += f", changelog={self.writes_changelog}"
        more += "".join(f", {name}={value!r}" for name, value in self.storage.items())
        query = self.shape.query(f"{{{{ dbt_changelog.{reader} }}}}")
        return f"{{{{ config({more}, {self.text()}) }}}}\n{query}\n"

    def view(self, applied: bool = False) -> str:
        events = self.shape.query(f"{{{{ source('bronze', '{self.table}') }}}}")
        changelog = f"{{{{ dbt_changelog.from_changelog('events', {self.text()}) }}}}"
        if not applied:
            return f"with events as ({events})\n{changelog}\n"
        names = ("unique_key", "tie_handling", "passthrough")
        given = self.arguments | {"unique_key": list(KEY)}
        text = ", ".join(f"{name}={given[name]!r}" for name in names if name in given)
        return (
            f"with events as ({events}),\nchangelog as (\n{changelog}\n)\n"
            f"{{{{ dbt_changelog.apply_changelog('changelog', {text}) }}}}\n"
        )

    @property
    def table(self) -> str:
        return self.shape.table


def files_options(limit: int | None) -> dict[str, int]:
    """What limits the files of a micro-batch, of Delta and of Iceberg."""
    names = ("maxFilesPerTrigger", "streaming-max-files-per-micro-batch")
    return dict.fromkeys(names, limit) if limit else {}


MODEL_CALLS = {name: Call("model", name, *given) for name, given in MODELS.items()}
STATELESS_CALLS = {name: Call("decoded", name, *given) for name, given in STATELESS.items()}
BACKED_CALLS = {name: Call("emitted", name, *given) for name, given in STATE_BACKED.items()}
CALLS = STATELESS_CALLS | {f"{name}_": call for name, call in BACKED_CALLS.items()}
APPLIED_CALLS = {name: (STATELESS_CALLS | BACKED_CALLS)[name] for name in APPLIED}


SOURCES = {
    "models/sources.yml": f"""
    sources:
      - name: bronze
        schema: "{{{{ target.schema }}}}"
        tables: [{", ".join(f"{{name: {name}}}" for name in TABLES)}]
    """
}


class Laws:
    """The logs, and what the models had after each batch."""

    def __init__(self, project: Any, models: dict[str, Call], others: dict[str, Call]) -> None:
        self.project = project
        calls = [*models.values(), *others.values()]
        shapes = {call.shape.name: call.shape for call in calls}
        self.logs = {name: changelogs.logs_of(shape) for name, shape in shapes.items()}
        self.found: dict[tuple[str, int], Found] = {}
        self.written: dict[tuple[str, int], dict[int, list[Any]]] = {}
        for batch in BATCHES:
            for table, columns in TABLES.items():
                rows = [
                    row
                    for name, logs in self.logs.items()
                    if shapes[name].table == table
                    for log in logs
                    for row in log.rows(batch)
                ]
                project.table(table, rows, columns if batch == 1 else None)
            project.run("run", "--select", "model_*")
            for call in models.values():
                self.found[call.name, batch] = self.rows(call.name)
                if call.writes_changelog:
                    written = self.changes(f"{call.name}__changelog")
                    self.written[call.name, batch] = written
        if others:
            project.run("run", "--exclude", "model_*")

    def rows(self, name: str) -> Found:
        found: Found = defaultdict(Counter)
        for row in self.project.sql(f"select * from {name}"):
            values = row.asDict(recursive=True)
            found[values["log"]][comparable(values)] += 1
        return found

    def changes(self, name: str) -> dict[int, list[Any]]:
        found: dict[int, list[Any]] = defaultdict(list)
        for row in self.project.sql(f"select * from {name}"):
            values = row.asDict(recursive=True)
            kind, sequence, ordinal = (
                values.pop(column) for column in ("_row_kind", "_sequence", "_ordinal")
            )
            if isinstance(sequence, dict):
                sequence = tuple(sequence.values())
            if "_batch_id" in values:
                sequence = (values.pop("_batch_id"), sequence)
            found[values["log"]].append(reference.Change(kind, values, sequence, ordinal))
        return found

    def check(self, call: Call, found: Found, expected_of: Callable[[Log], Iterable[Any]]) -> None:
        """Fail with the smallest log of those that differ, whole and with how to run it alone."""
        wrong = []
        for log in self.logs[call.shape.name]:
            expected = Counter(expected_of(log))
            if expected != found.get(log.number, Counter()):
                wrong.append((len(log.events), log, expected))
        if wrong:
            _, log, expected = min(wrong, key=lambda item: item[0])
            only_found = found.get(log.number, Counter()) - expected
            pytest.fail(
                f"{len(wrong)} of {len(self.logs[call.shape.name])} logs differ in {call.name}\n"
                f"run one alone: DBT_CHANGELOG_SEED={SEED}"
                f" DBT_CHANGELOG_LOG={call.shape.name}:{log.number}\n"
                f"arguments: {call.arguments}\nevents:\n{log}\n"
                f"only expected:\n{lines(expected - found.get(log.number, Counter()))}\n"
                f"only found:\n{lines(only_found)}",
                pytrace=False,
            )


def lines(rows: Counter[Any]) -> str:
    return "\n".join(f"  {count} x {row}" for row, count in rows.items()) or "  nothing"


def as_bag(changes: Iterable[Any]) -> list[Any]:
    """Changes as values to compare; with sequence and ordinal, which order those of a key."""
    return [
        (change.kind, reference.identity(change.sequence), change.ordinal, comparable(change.row))
        for change in changes
    ]


@pytest.fixture(scope="module")
def laws(new_project, home):
    print(f"DBT_CHANGELOG_SEED={SEED}")
    files = {f"models/{call.name}.sql": call.model() for call in MODEL_CALLS.values()}
    files |= {f"models/{call.name}.sql": call.view() for call in CALLS.values()}
    files |= {
        f"models/applied_{name}.sql": call.view(applied=True)
        for name, call in APPLIED_CALLS.items()
    }
    project = new_project({**files, **SOURCES}, name="laws", threads=2, home=home)
    return Laws(project, MODEL_CALLS, CALLS)


def test_there_are_enough_logs(laws):
    different = sum(len(logs) // 2 for logs in laws.logs.values())
    assert different >= 500 or changelogs.ONLY or changelogs.LOGS != 40


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("name", MODELS)
def test_contents_after_each_batch(laws, name, batch):
    call = MODEL_CALLS[name]
    laws.check(
        call,
        laws.found[call.name, batch],
        lambda log: map(
            comparable, changelogs.contents(call.shape, log.until(batch), call.arguments)
        ),
    )


@pytest.mark.parametrize("batch", BATCHES)
@pytest.mark.parametrize("name", CHANGELOGS)
def test_written_changelog_folds_to_the_contents(laws, name, batch):
    call = MODEL_CALLS[name]
    written = laws.written[call.name, batch]
    for fold in [changelogs.fold_by_key] + [changelogs.fold] * CHANGELOGS[name]:
        folded = {number: fold(changes) for number, changes in written.items()}
        laws.check(
            call,
            folded,
            lambda log: map(
                changelogs.without,
                changelogs.contents(call.shape, log.until(batch), call.arguments),
            ),
        )


@pytest.mark.skipif(bool(changelogs.ONLY), reason="takes a log and its disturbed copy")
@pytest.mark.parametrize("name", MODELS)
def test_law_3_order_splits_and_repeats_do_not_matter(laws, name):
    call = MODEL_CALLS[name]
    found = laws.found[call.name, BATCHES[-1]]

    def without_number(number: int) -> Counter[Any]:
        rows: Counter[Any] = Counter()
        for row, count in found.get(number, Counter()).items():
            rows[frozenset(item for item in row if item[0] != "log")] += count
        return rows

    logs = laws.logs[call.shape.name]
    for log, disturbed in zip(logs[::2], logs[1::2], strict=True):
        assert without_number(log.number) == without_number(disturbed.number), str(disturbed)


@pytest.mark.parametrize("name", STATELESS)
def test_decoded_changelog(laws, name):
    call = STATELESS_CALLS[name]
    found = {number: Counter(as_bag(rows)) for number, rows in laws.changes(call.name).items()}
    laws.check(
        call,
        found,
        lambda log: as_bag(changelogs.decode(call.shape, log.read_as, call.arguments)),
    )


@pytest.mark.parametrize("name", STATE_BACKED)
def test_emitted_changelog(laws, name):
    call = BACKED_CALLS[name]
    changes = laws.changes(call.name)
    found = {number: Counter(as_bag(rows)) for number, rows in changes.items()}
    laws.check(
        call,
        found,
        lambda log: as_bag(changelogs.decode(call.shape, log.read_as, call.arguments)),
    )
    if "UPDATE_BEFORE" in str(call.arguments["op_mapping"]):
        folded = {number: changelogs.fold(rows) for number, rows in changes.items()}
        laws.check(
            call,
            folded,
            lambda log: map(
                changelogs.without,
                changelogs.contents(call.shape, log.read_as, call.arguments),
            ),
        )


@pytest.mark.parametrize("name", APPLIED)
def test_applied_changelog(laws, name):
    call = APPLIED_CALLS[name]
    laws.check(
        call,
        laws.rows(f"applied_{name}"),
        lambda log: map(comparable, changelogs.contents(call.shape, log.read_as, call.arguments)),
    )
