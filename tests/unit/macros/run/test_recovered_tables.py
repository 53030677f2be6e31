"""Tables that are not ours, or can not be gone on with, and batches that were left half done."""

import pytest

from ..lake import Table
from ..logs import LOGS
from ..plans import BATCHES, CASES, CHANGELOG, ENDS, FLAT, ROW, STAGED, STATE, Model
from ..render import CompilerError
from ..runs import REFRESH, Runs

MODEL = CASES["default_op_mapping"]
MAPPING = {"+I": "INSERT", "-U": "UPDATE_BEFORE", "+U": "UPDATE_AFTER", "-D": "DELETE"}
EVENTS = "analytics.customers_log"


def ran(model=MODEL, times=1):
    runs = Runs(model)
    for _ in range(times):
        runs.run()
    return runs


def follows(stored, now, **context):
    """A run of a model whose state another model made, before its first statement."""
    runs = ran(stored)
    runs.model = now
    return runs.plan(**context)


def test_a_table_of_someone_else(invalid):
    runs = Runs(MODEL)
    runs.lake.tables[STATE] = Table({"id": "int"}, {"owner": "ada"})
    for context in ({}, REFRESH):
        with invalid("alias", "exists and was not made by this package"):
            runs.plan(**context)


def test_a_state_of_another_model(invalid):
    with invalid("uid", "belongs to uid 'model.shop.customers', and this model has uid 'other'"):
        follows(MODEL, Model({"uid": "other"}, FLAT))


@pytest.mark.parametrize(
    ("argument", "words", "config"),
    [
        (
            "unique_key",
            "it is ['name'], but the state was made with ['id']",
            {"unique_key": "name"},
        ),
        ("sequence_by", "it is ['`id`'], but", {"sequence_by": "id"}),
        ("file_format", "it is iceberg, but the state was made with", {"file_format": "iceberg"}),
    ],
)
def test_a_plan_that_the_state_can_not_follow(invalid, argument, words, config):
    with invalid(argument, words):
        follows(MODEL, Model(config, FLAT))
    assert follows(MODEL, Model(config, FLAT), **REFRESH).batch["creates"]


@pytest.mark.parametrize(
    ("argument", "words", "config", "columns"),
    [
        ("op_mapping", "code '-U' is INSERT, but the state was made with UPDATE_BEFORE", {}, {}),
        ("before and after", "events have an after image, but", {"after": "row"}, {"row": ROW}),
    ],
)
def test_events_that_are_read_in_another_way(invalid, argument, words, config, columns):
    mapping = {"+I": "INSERT", "-U": "INSERT" if argument == "op_mapping" else "UPDATE_BEFORE"}
    now = Model({"op_mapping": mapping, **config}, {**FLAT, **columns})
    with invalid(argument, words):
        follows(Model({"op_mapping": MAPPING}, FLAT), now)


def test_codes_may_come_and_go():
    now = Model({"op_mapping": {"+I": "INSERT", "r": "INSERT"}}, FLAT)
    assert follows(Model({"op_mapping": MAPPING}, FLAT), now).batch["id"] == 2


PARTS = {"ignore_null_updates": ["name"]}
KEPT = {**ENDS, "_sequences": {"name": "bigint"}}


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        (PARTS, "TRUNCATE"),
        ({**PARTS, "stored_as_scd_type": 2}, "TRUNCATE"),
        ({"merge": "on_read", "read": {"column": "lsn"}}, "UPDATE_BEFORE"),
    ],
)
def test_a_code_whose_events_the_state_has_stays(invalid, config, kind):
    """Its truncates would be forgotten; of one sequence a before image would win."""
    few = {"c": "INSERT", "u": "UPDATE_AFTER"}
    stored, now, renamed = (
        Model({**config, "op_mapping": {**few, **more}}, FLAT, kept=KEPT)
        for more in ({"x": kind}, {}, {"y": kind})
    )
    with invalid("op_mapping", f"it has no code for {kind}, but the state was made with one"):
        follows(stored, now)
    assert follows(stored, now, **REFRESH).batch["creates"]
    assert follows(stored, renamed).batch["id"] == 2


def test_a_state_is_read_as_appended_to_before_it_is():
    config = {"read": {"column": "lsn"}}
    steps = follows(Model(config, FLAT), Model({**config, "merge": "on_read"}, FLAT)).steps
    assert steps[: steps.index("write state")] == ["contents view", "note kernel"]


SEEN = {**FLAT, "seen": "bigint"}
ROWS = {
    **{"on_conflict": "DEDUPLICATE", "op_mapping": {"+I": "INSERT", "-U": "UPDATE_BEFORE"}},
    **{"sequence_by": "_at", "read": {"column": "_at", "strict": True}},
}
HISTORY = {"stored_as_scd_type": 2, "changelog": True}


