"""make report: the page and its plots, without dbt and Spark."""

from __future__ import annotations

import re
import sys
from datetime import datetime, timedelta
from decimal import Decimal

import pytest
import report


def batch(model="customers", id=1, schema="analytics", **columns):
    names = ("rows_changed", "rows_per_second", "rows_inserted", "rows_updated", "lag_seconds")
    names += ("events_late", "events_duplicate", "events_invalid")
    first = {"schema_name": schema, "model": model, "batch_id": id, "seconds": 2.0}
    time = datetime(2026, 11, 1, 6) + timedelta(minutes=id)
    return first | {"committed_at": time} | dict.fromkeys(names) | columns


def state(model="customers", live=1, tombstones=0, waiting=0, schema="analytics"):
    counts = {"live_rows": live, "tombstones": tombstones, "waiting_rows": waiting}
    return {"schema_name": schema, "model": model, **counts}


def drawn(parts):
    """The words of each plot's points, in the order in which they are drawn: {title: [..]}."""
    titles = [re.sub("<.*?>", "", part) for part in parts if part.startswith("<h")]
    plots = [part for part in parts if not part.startswith(("<h", '<p class="legend"'))]
    return {
        title: re.findall(r"<title>(.*?)</title>", plot)
        for title, plot in zip(titles, plots, strict=True)
    }


def plots(*batches):
    return report.history(list(batches), report.model_names(batches))


def places(plot):
    """The heights of the points of a plot: more is lower."""
    return [float(y) for y in re.findall(r'<circle [^>]*cy="([\d.-]+)"', plot)]


def rows(html):
    """The cells of a table, the head first."""
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", row) for row in re.findall(r"<tr>(.*?)</tr>", html)]


def test_the_page_needs_nothing_beside_it():
    page = report.page("shop", [batch(), batch("orders", 2)], [state()])
    assert "<h1>Batches of shop</h1>" in page
    assert "2 batches of 2 models, 2026-11-01 06:01 to 2026-11-01 06:02." in page
    assert re.findall(r"<(?:script|link|img)", page) == []


def test_a_history_without_batches_says_so():
    page = report.page("shop", [], [])
    assert "There are no batches yet." in page
    assert "<svg" not in page


def test_one_batch():
    assert "1 batch of 1 model," in report.page("shop", [batch()], [])


def test_names_are_escaped():
    assert "<h1>Batches of a&lt;b</h1>" in report.page("a<b", [], [])
    assert "<td>a&lt;b</td>" in report.page("shop", [batch("a<b")], [])


def test_a_line_per_model_in_the_order_of_batches():
    found = drawn(plots(batch(id=2, seconds=5.0), batch(seconds=4.0), batch("orders", seconds=1.0)))
    assert found["Duration of a batch"] == [
        "customers, batch 1: 4 seconds",
        "customers, batch 2: 5 seconds",
        "orders, batch 1: 1 seconds",
    ]


def test_times_have_the_unit_that_reads_best():
    parts = plots(batch(seconds=90.0, lag_seconds=7200.0), batch(id=2, seconds=240.0))
    first, last = (part for part in parts if part.startswith("<svg"))
    assert ">minutes</text>" in first and ">minutes</text>" in last
    assert len(places(first)) == 2 and len(places(last)) == 1


def test_a_batch_of_no_rows_has_its_point_beside_a_large_one():
    parts = plots(batch(rows_changed=99_999), batch(id=2, rows_changed=0), batch(id=3))
    plot = next(part for part in parts[3:] if part.startswith("<svg"))
    one, none = places(plot)
    assert one < 50 and none > 200
    for tick in ("0", "10", "100", "1,000", "10,000", "100,000"):
        assert f">{tick}</text>" in plot


@pytest.mark.parametrize(
    ("longest", "unit"),
    [(0, "seconds"), (179, "seconds"), (180, "minutes"), (10800, "hours"), (86400 * 3, "days")],
)
def test_time_unit(longest, unit):
    assert report.time_unit([None, longest, 0])[1] == unit


