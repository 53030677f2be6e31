"""make report: plots of what the batches of a project did, as one HTML page.

Without ARGS it shows what `make demo` left in .work/demo; with --project-dir any other project that
has this package, by the connection of its profile.
"""

from __future__ import annotations

import argparse
import html
import os
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from datetime import datetime, timedelta
from decimal import Decimal
from io import StringIO
from math import log10
from pathlib import Path
from typing import Any, NoReturn

import plotly.graph_objects as go
from plotly.colors import qualitative
from plotly.subplots import make_subplots

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE, DEMO = ROOT / "integration_tests", ROOT / ".work" / "demo"
MODELS = ("changelog_batch_rates", "changelog_state_sizes")

# what a plot over time shows: column, title, axis, what it means that there is no value
HISTORY = (
    ("seconds", "Duration of a batch", "seconds", ""),
    (
        "rows_changed",
        "Rows inserted, updated and deleted by a batch, log scale",
        "rows",
        "no batch has counted its rows",
    ),
    ("rows_per_second", "Rows per second, log scale", "rows / s", "no batch has counted its rows"),
    (
        "lag_seconds",
        "Lag: from the last time read in the source to the commit",
        "seconds",
        "no model reads its source by a column of time",
    ),
)
# what a bar for each model is made of: column, name, colour
STATE = (
    ("live_rows", "live", "#2f9e44"),
    ("tombstones", "tombstones", "#868e96"),
    ("waiting_rows", "waiting for their insert", "#f08c00"),
)
EVENTS = (
    ("events_duplicate", "duplicate", "#74c0fc"),
    ("events_late", "late", "#f08c00"),
    ("events_invalid", "invalid", "#e03131"),
)
CONFIG = {"displayModeBar": False, "responsive": True}
SHOWN = len(qualitative.D3)
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 16px sans-serif; color: #212529; max-width: 1200px; margin: 2em auto; }}
h1, h2, p {{ margin-left: 1rem; margin-right: 1rem; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{summary}</p>
{body}
</body>
</html>
"""
Record = dict[str, Any]
Scale = Callable[[float], float]
UNITS = ((86400, "days"), (3600, "hours"), (60, "minutes"), (1, "seconds"))


def page(project: str, batches: list[Record], states: list[Record]) -> str:
    """The whole page: it needs no network and nothing beside it."""
    title = f"Batches of {html.escape(project)}"
    if not batches:
        nothing = "There are no batches yet. Run a from_changelog model, then make report again."
        return PAGE.format(title=title, summary=nothing, body="")
    names = model_names([*batches, *states])
    times = sorted(batch["committed_at"] for batch in batches)
    number = len({model_name(batch) for batch in batches})
    summary = (
        f"{count(len(batches), 'batch', 'batches')} of {count(number, 'model', 'models')}, "
        f"{times[0]:%Y-%m-%d %H:%M} to {times[-1]:%Y-%m-%d %H:%M}."
    )
    if number > SHOWN:
        summary += f" The {SHOWN} that took longest are drawn; a click on a name draws another."
    parts = [
        history(batches, names).to_html(CONFIG, full_html=False, include_plotlyjs=True),
        "<h2>Models</h2>",
        models(batches, states, names).to_html(CONFIG, full_html=False, include_plotlyjs=False),
    ]
    return PAGE.format(title=title, summary=summary, body="\n".join(parts))


def count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"


def model_name(record: Record) -> str:
    return f"{record['schema_name']}.{record['model']}"


def model_names(records: Iterable[Record]) -> dict[str, str]:
    """What to call each model: its name alone, where no other schema has one of that name."""
    full = sorted({(record["model"], model_name(record)) for record in records})
    short = [model for model, _ in full]
    return {name: model if short.count(model) == 1 else name for model, name in full}


def time_unit(seconds: Iterable[float | None]) -> tuple[int, str]:
    """The unit in which the longest of these is easy to read: its seconds, its name."""
    longest = max((abs(one) for one in seconds if one is not None), default=0)
    return next(((size, name) for size, name in UNITS if longest >= 3 * size), UNITS[-1])


def time_axis(seconds: list[float | None]) -> tuple[Scale, Record]:
    size, unit = time_unit(seconds)
    return lambda one: one / size, {"title_text": unit, "rangemode": "tozero"}


def row_axis(rows: list[float | None]) -> tuple[Scale, Record]:
    """Powers of ten and 0: the first batch is often the whole log, and another changes nothing."""
    most = max((one for one in rows if one is not None), default=0)
    # 1 would stand upon 0
    ticks = [0, *(10**power for power in range(most >= 100, len(str(int(most))) + 1))]
    places = {
        "tickvals": [log10(1 + tick) for tick in ticks],
        "ticktext": [f"{t:,}" for t in ticks],
    }
    return lambda one: log10(1 + one), {**places, "rangemode": "tozero"}


def words(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


def history(batches: list[Record], names: dict[str, str]) -> go.Figure:
    """A line per model over time, below each other: duration, rows, rates, lag."""
    figure = make_subplots(
        rows=len(HISTORY),
        shared_xaxes=True,
        vertical_spacing=0.07,
        subplot_titles=[title for _, title, _, _ in HISTORY],
    )
    by_model: dict[str, list[Record]] = {}
    for batch in sorted(batches, key=lambda batch: batch["batch_id"]):
        by_model.setdefault(model_name(batch), []).append(batch)
    slowest = sorted(by_model, key=lambda model: -sum(b["seconds"] or 0 for b in by_model[model]))
    for place, (column, _, unit, nothing) in enumerate(HISTORY, start=1):
        values = [batch[column] for batch in batches]
        scale, axis = time_axis(values) if unit == "seconds" else row_axis(values)
        figure.update_yaxes({"title_text": unit, **axis}, row=place, col=1)
        if not [one for one in values if one is not None]:
            note(figure, nothing, place, 1)
        for number, model in enumerate(slowest):
            found = [(batch["batch_id"], batch[column]) for batch in by_model[model]]
            figure.add_trace(
                go.Scatter(
                    x=[batch["committed_at"] for batch in by_model[model]],
                    y=[None if one is None else scale(one) for _, one in found],
                    text=[f"batch {id}: {words(one or 0)} {unit}" for id, one in found],
                    hovertemplate="%{text}",
                    mode="lines+markers",
                    name=names[model],
                    legendgroup=model,
                    showlegend=place == 1,
                    visible=True if number < SHOWN else "legendonly",
                    line={"color": qualitative.D3[number % SHOWN]},
                ),
                row=place,
                col=1,
            )
    start, end = (pick(batch["committed_at"] for batch in batches) for pick in (min, max))
    margin = max((end - start) * 0.03, timedelta(seconds=11))
    figure.update_xaxes(range=[start - margin, end + margin], showticklabels=True)
    figure.update_xaxes(title_text="commit of the batch", row=len(HISTORY), col=1)
    return styled(figure, height=1100)


def models(batches: list[Record], states: list[Record], names: dict[str, str]) -> go.Figure:
    """A bar per model: what its state is made of, and which events it did not need."""
    figure = make_subplots(
        cols=2,
        shared_yaxes=True,
        horizontal_spacing=0.04,
        subplot_titles=["Rows of the state", "Events that changed nothing, of all batches"],
    )
    for place, (records, kinds, nothing) in enumerate(
        (
            (states, STATE, "no state was found"),
            (batches, EVENTS, "no batch has counted them:<br>set counters: full"),
        ),
        start=1,
    ):
        if all(record[column] is None for record in records for column, _, _ in kinds):
            note(figure, nothing, 1, place)
        for column, kind, colour in kinds:
            figure.add_trace(
                go.Bar(
                    y=list(names.values()),
                    x=[
                        sum(r[column] or 0 for r in records if model_name(r) == model)
                        for model in names
                    ],
                    name=kind,
                    orientation="h",
                    marker={"color": colour},
                    hovertemplate="%{x:,}",
                    legend="legend" if place == 1 else "legend2",
                ),
                row=1,
                col=place,
            )
        figure.update_xaxes(title_text="rows" if place == 1 else "events", row=1, col=place)
    figure.update_xaxes(rangemode="tozero")
    figure.update_yaxes(autorange="reversed", automargin=True, type="category")
    below = {
        "orientation": "h",
        "traceorder": "normal",
        "yref": "container",
        "y": 0,
        "yanchor": "bottom",
    }
    figure.update_layout(
        barmode="stack", bargap=0.4, legend={**below, "x": 0}, legend2={**below, "x": 0.52}
    )
    return styled(figure, height=180 + 30 * len(names))


def note(figure: go.Figure, text: str, row: int, col: int) -> None:
    """Words in a plot that has nothing to show."""
    figure.add_annotation(
        text=text, showarrow=False, x=0.5, y=0.5, xref="x domain", yref="y domain", row=row, col=col
    )


def styled(figure: go.Figure, height: int) -> go.Figure:
    return figure.update_layout(
        template="plotly_white", height=height, hovermode="closest", margin={"t": 50, "b": 90}
    )


def read(project: Path, options: list[str]) -> dict[str, list[Record]]:
    """The rows of the monitoring models, which need not be built or turned on."""
    # not above: the plots need no dbt
    from dbt.cli.main import dbtRunner

    work = ["--log-path", str(ROOT / ".work" / "logs")]
    work += ["--target-path", str(ROOT / ".work" / "report" / "target")]
    variables = ["--vars", "{dbt_changelog_monitoring: true}"]
    command = ["--log-level", "error", "show", "--limit", "-1", "--project-dir", str(project)]
    # dbt prints the first columns of what it found
    with redirect_stdout(StringIO()) as said:
        result = dbtRunner().invoke([*command, *options, *work, *variables, "--select", *MODELS])
    if not result.success:
        print(said.getvalue() or result.exception)
        fail(
            f"dbt could not read the batches of '{project}', see above",
            "run its models first, with the same profile; dbt deps, if its packages are missing",
        )
    return {one.node.name: records(one.agate_table) for one in result.result.results}


def records(table: Any) -> list[Record]:
    return [
        {name: value(name, cell) for name, cell in zip(table.column_names, row, strict=True)}
        for row in table.rows
    ]


def value(column: str, cell: Any) -> Any:
    """A cell; what dbt gives for times and numbers differs by connection."""
    if cell is not None and column.endswith("_at"):
        return datetime.fromisoformat(str(cell)[:19])
    return float(cell) if isinstance(cell, Decimal) else cell


def fail(problem: str, fix: str) -> NoReturn:
    sys.exit(f"Invalid project for make report: {problem}.\nTo fix: {fix}.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make report", description=__doc__)
    parser.add_argument("--project-dir", type=Path, help="a dbt project; default: the demo's")
    parser.add_argument("--profiles-dir", help="the folder of profiles.yml, as for dbt")
    parser.add_argument("--target", help="the target of the profile, as for dbt")
    parser.add_argument("--output", type=Path, default=ROOT / ".work" / "report" / "index.html")
    arguments = parser.parse_args()
    project = (arguments.project_dir or EXAMPLE).resolve()
    if not (project / "dbt_project.yml").is_file():
        fail(f"'{project}' has no dbt_project.yml", "name the folder of a dbt project")
    if not arguments.project_dir:
        if not (DEMO / "warehouse").is_dir():
            fail(
                "make demo has left nothing in .work/demo",
                "run make demo, or name your own project: make report ARGS='--project-dir DIR'",
            )
        os.environ |= {"PWD": str(EXAMPLE), "DBT_CHANGELOG_WORK": str(DEMO)}
        os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1"}
    options = ["--profiles-dir", arguments.profiles_dir] if arguments.profiles_dir else []
    options += ["--target", arguments.target] if arguments.target else []
    output: Path = arguments.output.resolve()
    # dbt finds a profile beside the project only if it is started there
    os.chdir(project)
    found = read(project, options)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(page(project.name, *(found[model] for model in MODELS)), encoding="utf-8")
    print(f"Written: {output}")


if __name__ == "__main__":
    main()
