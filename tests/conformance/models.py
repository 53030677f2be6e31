"""What a case asks of the product: dbt models that use its public macros and materializations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from .cases import Batch, Case, Config
from .values import Type, quote, text_literal

# the input tables are a dbt source of this name
SOURCE = "input"
# numbers the runs; what a model of several runs reads by
RUN = "_run"

# a configs block and a query; what the macros refuse is refused at run time, model by model, and
# not while dbt parses the project, which would stop all
MODEL = """{{{{ config({config}) }}}}
{{%- set tables = [{tables}] -%}}
{{%- if execute -%}}
{query}
{{%- endif -%}}
"""


@dataclass
class Model:
    """One dbt model of a case.

    what: `changelog` (a macro's rows), `contents` (a materialization's), `log` (the contents, and
    the changelog that is written beside them). primary: the case's recorded result is compared
    with this one. features: what it needs beyond the plain kernels.
    """

    case: Case
    what: str
    primary: bool
    features: set[str] = field(default_factory=set)
    # the rows of the runs so far, where each run makes only its own
    made: list[Any] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.what}_{identifier(self.case)}"

    def inputs(self, run: int) -> dict[str, Batch]:
        """The input tables of a run; the macro diff_tables takes the states of two runs."""
        table = identifier(self.case)
        if self.case.function == "diff_tables" and not self.of_snapshots:
            batches = self.case.batches[run - 2 : run]
            return {f"{table}_{n}": b for n, b in zip(("before", "after"), batches, strict=False)}
        return {table: self.case.batches[run - 1]}

    def takes_part(self, run: int) -> bool:
        if run > len(self.case.batches):
            return False
        return self.case.function != "diff_tables" or self.of_snapshots or run > 1

    @property
    def of_snapshots(self) -> bool:
        """Whether each run reads a whole table, and the contents are made of its changes."""
        return "snapshots" in self.case.features

    def texts(self, run: int) -> dict[str, str]:
        """The files of a run: the model, and for snapshots the log of changes that it reads."""
        if not self.of_snapshots:
            return {self.name: self.text(run)}
        log, key = f"snapshots_{identifier(self.case)}", self.case.config["unique_key"]
        (table,) = self.inputs(run)
        return {
            log: f"""{{{{ config(materialized='to_changelog', unique_key={key!r}) }}}}
select * from {{{{ source('{SOURCE}', '{table}') }}}}
""",
            self.name: self._history(log),
        }

    def _history(self, log: str) -> str:
        """A batch of the log has the changes of one snapshot, whose place is the batch's."""
        numbers = ", ".join(f"{n}, {b.sequence or 0}" for n, b in enumerate(self.case.batches, 1))
        config = {
            **self.case.config,
            "materialized": "from_changelog",
            "sequence_by": "_place",
            "read": {"column": "_batch_id"},
        }
        settings = ", ".join(f"{name}={ascii(value)}" for name, value in config.items())
        return f"""{{{{ config({settings}) }}}}
select * except (_batch_id, _position), map({numbers})[_batch_id] as _place
from {{{{ dbt_changelog.new_rows(ref('{log}')) }}}}
"""

    def text(self, run: int) -> str:
        tables = ", ".join(f"source('{SOURCE}', '{name}')" for name in self.inputs(run))
        config, query = self._parts(run)
        settings = ", ".join(f"{name}={ascii(value)}" for name, value in config.items())
        return MODEL.format(config=settings, tables=tables, query=query)

    def _parts(self, run: int) -> tuple[Config, str]:
        batch, several = self.case.batches[run - 1], reads_new_rows(self.case)
        if self.what == "changelog":
            config: Config = {"materialized": "table", "file_format": "parquet"}
            return config, self._macro_query(batch)
        config = {"materialized": self.case.function, **batch.config}
        if self.what == "log":
            config["changelog"] = True
        if several:
            # the number of the run is no column of the case, so nothing else tells what was read
            counts = not self.case.unique_key or "watermark" in batch.config
            strict = {"strict": True} if counts else {}
            config["read"] = {"column": RUN, **strict}
        table = "{{ dbt_changelog.new_rows(tables[0]) }}" if several else "{{ tables[0] }}"
        return config, input_query(batch, table, several)

    def _macro_query(self, batch: Batch) -> str:
        config = dict(batch.config)
        if self.case.function == "diff_tables":
            if batch.sequence is not None:
                config["sequence"] = batch.sequence
            return f"select * from (\n{_call('diff_tables', 'tables[0]', 'tables[1]', config)}\n)"
        if self.case.function == "round_trip":
            first, then = (dict(config[step]) for step in ("first", "then"))
            calls = [(step.pop("function"), step) for step in (first, then)]
            if calls[0][0] == "to_changelog":
                # a log is read in order, a table has none
                then.setdefault("sequence_by", ["_sequence", "_ordinal"])
        else:
            calls = [(self.case.function, config)]
        ctes = [f"events as (\n{input_query(batch, '{{ tables[0] }}', False)}\n)"]
        names = ["events"]
        for number, (function, arguments) in enumerate(calls, 1):
            if function == "to_changelog" and self.case.input_key:
                # an upsert changelog, whose rows before come from state
                arguments.setdefault("unique_key", self.case.input_key)
                arguments.setdefault("state_ttl", "0")
            ctes.append(f"step_{number} as (\n{_call(function, repr(names[-1]), arguments)}\n)")
            names.append(f"step_{number}")
        if batch.image is None and len(calls) == 1:
            # the plainest use: a relation in, a query out
            return f"select * from (\n{_call(calls[0][0], 'tables[0]', calls[0][1])}\n)"
        return f"with {', '.join(ctes)}\nselect * from {names[-1]}"


