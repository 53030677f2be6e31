"""Runs all cases at once: dbt run n has batch n of every case, then rows are compared."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from .cases import Batch, Case, Rows
from .compare import Differs, Relation, log_folds, same_bag, same_changes, same_fold
from .models import RUN, Model, is_state_backed, models_of, reads_new_rows
from .session import DbtProject, Outcome
from .values import Type, literal, quote, type_of

FOLDER = Path(__file__).parent
CASES = FOLDER / "cases"
# Spark's own errors have a SQLSTATE, and may show a plan that has our words in it
WORDS_OF_OURS = r"^(?!.*SQLSTATE).*To fix:"


@dataclass
class Finding:
    """What one model of a case gave: the first difference, or none."""

    model: Model
    problem: str | None = None


@dataclass
class Result:
    """status: passed, failed or skipped."""

    name: str
    status: str
    detail: str = ""


@dataclass
class Difference:
    """Why we mean to differ from the recorded result, and what the product does instead.

    error: a pattern of its words; it ends the last run, or `run`. rows: as a case has them.
    """

    reason: str
    error: str = ""
    run: int | None = None
    rows: list[list[Any]] = field(default_factory=list)

    @classmethod
    def of(cls, reason: str, instead: dict[str, Any]) -> Difference:
        if not reason or ("error" in instead) == ("rows" in instead):
            raise ValueError(f"a difference has a reason, and an error or rows; not {instead}")
        return cls(reason, **instead)

    def applied(self, case: Case) -> Case:
        """The case, as if what the product does had been recorded."""
        if self.error:
            batches = case.batches[: self.run]
            return replace(case, batches=batches, error_run=len(batches), error_words=self.error)
        return replace(case, error_run=None, changelog=Rows(None, self.rows), contents={})


@dataclass
class Lists:
    """deliberate: {case: its difference}. pending: {feature: what is not built yet}."""

    deliberate: dict[str, Difference]
    pending: dict[str, str]

    @classmethod
    def read(cls) -> Lists:
        deliberate, pending = (_read_yaml(f"{name}.yml") for name in ("deliberate", "pending"))
        return cls({name: Difference.of(**entry) for name, entry in deliberate.items()}, pending)

    def expected(self, case: Case) -> Case:
        """What the product must do with a case."""
        difference = self.deliberate.get(case.name)
        return difference.applied(case) if difference else case


def _read_yaml(name: str) -> dict[str, Any]:
    return yaml.safe_load((FOLDER / name).read_text(encoding="utf-8")) or {}


@dataclass
class Report:
    results: list[Result]
    # feature: cases that it alone keeps pending, and how many of them pass nevertheless
    early: dict[str, tuple[int, int]] = field(default_factory=dict)

    def count(self, status: str) -> int:
        return sum(result.status == status for result in self.results)

    def lines(self) -> Iterator[str]:
        for result in self.results:
            if result.status == "failed":
                yield f"FAILED {result.name}: {_shorten(result.detail)}"
        for feature, (passing, cases) in sorted(self.early.items()):
            yield f"pending.yml: {passing} of {cases} cases that wait for {feature} alone pass"
        counts = (f"{self.count(status)} {status}" for status in ("passed", "failed", "skipped"))
        yield ", ".join(counts)

    def write(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = (json.dumps(vars(result), ensure_ascii=False) for result in self.results)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _shorten(text: str, limit: int = 300) -> str:
    return text if len(text) <= limit else text[: limit - 2] + ".."


def run_cases(
    cases: list[Case],
    spark: SparkSession,
    root: Path,
    schema: str,
    threads: int = 2,
    quick: bool = False,
    progress: Callable[[str], None] = lambda line: None,
    file_format: str = "delta",
) -> Report:
    """Run the cases in one generated project and judge them."""
    project = DbtProject(root, spark, schema, threads, file_format)
    project.create()
    lists = Lists.read()
    cases = [lists.expected(case) for case in cases]
    findings = [Finding(model) for case in cases for model in models_of(case, quick)]
    for run in range(1, max((len(case.batches) for case in cases), default=0) + 1):
        active = [f for f in findings if f.model.takes_part(run) and not f.problem]
        if active:
            started = time.monotonic()
            _run(project, run, active)
            progress(f"run {run}: {len(active)} models, {time.monotonic() - started:.0f} s")
    return judge(cases, findings, lists)


def _run(project: DbtProject, run: int, findings: list[Finding]) -> None:
    inputs: dict[str, tuple[Batch, int | None]] = {}
    for model in (finding.model for finding in findings):
        number = run if reads_new_rows(model.case) else None
        inputs.update({name: (batch, number) for name, batch in model.inputs(run).items()})
    for name, (batch, number) in inputs.items():
        _write_table(project, name, batch, number)
    texts = (f.model.texts(run) for f in findings)
    project.write_models({name: t for text in texts for name, t in text.items()}, list(inputs))
    check = Check(project, run)
    before = {f.model.name: check.rows_before_failure(f.model) for f in findings}
    outcomes = project.run()
    for finding in findings:
        outcome = outcomes.get(finding.model.name, Outcome(False, "dbt did not run the model"))
        try:
            check.model(finding.model, outcome, before[finding.model.name])
        except Differs as problem:
            of_run = f"run {run}, " if len(finding.model.case.batches) > 1 else ""
            finding.problem = f"{of_run}{finding.model.what}: {problem}"


def _write_table(project: DbtProject, name: str, batch: Batch, number: int | None) -> None:
    columns = dict(batch.columns)
    rows = [list(row) for row in batch.rows]
    if number is not None:
        columns[RUN] = Type("int")
        rows = [[*row, number] for row in rows]
    kinds = list(columns.values())
    cells = (", ".join(literal(v, k) for v, k in zip(row, kinds, strict=True)) for row in rows)
    names = ", ".join(quote(name) for name in columns)
    values = ",\n".join(f"({row})" for row in cells)
    query = f"select * from values\n{values} as _rows({names})"
    if not rows:
        nulls = (f"{literal(None, kind)} as {quote(name)}" for name, kind in columns.items())
        query = f"select {', '.join(nulls)} where false"
    table = f"{project.input_schema}.{quote(name)}"
    project.spark.sql(f"drop table if exists {table}")
    project.spark.sql(f"create table {table} using parquet as {query}")


@dataclass
class Check:
    """Compares what the models of a run made with what their cases say."""

    project: DbtProject
    run: int

    def model(self, model: Model, outcome: Outcome, before: Relation | None) -> None:
        if model.case.error_run == self.run:
            return self._failure(model, outcome, before)
        if not outcome.ok:
            raise Differs(outcome.message)
        checks: dict[str, Callable[[Model], None]] = {
            "changelog": self._changelog,
            "contents": self._contents,
            "log": self._log,
        }
        return checks[model.what](model)

    def rows_before_failure(self, model: Model) -> Relation | None:
        """What a run that must fail has to leave as it is."""
        fails_now = model.case.error_run == self.run
        return self._relation(model.name) if fails_now and self._exists(model.name) else None

    def _failure(self, model: Model, outcome: Outcome, before: Relation | None) -> None:
        if outcome.ok:
            raise Differs("it must fail, and did not")
        if not re.search(model.case.error_words or WORDS_OF_OURS, outcome.message):
            words = model.case.error_words or "words of ours"
            raise Differs(f"it must fail with {words}, not with: {outcome.message}")
        if before is not None:
            rows = Rows(before.columns, [list(row) for row in before.rows])
            return same_bag(rows, self._relation(model.name))
        for name in (model.name, f"{model.name}__state", f"{model.name}__changelog"):
            if self._exists(name):
                raise Differs(f"it failed as it must, but made {name}")
        return None

    def _changelog(self, model: Model) -> None:
        case, made = model.case, self._relation(model.name)
        if case.changelog is None:
            raise Differs("it must fail, and did not")
        if case.function == "diff_tables":
            model.made += made.rows
            if self.run < len(case.batches):
                return None
            made.rows = model.made
        ordered = bool(case.config.get("sequence_by")) and case.function == "from_changelog"
        return same_changes(case.changelog, made, case.unique_key, ordered)

    def _contents(self, model: Model) -> None:
        case, made = model.case, self._relation(model.name)
        wanted = case.contents.get(self.run)
        if case.function == "to_changelog":
            if self.run == len(case.batches) and case.changelog:
                same_changes(case.changelog, made, [], False)
        elif wanted:
            self._any_of(wanted, made)
        elif case.changelog and self.run == len(case.batches):
            same_fold(case.changelog, made, case.unique_key)

    def _any_of(self, wanted: list[Rows], made: Relation) -> None:
        problems = []
        for rows in wanted:
            try:
                # no case has the column that says which versions are open
                return same_bag(rows, made, ["is_current"])
            except Differs as problem:
                problems.append(str(problem))
        raise Differs("; or ".join(problems))

    def _log(self, model: Model) -> None:
        self._contents(model)
        case, log = model.case, self._relation(f"{model.name}__changelog")
        log_folds(log, self._relation(model.name), case.row_key)
        tells_kinds = is_state_backed(case.config) or {"format", "watermark"} & {*case.config}
        if case.changelog and self.run == len(case.batches) and tells_kinds:
            same_changes(case.changelog, log, case.unique_key, bool(case.unique_key))

    def _exists(self, name: str) -> bool:
        # tableExists knows no views of Iceberg's catalogs
        try:
            self.project.spark.table(f"{self.project.schema}.{name}")
        except AnalysisException:
            return False
        return True

    def _relation(self, name: str) -> Relation:
        table = self.project.spark.table(f"{self.project.schema}.{name}")
        kinds = [type_of(column.dataType) for column in table.schema.fields]
        return Relation(table.columns, kinds, [tuple(row) for row in table.collect()])


def judge(cases: list[Case], findings: list[Finding], lists: Lists) -> Report:
    of_case: dict[str, list[Finding]] = {}
    for finding in findings:
        of_case.setdefault(finding.model.case.name, []).append(finding)
    report = Report([_result(case, of_case.get(case.name, []), lists) for case in cases])
    report.early = _early(of_case, lists)
    return report


def _result(case: Case, findings: list[Finding], lists: Lists) -> Result:
    if case.says_deliberate and case.name not in lists.deliberate:
        return Result(case.name, "failed", "deliberate.yml does not say why we mean to differ")
    waits = sorted({feature for f in findings for feature in f.model.features & {*lists.pending}})
    pending = [f for f in findings if f.model.features & {*lists.pending}]
    problems = [f.problem for f in findings if f.problem and f not in pending]
    if problems:
        return Result(case.name, "failed", "; ".join(problems))
    if any(f.model.primary for f in pending):
        return Result(case.name, "skipped", f"waits for {', '.join(waits)}")
    return Result(case.name, "passed")


def _early(of_case: dict[str, list[Finding]], lists: Lists) -> dict[str, tuple[int, int]]:
    """Features that pending.yml lists though models that wait for nothing else are right."""
    cases: Counter[str] = Counter()
    passing: Counter[str] = Counter()
    for findings in of_case.values():
        for finding in findings:
            waits = finding.model.features & {*lists.pending}
            case = finding.model.case
            # an error of what is not built looks like the error that a case wants
            if len(waits) == 1 and case.error_run is None and case.name not in lists.deliberate:
                cases.update(waits)
                passing.update(() if finding.problem else waits)
    return {feature: (count, cases[feature]) for feature, count in passing.items()}