@pytest.mark.parametrize(
    ("config", "columns", "words"),
    [
        (ROWS, {**SEEN, "_at": "bigint"}, "but the state was made"),
        (HISTORY, SEEN, "and the changelog was made"),
    ],
)
@pytest.mark.parametrize(
    ("stored", "now", "said"),
    [
        (None, "seen", "it is ['seen'], {} without it"),
        ("seen", None, "it is not set, {} with ['seen']"),
    ],
)
def test_what_a_row_is_compared_by_stays(invalid, config, columns, words, stored, now, said):
    """Rows are found by it, and versions that the changelog has are made by it."""
    models = [Model({**config, "passthrough": names}, columns) for names in (stored, now)]
    with invalid("passthrough", said.format(words)):
        follows(*models)
    assert follows(*models, **REFRESH).batch["creates"]


@pytest.mark.parametrize("config", [{**HISTORY, "changelog": False}, {"changelog": True}])
def test_what_passes_through_may_change_where_nothing_was_made_by_it(config):
    assert follows(Model(config, SEEN), Model({**config, "passthrough": "seen"}, SEEN)).batch["id"]


def test_a_new_column_may_pass_through():
    config = {**HISTORY, "on_schema_change": "append_new_columns"}
    run = follows(Model(config, FLAT), Model({**config, "passthrough": "seen"}, SEEN))
    assert "add columns" in run.steps


@pytest.mark.parametrize(
    ("stored", "now", "words"),
    [
        ({}, {"changelog": True}, "the state has 1 batches that a changelog would lack"),
        ({"changelog": True}, {}, "the model had a changelog, which would stop, and its consumers"),
    ],
)
def test_a_changelog_neither_begins_late_nor_stops(invalid, stored, now, words):
    with invalid("changelog", words):
        follows(Model(stored, FLAT), Model(now, FLAT))
    assert follows(Model(stored, FLAT), Model(now, FLAT), **REFRESH).batch["id"] == 2


def test_a_changelog_that_was_left_out_does_not_go_on(invalid):
    """It lacks what the model did in between, which no full refresh tells it."""
    runs = ran(Model({"changelog": True}, FLAT))
    runs.model = Model({}, FLAT)
    runs.run(**REFRESH)
    runs.model = Model({"changelog": True}, FLAT)
    with invalid("changelog", "the state has 2 batches that a changelog would lack"):
        runs.plan()
    with invalid("changelog", f"it was left out since {CHANGELOG} was made, which lacks"):
        runs.plan(**REFRESH)
    assert "append changelog" in without(runs, CHANGELOG).plan(**REFRESH).steps


def test_the_order_of_a_changelog_without_a_key_keeps_its_type(invalid):
    """The state has no sequence, so only the changelog tells."""
    stored = CASES["keyless_changelog"]
    now = Model({**stored.config, "sequence_by": "op"}, stored.columns)
    with invalid("changelog", f"'_sequence' is string in the query and bigint in {CHANGELOG}"):
        follows(stored, now, **REFRESH)
    assert follows(stored, stored, **REFRESH).batch["creates"]


def test_a_refresh_that_begins_a_changelog_is_finished():
    runs = ran(Model({}, FLAT))
    runs.model = Model({"changelog": True}, FLAT)
    runs.crash("append changelog", **REFRESH)
    run = runs.plan()
    assert "-- claim batch" in run.macros.written[-1]
    assert (run.batch["id"], run.batch["scenario"]) == (3, "next")


@pytest.mark.parametrize(
    ("model", "version", "words"),
    [
        ("default_op_mapping", 3, "install the version of dbt_changelog that"),
        ("default_op_mapping", 1, "run with --full-refresh to build the state anew"),
        ("table_input", 1, "let its consumers begin again"),
    ],
)
def test_tables_of_another_version(model, version, words):
    runs = ran((CASES | LOGS)[model])
    plan = runs.plan().plan
    log = plan["relations"]["batch_log"]
    macros = runs.macros()
    written = macros.batch_log(dict(plan, version=version), {"id": 1, "position": {}})
    runs.lake.tables[str(log)].properties |= written["properties"]
    problem = f"has plan version {version}, and this .* has 2"
    with pytest.raises(CompilerError, match=problem) as caught:
        runs.plan()
    assert words in str(caught.value).partition("To fix: ")[2]
    if model == "default_op_mapping":
        assert runs.plan(**REFRESH).batch["creates"]


# a table of a model is gone


def without(runs, *names):
    for name in names:
        del runs.lake.tables[name]
    return runs


def test_a_state_that_the_view_reads(invalid):
    runs = without(ran(), STATE)
    with invalid("state", "analytics.customers__state, which the view analytics.customers reads"):
        runs.plan()
    assert runs.plan(**REFRESH).batch["creates"]


