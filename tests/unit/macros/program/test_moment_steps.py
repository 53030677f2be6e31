from ..groups import GROUP, Group, runs_of
from ..plans import CASES
from ..runs import REFRESH

MODEL = CASES["grouped"]
STEPS = ["version of state", "contents view", "moment reached", "settled views"]


AT_7 = '{"column": "lsn", "type": "bigint", "value": "7"}'


def of_group(run):
    return [name for name in run.steps if name in STEPS]


def test_the_view_has_both_moments_until_the_group_goes_on():
    group = Group(shown=1, target=1, ready={1: 3}, border=20)
    runs = runs_of(MODEL, Group())
    runs.run()
    runs = next_runs(runs, group)
    run = runs.run()
    assert of_group(run) == STEPS
    view = runs.lake.views["analytics.customers"]
    assert "version as of 3\n" in view and "version as of 5\n" in view
    assert ") in (1)" in view and ") in (2)" in view and "moment in (1, 2)" in view


def next_runs(runs, group):
    """The lake as it is, with what the group says now."""
    group.version = 5
    later = runs_of(MODEL, group)
    later.lake.tables, later.lake.views = runs.lake.tables, runs.lake.views
    later.count = runs.count
    return later


def test_before_the_first_moment_a_view_shows_what_its_model_has():
    runs = runs_of(MODEL, Group())
    runs.run()
    view = runs.lake.views["analytics.customers"]
    assert view.count("version as of") == 1
    assert ") in (0, 1)" in view


def test_a_new_model_of_an_old_group_shows_nothing_of_the_moment():
    runs = runs_of(MODEL, Group(shown=4, target=4, position=AT_7))
    runs.run()
    view = runs.lake.views["analytics.customers"]
    assert ") in (5)" in view and "moment in (5)" in view


def test_a_moment_that_was_begun_is_finished_first():
    group = Group(target=1, run="other", position=AT_7)
    runs = runs_of(MODEL, group)
    runs.context["selected_resources"] = ["model.shop.customers"]
    run = runs.run()
    assert run.batch["position"]["bronze.customers"]["value"] == "7"
    assert not [sql for sql in runs.lake.statements if sql.startswith("update")]


def test_all_models_together_begin_a_new_one():
    group = Group(target=1, run="other", position=AT_7)
    run = runs_of(MODEL, group).run()
    assert run.batch["position"]["bronze.customers"]["value"] == "10"
    assert group.target == 2


def test_what_another_thread_decided_counts():
    run = runs_of(MODEL, Group(by_others=True)).run()
    assert run.batch["position"]["bronze.customers"]["value"] == "11"


def test_without_a_whole_transaction_nothing_is_read():
    run = runs_of(MODEL, Group(border=None)).run()
    assert run.batch["position"]["bronze.customers"] is None
    assert of_group(run) == ["contents view"]


def test_nothing_new_leaves_the_group_as_it_is():
    runs = runs_of(MODEL, Group())
    runs.run()
    group = Group(shown=1, target=1, ready={1: 5}, run="run",
                  position='{"column": "lsn", "type": "bigint", "value": "10"}')  # fmt: skip
    later = next_runs(runs, group)
    later.lake.counts["newer_rows"] = 0
    run = later.run(end=10)
    assert of_group(run) == ["contents view"]
    group.version = 6
    # something has rewritten the state: the view reads the newest version of the same rows
    run = later.run(end=10)
    assert of_group(run) == STEPS[1:]
    assert "version as of 6\n" in later.lake.views["analytics.customers"]
    assert f"insert into {GROUP}" in run.text


def test_a_full_refresh_of_all_begins_with_the_log():
    group = Group(shown=1, target=1, ready={1: 3}, run="other", position=AT_7, border=5)
    run = runs_of(MODEL, group).run(**REFRESH)
    assert run.batch["position"]["bronze.customers"]["value"] == "5"
    assert group.target == 2
