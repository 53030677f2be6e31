"""A run as a whole: the order of its statements and what dbt is told. Spark is a stand-in."""

import pytest

from ..plans import CASES, CONTENTS, FLAT, Model, batch
from ..render import CompilerError, table
from ..state.log import MODEL, macros_with_log

CONTRACT = Model({}, FLAT, column_constraints={"name": [{"type": "not_null"}]})


class Run:
    """One run: `steps` has its hooks and checks, and the first words of its statements."""

    def __init__(self, model=MODEL, log_batch=None):
        self.steps, self.said = [], []
        self.node, note = model.node, self.steps.append
        self.macros = macros_with_log(
            log_batch,
            model,
            **{"model": self.node, "config": self.node["config"]},
            **{"sql": model.query, "this": CONTENTS},
            **{"pre_hooks": "pre hooks", "post_hooks": "post hooks", "run_query": self.run_query},
            run_hooks=lambda hooks: note(hooks) or "",
            get_assert_columns_equivalent=lambda sql: note("contract") or sql,
            get_create_view_as_sql=lambda name, sql: f"create view {name} as\n{sql}",
            should_revoke=lambda found, refresh: False,
            apply_grants=lambda relation, grants, revoke: note("grants"),
            persist_docs=lambda relation, node, for_columns: note("docs"),
            store_raw_result=lambda name, **result: self.said.append(result),
        )
        self.warehouse = self.macros.warehouse
        names = ["rows_inserted", "rows_updated", "rows_deleted", "written"]
        counts = table([("7", "1", "0", "9")], names)
        self.warehouse.answer("where _batch_id = ", lambda: counts)
        batches = self.macros.batches_relation(CONTENTS)
        self.warehouse.relations[str(batches)] = batches

    def run_query(self, sql):
        if not sql.startswith(("describe", "set `", "show", "refresh", "select")):
            self.steps.append(" ".join(sql.split()[:2]))
        return self.warehouse.run_query(sql)

    def go(self):
        self.result = self.macros.materialization_from_changelog_spark()
        return self


FINISH = ["create view", "insert into", "grants", "docs", "post hooks"]


def test_first_run():
    run = Run().go()
    assert run.steps == ["pre hooks", "create or", *FINISH]
    assert [str(r) for r in run.result["relations"]] == [str(CONTENTS), f"{CONTENTS}__state"]
    (said,) = run.said
    assert said["message"] == "batch 1, 7 rows inserted, 1 rows updated, 0 rows deleted"


def test_next_run():
    run = Run(log_batch=batch()).go()
    assert run.steps == ["pre hooks", "merge into", "alter table", *FINISH]
    assert run.said[0]["message"] == "batch 3, 7 rows inserted, 1 rows updated, 0 rows deleted"


def test_target_run_has_every_statement():
    text = Run(log_batch=batch()).go().macros.written[-1]
    names = [line for line in text.split("\n") if line.startswith("-- ")]
    assert names == ["-- write state", "-- commit batch", "-- contents view", "-- batches row"]


def test_contract_is_checked_first():
    assert Run(CONTRACT).go().steps[:3] == ["contract", "pre hooks", "create or"]


def test_contents_are_the_users_columns():
    run = Run(CASES["images"]).go()
    view = next(sql for sql in run.warehouse.statements if sql.startswith("create view"))
    assert view == (
        f"create view {CONTENTS} as\nselect\n  `id`,\n  `name`\nfrom {CONTENTS}__state\n"
        "where _row_kind in ('INSERT', 'UPDATE_AFTER')"
    )


@pytest.mark.parametrize(
    ("config", "steps"), [({"op_maping": {}}, []), ({"unique_key": "name"}, ["pre hooks"])]
)
def test_wrong_config_writes_nothing(config, steps):
    run = Run(log_batch=batch())
    run.node["config"].update(config)
    with pytest.raises(CompilerError, match=f"Invalid '{next(iter(config))}'"):
        run.go()
    assert run.steps == steps