def test_what_was_not_counted_is_said():
    page = report.page("shop", [batch()], [])
    for words in ("No batch has counted its rows.", report.NOT_COUNTED, "No state was found."):
        assert f"<p>{words}</p>" in page
    counted = batch(rows_changed=1, rows_per_second=0.5, lag_seconds=1, events_late=0)
    assert "<p>No " not in report.page("shop", [counted], [state()])


def test_of_many_models_the_slowest_are_drawn():
    batches = [batch(f"model_{n:02}", seconds=float(n)) for n in range(25)]
    found = drawn(plots(*batches))["Duration of a batch"]
    assert [text.split(",")[0] for text in found] == [f"model_{n}" for n in range(24, 14, -1)]
    page = report.page("shop", batches, [])
    assert "the 10 models that took longest" in page
    assert "<td>model_00</td>" in page


def test_a_page_stays_small():
    batches = [
        batch(f"model_{n % 25}", id=n, rows_changed=n, rows_per_second=1.5, lag_seconds=60.0)
        for n in range(3000)
    ]
    page = report.page("shop", batches, [state(f"model_{n}") for n in range(25)])
    assert len(page) < 1_000_000
    assert "3000 batches of 25 models" in page
    assert "have the newest 500." in page
    assert "<td>2,999</td>" in page and "<td>2,499</td>" not in page


def test_a_table_of_the_batches_newest_first():
    first = batch(seconds=1.25, rows_inserted=1200, rows_updated=0)
    found = rows(report.table([first, batch(id=2)], {"analytics.customers": "customers"}))
    assert found[0][:6] == ["model", "batch", "committed at", "seconds", "inserted", "updated"]
    assert [row[1] for row in found[1:]] == ["2", "1"]
    assert found[2][2:6] == ["2026-11-01 06:01:00", "1.2", "1,200", "0"]
    # a counter that the batches have not has no column
    assert "deleted" not in found[0]
    deleted = batch(rows_deleted=7)
    found = rows(report.table([deleted], {"analytics.customers": "customers"}))
    assert dict(zip(*found, strict=True))["deleted"] == "7"


def test_late_and_invalid_events_have_their_batches():
    good, late = batch(events_late=0), batch(id=2, events_late=3, events_invalid=None)
    page = report.page("shop", [good, late], [])
    section = page.split("<h2>Batches with late or invalid events</h2>")[1].split("<h2>")[0]
    (row,) = rows(section)[1:]
    assert row[1] == "2"
    assert "<p>None was counted.</p>" in report.page("shop", [good], [])


def test_models_of_one_name_in_two_schemas():
    batches = [batch(), batch(schema="finance"), batch("orders")]
    assert report.model_names(batches) == {
        "analytics.customers": "analytics.customers",
        "finance.customers": "finance.customers",
        "analytics.orders": "orders",
    }


def test_bars_add_up_the_events_of_all_batches():
    batches = [batch(id=1, events_late=2), batch(id=2, events_late=3), batch("orders")]
    names = report.model_names(batches)
    *_, plot, table = report.bars("Events", batches, report.EVENTS, names, "")
    assert rows(table) == [
        ["model", "duplicate", "late", "invalid"],
        ["customers", "0", "5", "0"],
        ["orders", "0", "0", "0"],
    ]
    assert plot.count("<rect") > 3


def test_a_bar_is_as_long_as_its_kinds_together():
    states = [state("orders", live=50, tombstones=50), state(live=25, waiting=25)]
    names = report.model_names(states)
    _, _, plot, _ = report.bars("Rows", states, report.STATE, names, "")
    found = re.findall(r'<rect [^>]*width="([\d.]+)"[^>]*fill="(#2f9e44|#868e96|#f08c00)"', plot)
    widths = {}
    for width, colour in found:
        widths.setdefault(colour, []).append(round(float(width)))
    (live_orders, live), (dead_orders, dead), (waiting_orders, waiting) = (
        widths[colour] for _, _, colour in report.STATE
    )
    assert live_orders == pytest.approx(2 * live, abs=2) and dead == live
    assert dead_orders == waiting_orders == pytest.approx(2 * live_orders, abs=2)
    assert waiting == pytest.approx(2 * live, abs=2)


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