def _call(function: str, *arguments: str | Config) -> str:
    words = [arg if isinstance(arg, str) else f"**{ascii(arg)}" for arg in arguments]
    return f"{{{{ dbt_changelog.{function}({', '.join(words)}) }}}}"


def reads_new_rows(case: Case) -> bool:
    """Whether the runs of a case read a table that grows, each what is new in it.

    Those of a format do: no macro reads messages, so their changelog is that of a model.
    """
    several = len(case.batches) > 1 or "format" in case.config
    return case.function == "from_changelog" and several


def identifier(case: Case) -> str:
    return re.sub(r"[^a-z0-9_]+", "_", case.name.lower())


def input_query(batch: Batch, table: str, several: bool) -> str:
    """The columns of a batch, without the number of the run; envelopes are parsed here."""
    if batch.image is None:
        columns = ", ".join(quote(name) for name in batch.columns) if several else "*"
        return f"select {columns} from {table}{batch.where}"
    fields: dict[str, Type] = {"op": Type("string"), "before": batch.image, "after": batch.image}
    envelope = Type("struct", parts=tuple(fields.items()))
    whole = Type("struct", parts=(*fields.items(), ("payload", envelope)))
    columns = ", ".join(
        f"coalesce(_value.payload.{name}, _value.{name}) as {name}" for name in fields
    )
    others = "".join(f", {quote(name)}" for name in batch.columns if name != "value")
    return (
        f"select {columns}{others}\n"
        f"from (select *, from_json(value, {text_literal(whole.sql)}) as _value from {table})"
    )


def models_of(case: Case, quick: bool = False) -> list[Model]:
    """The models of a case, those that are compared with the recorded result first.

    quick: each case in one way, the macro's rows of a single run, else what the runs leave behind.
    """
    base = set(case.features)
    if case.function != "from_changelog":
        of_contents = base & {"table_input", "snapshots"}
        what = "contents" if of_contents else "changelog"
        return [Model(case, what, True, base)]
    models = []
    single, fails = not reads_new_rows(case), case.error_run is not None
    if case.emits and single:
        state = {"state_backed"} if is_state_backed(case.config) else set()
        models.append(Model(case, "changelog", True, base | state))
    about_contents = bool(case.contents) or not case.emits
    # where each event counts a changelog needs a position: it is read run by run
    counts = not case.unique_key or "on_conflict" in case.config
    logs = not fails and not (counts and single)
    models.append(Model(case, "contents", about_contents, base))
    if logs:
        # what waits for a watermark is no matter of one query
        of_runs = case.emits and "watermark" in case.config
        models.append(Model(case, "log", of_runs, base | {"changelog_table"}))
    if quick:
        models = models[:1] if case.emits and single else models[-1:]
        models[0].primary = True
    return models


def is_state_backed(config: Config) -> bool:
    """Whether emission needs the stored row: docs/concepts/changelog.md."""
    if config.get("state_ttl") is not None:
        return True
    before = config.get("before") is not None and config["before"] != config.get("after")
    values = (config.get("op_mapping") or {}).values()
    for kinds in ([kind.strip() for kind in str(value).split(",")] for value in values):
        if len(kinds) > 1 and ("INSERT" in kinds or not before):
            return True
    return False
