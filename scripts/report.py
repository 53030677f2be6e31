"""make report: plots of what the batches of a project did, as one HTML page.

Without ARGS it shows what `make demo` left in .work/demo; with --project-dir any other project that
has this package, by the connection of its profile.
"""

from __future__ import annotations

import argparse
import html
import os
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from datetime import datetime, timedelta
from decimal import Decimal
from io import StringIO
from math import log10
from pathlib import Path
from typing import Any, NoReturn

import leather
import yaml

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE, DEMO = ROOT / "integration_tests", ROOT / ".work" / "demo"
MODELS = ("changelog_batch_rates", "changelog_state_sizes")

# what a plot over time shows: column, title, unit, what it means that there is no value
HISTORY = (
    ("seconds", "Duration of a batch", "seconds", ""),
    (
        "rows_changed",
        "Rows inserted, updated and deleted by a batch, log scale",
        "rows",
        "No batch has counted its rows.",
    ),
    ("rows_per_second", "Rows per second, log scale", "rows / s", "No batch has counted its rows."),
    (
        "lag_seconds",
        "Lag: from the last time read in the source to the commit",
        "seconds",
        "No model reads its source by a column of time.",
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
NOT_COUNTED = "No batch has counted them: set counters: full in a model."
# the columns of the table of batches; one that this version does not count has none
COLUMNS = {
    "model": "model",
    "batch_id": "batch",
    "committed_at": "committed at",
    "seconds": "seconds",
    "rows_inserted": "inserted",
    "rows_updated": "updated",
    "rows_deleted": "deleted",
    "events_late": "late",
    "events_duplicate": "duplicate",
    "events_invalid": "invalid",
    "lag_seconds": "lag, seconds",
}
# what a page has at most, to stay small: lines in a plot, batches in plots and tables
COLOURS = (
    *("#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd"),
    *("#8c564b", "#e377c2", "#7f7f7f", "#bcbd22", "#17becf"),
)
SHOWN, NEWEST = len(COLOURS), 500
WIDTH = 1150
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ font: 16px sans-serif; color: #212529; max-width: 1200px; margin: 2em auto; }}
table {{ border-collapse: collapse; font-size: 14px; }}
td, th {{ padding: 0.2em 0.7em; border-bottom: 1px solid #dee2e6; text-align: right; }}
td:first-child, th:first-child {{ text-align: left; }}
svg {{ max-width: 100%; height: auto; }}
.legend span {{ margin-right: 1.5em; white-space: nowrap; }}
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

leather.theme.background_color = "#ffffff"
leather.theme.margin = 0.03
for part in ("tick", "axis_title"):
    setattr(leather.theme, f"{part}_font_family", "sans-serif")
    setattr(leather.theme, f"{part}_font_size", 13)
leather.theme.label_color = leather.theme.axis_title_color = "#495057"


class Points(leather.Line):
    """A line that shows where its points are, each with words for the mouse."""

    def to_svg(self, width: float, height: float, x: Any, y: Any, series: Any, palette: Any) -> Any:
        group = super().to_svg(width, height, x, y, series, palette)
        for point in series.data():
            if point.y is not None:
                place = {"cx": f"{x.project(point.x, 0, width):.1f}"}
                place["cy"] = f"{y.project(point.y, height, 0):.1f}"
                dot = ET.SubElement(group, "circle", place, r="3.5", fill=self._stroke_color)
                ET.SubElement(dot, "title").text = point.row[2]
        return group

    def legend_to_svg(self, series: Any, palette: Any) -> list[Any]:
        return []


class Segments(leather.Bars):
    """Bars without a legend: the page has one of its own."""

    def legend_to_svg(self, series: Any, palette: Any) -> list[Any]:
        return []


def page(project: str, batches: list[Record], states: list[Record]) -> str:
    """The whole page: it needs no network and nothing beside it."""
    title = f"Batches of {html.escape(project)}"
    if not batches:
        nothing = "There are no batches yet. Run a from_changelog model, then make report again."
        return PAGE.format(title=title, summary=nothing, body="")
    names = model_names([*batches, *states])
    batches = sorted(batches, key=lambda batch: batch["committed_at"])
    number = len({model_name(batch) for batch in batches})
    summary = (
        f"{count(len(batches), 'batch', 'batches')} of {count(number, 'model', 'models')}, "
        f"{batches[0]['committed_at']:%Y-%m-%d %H:%M} to "
        f"{batches[-1]['committed_at']:%Y-%m-%d %H:%M}."
    )
    if len(batches) > NEWEST:
        summary += f" The plots over time and the table have the newest {NEWEST}."
    if number > SHOWN:
        summary += f" The plots over time have the {SHOWN} models that took longest."
    newest = batches[-NEWEST:]
    wrong = [one for one in newest if one.get("events_late") or one.get("events_invalid")]
    parts = [
        *history(newest, names),
        "<h2>Models</h2>",
        *bars("Rows of the state", states, STATE, names, "No state was found."),
        *bars("Events that changed nothing", batches, EVENTS, names, NOT_COUNTED),
        "<h2>Batches with late or invalid events</h2>",
        table(wrong, names) if wrong else "<p>None was counted.</p>",
        "<h2>Batches</h2>",
        table(newest, names),
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


def row_ticks(rows: Iterable[float]) -> list[int]:
    """Powers of ten and 0: the first batch is often the whole log, and another changes nothing."""
    most = max(rows)
    # 1 would stand upon 0
    return [0, *(10**power for power in range(most >= 100, len(str(int(most))) + 1))]


def words(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


def legend(entries: Iterable[tuple[str, str]]) -> str:
    spans = (
        f'<span><svg width="12" height="12"><rect width="12" height="12" fill="{colour}"/></svg> '
        f"{html.escape(name)}</span>"
        for name, colour in entries
    )
    return f'<p class="legend">{"".join(spans)}</p>'


def history(batches: list[Record], names: dict[str, str]) -> list[str]:
    """Plots over time, a line per model: duration, rows, rates, lag."""
    by_model: dict[str, list[Record]] = {}
    for batch in sorted(batches, key=lambda batch: batch["batch_id"]):
        by_model.setdefault(model_name(batch), []).append(batch)
    slowest = sorted(by_model, key=lambda model: -sum(b["seconds"] or 0 for b in by_model[model]))
    drawn = {model: by_model[model] for model in slowest[:SHOWN]}
    parts = [legend(zip(map(names.__getitem__, drawn), COLOURS, strict=False))]
    start, end = (pick(batch["committed_at"] for batch in batches) for pick in (min, max))
    margin = max((end - start) * 0.03, timedelta(seconds=11))
    for column, title, unit, nothing in HISTORY:
        parts.append(f"<h2>{title}</h2>")
        known = [b[column] for found in drawn.values() for b in found if b[column] is not None]
        if not known:
            parts.append(f"<p>{nothing}</p>")
            continue
        chart = leather.Chart()
        chart.add_x_scale(start - margin, end + margin)
        scale = y_axis(chart, known, unit)
        for colour, found in zip(COLOURS, drawn.values(), strict=False):
            points = [
                (
                    batch["committed_at"],
                    None if batch[column] is None else scale(batch[column]),
                    f"{names[model_name(batch)]}, batch {batch['batch_id']}: "
                    f"{words(batch[column] or 0)} {unit}",
                )
                for batch in found
            ]
            if any(y is not None for _, y, _ in points):
                chart.add_series(leather.Series(points), Points(colour))
        parts.append(svg(chart, 320))
    return parts


def y_axis(chart: leather.Chart, known: list[float], unit: str) -> Scale:
    """The axis of a plot, and what its values are on it."""
    if unit == "seconds":
        size, name = time_unit(known)
        most, least = max(known) / size, min(0, *known, 0) / size
        chart.add_y_scale(least, (most - least) * 1.05 + least or 1)
        chart.add_y_axis(name=name)
        return lambda one: one / size
    ticks = row_ticks(known)
    chart.add_y_scale(0, log10(1 + ticks[-1]))
    chart.add_y_axis(
        ticks=[log10(1 + tick) for tick in ticks],
        tick_formatter=lambda value, index, number: f"{ticks[index]:,}",
        name=unit,
    )
    return lambda one: log10(1 + one)


def bars(
    title: str,
    records: list[Record],
    kinds: tuple[tuple[str, str, str], ...],
    names: dict[str, str],
    nothing: str,
) -> list[str]:
    """A bar per model, of which each kind is a part, and their numbers."""
    parts = [f"<h3>{title}</h3>"]
    if all(record.get(column) is None for record in records for column, _, _ in kinds):
        return [*parts, f"<p>{nothing}</p>"]
    sums = {
        model: [
            sum(int(r.get(column) or 0) for r in records if model_name(r) == model)
            for column, _, _ in kinds
        ]
        for model in names
    }
    chart = leather.Chart()
    chart.add_x_scale(0, max(sum(one) for one in sums.values()) or 1)
    # a bar of all kinds lies below one of all but the last
    for until in range(len(kinds), 0, -1):
        data = [(sum(sums[model][:until]), name) for model, name in reversed(names.items())]
        chart.add_series(leather.Series(data), Segments(kinds[until - 1][2]))
    rows = [[names[model], *(f"{one:,}" for one in found)] for model, found in sums.items()]
    return [
        *parts,
        legend((name, colour) for _, name, colour in kinds),
        svg(chart, 90 + 30 * len(names)),
        rows_table(["model", *(name for _, name, _ in kinds)], rows),
    ]


def table(batches: list[Record], names: dict[str, str]) -> str:
    """The batches, newest first, in the columns that they have."""
    columns = [name for name in COLUMNS if any(name in batch for batch in batches)]
    rows = [
        [names[model_name(batch)] if name == "model" else cell(batch.get(name)) for name in columns]
        for batch in reversed(batches)
    ]
    return rows_table([COLUMNS[name] for name in columns], rows)


def cell(value: Any) -> str:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S}"
    if isinstance(value, float):
        return f"{value:,.1f}"
    return "" if value is None else f"{value:,}"


def rows_table(columns: list[str], rows: list[list[str]]) -> str:
    def row(tag: str, cells: list[str]) -> str:
        return f"<tr>{''.join(f'<{tag}>{html.escape(one)}</{tag}>' for one in cells)}</tr>"

    body = "\n".join([row("th", columns), *(row("td", cells) for cells in rows)])
    return f"<table>\n{body}\n</table>"


def svg(chart: leather.Chart, height: int) -> str:
    text: str = chart.to_svg(width=WIDTH, height=height)
    return text


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
    name = yaml.safe_load((project / "dbt_project.yml").read_text(encoding="utf-8"))["name"]
    output.write_text(page(name, *(found[model] for model in MODELS)), encoding="utf-8")
    print(f"Written: {output}")


if __name__ == "__main__":
    main()
