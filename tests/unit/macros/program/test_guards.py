"""Two runs of a model at once: of each two one goes on, and the other says so."""

import pytest

from ..logs import LOGS
from ..plans import CASES
from ..render import CompilerError
from ..runs import REFRESH, Runs

MODELS = CASES | LOGS
# the first step of a batch that another run of the model, which ended meanwhile, keeps from running
STOPS = {
    "default_op_mapping": "commit batch",
    "parquet": "contents view",
    "changelog": "append changelog",
    "keyless": "write state",
    "appended": "write state",
    "keyless_changelog": "append changelog",
    "table_input": "append changelog",
    "changes_input": "plan batch",
}
FIRST = {
    **{"default_op_mapping": "write state", "parquet": "write state", "appended": "write state"},
    **{
        "changelog": "stage changes",
        "keyless": "write state",
        "keyless_changelog": "stage changes",
    },
    **{"table_input": "stage changes", "changes_input": "append changelog"},
}


def beside(model, batches, first_steps=0, **context):
    """The program of a run that another one overtakes after `first_steps` steps of it."""
    runs = Runs(MODELS[model])
    for _ in range(batches):
        runs.run()
    one = runs.plan(**context)
    one.macros.run_program(one.program[:first_steps])
    other = runs.run(**context)
    ran, problem = [], None
    for place, step in enumerate(one.program[first_steps:], first_steps):
        try:
            one.macros.run_program(one.program[place : place + 1])
        except CompilerError as error:
            problem = str(error)
            break
        ran.append(step["name"])
    return one, other, ran, problem


@pytest.mark.parametrize("model", STOPS)
def test_of_two_runs_at_once_the_first_to_commit_wins(model):
    one, _, ran, problem = beside(model, 1)
    stopped = one.steps[len(ran)]
    assert (stopped, "Another run of " in problem) == (STOPS[model], True)
    assert "\nTo fix: run the model again; let one run of it end before the next begins." in problem
    # what it wrote before can be written again
    assert set(ran) <= {"stage changes", "look for changes", "count rows", "write state"}
    assert "write state" not in ran or not one.plan["stages"]


@pytest.mark.parametrize("model", FIRST)
def test_of_two_first_runs_the_first_wins(model):
    one, _, ran, problem = beside(model, 0)
    assert (ran, one.steps[0]) == ([], FIRST[model])
    assert "committed a batch while this one worked on batch 1" in problem


@pytest.mark.parametrize("model", ["default_op_mapping", "changelog", "keyless"])
def test_of_two_full_refreshes_the_first_wins(model):
    _, _, ran, problem = beside(model, 1, **REFRESH)
    assert ran == []
    assert "committed batch 2 while this one worked on batch 2" in problem


@pytest.mark.parametrize("model", ["keyless", "changelog", "table_input"])
def test_a_run_whose_staging_table_another_has_replaced(model):
    one, other, ran, problem = beside(model, 1, first_steps=1)
    assert one.steps[0] == "stage changes"
    assert "staged its changes while this one worked on batch 2" in problem
    assert set(ran) <= {"look for changes"}
    assert other.batch["id"] == 2


def test_a_changelog_that_has_the_batch_already_unstages_it():
    """The run that lost leaves no staged batch, which the next would take for begun."""
    runs = Runs(CASES["changelog"])
    runs.run()
    run = runs.plan()
    (guard,) = [guard for guard in run.guards("append changelog") if guard.get("undo")]
    assert guard["sql"][-1].startswith("select 1 from analytics.customers__changelog where _batch_")
    assert "'dbt_changelog.run' = ''" in guard["undo"]
    staged = dict(run.program[0])
    run.macros.run_program([staged])
    runs.lake.tables["analytics.customers__changelog"].batches.add(2)
    with pytest.raises(CompilerError, match="appended batch 2 to the changelog while this one"):
        run.macros.run_program([run.step("append changelog")])
    log = run.macros.read_batch_log(run.plan["relations"]["staged"])
    assert log["batch"]["id"] == 1


@pytest.mark.parametrize("model", ["changelog", "table_input"])
def test_what_is_resumed_is_claimed(model):
    runs = Runs(MODELS[model])
    runs.run()
    runs.crash("append changelog")
    macros = runs.macros()
    plan = getattr(macros, runs.model.make_plan)(runs.model.node, runs.model.query,
                                                 runs.model.relation)  # fmt: skip
    macros.next_batch(plan)
    staged = runs.lake.tables[f"{runs.model.relation}__changes"]
    assert staged.properties["dbt_changelog.run"] == f"run-{runs.count} 2"