def test_a_state_whose_changelog_is_there(invalid):
    runs = without(ran(CASES["changelog"]), STATE, STAGED)
    with invalid("changelog", "is gone, and the table analytics.customers__changelog has batches"):
        runs.plan(**REFRESH)


def test_a_changelog(invalid):
    runs = without(ran(CASES["changelog"]), CHANGELOG)
    with invalid("changelog", "is gone, and consumers of it would miss what it had"):
        runs.plan()


def test_the_staging_table_of_a_batch_half_done(invalid):
    runs = ran(CASES["changelog"])
    runs.crash("append changelog")
    without(runs, STAGED)
    with invalid("changelog", "has batch 2, which the state has not"):
        runs.plan()


@pytest.mark.parametrize(
    ("lost", "words"),
    [
        (EVENTS, "is gone, and analytics.customers_log__state, which remembers what it said"),
        (f"{EVENTS}__state", "the table analytics.customers_log__state, which remembers what"),
    ],
)
def test_a_table_of_an_event_table(lost, words):
    runs = without(ran(LOGS["table_input"]), lost)
    with pytest.raises(CompilerError) as caught:
        runs.plan()
    assert words in str(caught.value)


# a batch that an earlier run began


@pytest.mark.parametrize(
    ("batches", "model", "after"),
    [
        (0, "changelog", "append changelog"),
        (0, "keyless_changelog", "append changelog"),
        (0, "table_input", "append changelog"),
        (0, "table_input", "write state"),
        (1, "changelog", "append changelog"),
        (1, "changelog", "write state"),
        (1, "keyless", "write state"),
        (1, "keyless_changelog", "append changelog"),
        (1, "keyless_changelog", "write state"),
        (1, "table_input", "append changelog"),
        (1, "table_input", "write state"),
        (1, "changes_input", "append changelog"),
    ],
)
def test_a_batch_that_was_begun_is_finished_first(batches, model, after):
    runs = ran((CASES | LOGS)[model], batches)
    runs.crash(after)
    run = runs.plan()
    assert run.batch["id"] == batches + 2
    text = run.macros.written[-1]
    assert f"'dbt_changelog.batch' = '{batches + 1}'" in text
    assert "-- append changelog" not in text
    # each event is counted once; what has a key may be merged again
    if "keyless" in model and after == "write state":
        assert "-- write state" not in text


@pytest.mark.parametrize(
    ("batches", "model", "after"),
    [
        (0, "changelog", "stage changes"),
        (0, "table_input", "stage changes"),
        (1, "changelog", "stage changes"),
        (1, "keyless", "stage changes"),
        (1, "table_input", "stage changes"),
        (1, "changes_input", "plan batch"),
        (1, "default_op_mapping", "write state"),
        # the state that is created commits its batch
        (0, "changelog", "write state"),
        (0, "keyless", "write state"),
    ],
)
def test_a_batch_of_which_nothing_was_written_is_none(batches, model, after):
    runs = ran((CASES | LOGS)[model], batches)
    runs.crash(after)
    run = runs.plan()
    assert run.macros.written == []
    committed = (batches, after) == (0, "write state")
    assert run.batch["last"]["id"] == (1 if committed else batches)


def test_a_batch_that_has_the_columns_of_then():
    """It is finished with them, and the next one follows the query of today."""
    runs = ran(CASES["changelog"])
    runs.crash("append changelog")
    row = {**ROW, "city": "string"}
    columns = {**runs.model.columns, "before": row, "after": row}
    config = {**runs.model.config, "on_schema_change": "append_new_columns"}
    runs.model = Model(config, columns)
    run = runs.plan()
    assert run.batch["id"] == 3
    finished = run.macros.written[-1]
    assert "-- claim batch" in finished and "city" not in finished
    assert "add columns (`city` string)" in run.macros.program_text(run.program)


def test_a_batch_whose_events_could_leave_out_fewer_columns():
    """What may be left out today need not have been there then."""
    config = {"changelog": True, "on_schema_change": "append_new_columns"}
    runs = ran(Model({**config, "ignore_null_updates": ["name"]}, FLAT, kept=KEPT))
    runs.crash("append changelog")
    more = {**config, "ignore_null_updates": ["name", "city"]}
    runs.model = Model(more, {**FLAT, "city": "string"}, kept=KEPT)
    run = runs.plan()
    finished = run.macros.written[-1]
    assert "-- claim batch" in finished and "city" not in finished
    assert "`city` string, _sequences.`city` bigint" in run.macros.program_text(run.program)


def test_the_batch_that_was_finished_has_a_row_for_people():
    runs = ran(CASES["changelog"])
    runs.crash("append changelog")
    run = runs.plan()
    assert f"insert into {BATCHES} (" in run.macros.written[-1]
