"""make report: the page and its plots, without dbt and Spark."""

from __future__ import annotations

import re
import sys
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
import report


def batch(model="customers", id=1, schema="analytics", **columns):
    names = ("rows_changed", "rows_per_second", "lag_seconds")
    names += ("events_late", "events_duplicate", "events_invalid")
    first = {"schema_name": schema, "model": model, "batch_id": id, "seconds": 2.0}
    time = datetime(2026, 11, 1, 6) + timedelta(minutes=id)
    return first | {"committed_at": time} | dict.fromkeys(names) | columns


def state(model="customers", live=1, tombstones=0, waiting=0, schema="analytics"):
    counts = {"live_rows": live, "tombstones": tombstones, "waiting_rows": waiting}
    return {"schema_name": schema, "model": model, **counts}


def lines(figure, title):
    """The lines of a plot by the name of their model."""
    place = [annotation.text for annotation in figure.layout.annotations].index(title) + 1
    axis = "y" if place == 1 else f"y{place}"
    return {line.name: line for line in figure.data if line.yaxis == axis}


def texts(figure):
    return {annotation.text for annotation in figure.layout.annotations}


def test_the_page_needs_nothing_beside_it():
    page = report.page("shop", [batch(), batch("orders", 2)], [state()])
    assert "<h1>Batches of shop</h1>" in page
    assert "2 batches of 2 models, 2026-11-01 06:01 to 2026-11-01 06:02." in page
    assert re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=", page) == []


def test_a_history_without_batches_says_so():
    page = report.page("shop", [], [])
    assert "There are no batches yet." in page
    assert "<script" not in page


def test_one_batch():
    assert "1 batch of 1 model," in report.page("shop", [batch()], [])


def test_names_are_escaped():
    assert "<h1>Batches of a&lt;b</h1>" in report.page("a<b", [], [])


def test_a_line_per_model_in_the_order_of_batches():
    batches = [batch(id=2, seconds=5.0), batch(id=1, seconds=4.0), batch("orders", 1, seconds=1.0)]
    figure = report.history(batches, report.model_names(batches))
    found = lines(figure, "Duration of a batch")
    assert {name: line.y for name, line in found.items()} == {"customers": (4, 5), "orders": (1,)}


def test_times_have_the_unit_that_reads_best():
    batches = [
        batch(seconds=90.0, lag_seconds=7200.0),
        batch(id=2, seconds=240.0, lag_seconds=None),
    ]
    figure = report.history(batches, report.model_names(batches))
    assert lines(figure, "Duration of a batch")["customers"].y == (1.5, 4)
    assert figure.layout.yaxis.title.text == "minutes"
    lag = next(text for text in texts(figure) if text.startswith("Lag"))
    assert lines(figure, lag)["customers"].y == (120, None)
    assert figure.layout.yaxis4.title.text == "minutes"


def test_a_batch_of_no_rows_has_its_point_beside_a_large_one():
    batches = [batch(id=1, rows_changed=99_999), batch(id=2, rows_changed=0), batch(id=3)]
    figure = report.history(batches, report.model_names(batches))
    line = lines(figure, "Rows inserted, updated and deleted by a batch, log scale")["customers"]
    assert line.y == (5, 0, None)
    assert line.text[:2] == ("batch 1: 99,999 rows", "batch 2: 0 rows")
    axis = figure.layout.yaxis2
    assert axis.ticktext == ("0", "10", "100", "1,000", "10,000", "100,000")
    assert axis.tickvals[0] == 0


@pytest.mark.parametrize(
    ("longest", "unit"),
    [(0, "seconds"), (179, "seconds"), (180, "minutes"), (10800, "hours"), (86400 * 3, "days")],
)
def test_time_unit(longest, unit):
    assert report.time_unit([None, longest, 0])[1] == unit


def test_what_was_not_counted_is_said():
    batches = [batch()]
    names = report.model_names(batches)
    assert "no batch has counted its rows" in texts(report.history(batches, names))
    assert "no batch has counted them:<br>set counters: full" in texts(
        report.models(batches, [state()], names)
    )
    counted = [batch(rows_changed=1, rows_per_second=0.5, lag_seconds=1, events_late=0)]
    shown = texts(report.history(counted, names)) | texts(report.models(counted, [state()], names))
    assert not [text for text in shown if text.startswith("no ")]


def test_of_many_models_the_slowest_are_drawn():
    batches = [batch(f"model_{n:02}", seconds=float(n)) for n in range(25)]
    figure = report.history(batches, report.model_names(batches))
    drawn = {line.name for line in figure.data if line.visible is True}
    assert drawn == {f"model_{n}" for n in range(15, 25)}
    assert len(lines(figure, "Duration of a batch")) == 25
    assert "The 10 that took longest are drawn" in report.page("shop", batches, [])


def test_models_of_one_name_in_two_schemas():
    batches = [batch(), batch(schema="finance"), batch("orders")]
    assert report.model_names(batches) == {
        "analytics.customers": "analytics.customers",
        "finance.customers": "finance.customers",
        "analytics.orders": "orders",
    }


def test_bars_add_up_the_events_of_all_batches():
    batches = [batch(id=1, events_late=2), batch(id=2, events_late=3), batch("orders")]
    states = [state("orders", live=7, tombstones=1), state(live=4, waiting=2)]
    figure = report.models(batches, states, report.model_names(batches + states))
    bars = {bar.name: dict(zip(bar.y, bar.x, strict=True)) for bar in figure.data}
    assert bars["late"] == {"customers": 5, "orders": 0}
    assert bars["live"] == {"customers": 4, "orders": 7}
    assert bars["tombstones"] == {"customers": 0, "orders": 1}
    assert bars["waiting for their insert"] == {"customers": 2, "orders": 0}


@pytest.mark.parametrize(
    ("column", "cell", "value"),
    [
        ("committed_at", "2026-11-01 06:00:00.25", datetime(2026, 11, 1, 6)),
        ("committed_at", datetime(2026, 11, 1, 6, 0, 0, 1), datetime(2026, 11, 1, 6)),
        ("seconds", Decimal("1.5"), 1.5),
        ("read_up_to", None, None),
        ("model", "customers", "customers"),
    ],
)
def test_cells_of_every_connection(column, cell, value):
    assert report.value(column, cell) == value


def test_a_folder_that_is_no_project(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["report", "--project-dir", str(tmp_path)])
    with pytest.raises(SystemExit) as caught:
        report.main()
    assert str(caught.value) == (
        f"Invalid project for make report: '{tmp_path}' has no dbt_project.yml.\n"
        "To fix: name the folder of a dbt project."
    )


def test_no_demo_has_run(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["report"])
    monkeypatch.setattr(report, "DEMO", tmp_path)
    with pytest.raises(SystemExit, match="To fix: run make demo, or name your own project"):
        report.main()
