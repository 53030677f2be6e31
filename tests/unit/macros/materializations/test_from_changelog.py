"""A run as a whole: the order of its statements and what dbt is told. Spark is a stand-in."""

import pytest

from ..plans import CONTENTS, FLAT, IMAGES, Model, batch
from ..render import CompilerError, table
from ..state.log import MODEL, macros_with_log

CONTRACT = Model({}, FLAT, column_constraints={"name": [{"type": "not_null"}]})


class Run:
    """One run: `steps` has hooks, checks and the names of statements in order."""

    def __init__(self, model=MODEL, log_batch=None, **context):
        self.steps, self.said = [], []
        node = model.node
        self.macros = macros_with_log(
            log_batch,
            model,
            **{
                **{"model": node, "config": node["config"], "sql": model.query, "this": CONTENTS},
                **{"pre_hooks": "pre hooks", "post_hooks": "post hooks"},
                "run_hooks": lambda hooks: self.steps.append(hooks) or "",
                "get_assert_columns_equivalent": lambda sql: self.steps.append("contract") or sql,
                "get_create_view_as_sql": lambda name, sql: f"create view {name} as\n{sql}",
                "should_revoke": lambda found, refresh: False,
                "apply_grants": lambda relation, grants, revoke: self.steps.append("grants"),
                "persist_docs": lambda relation, node, for_columns: self.steps.append("docs"),
                "store_raw_result": lambda name, **result: self.said.append(result),
                **context,
            },
        )
        answer = self.macros.warehouse.answer
        names = ["num_affected_rows", "num_updated_rows", "num_deleted_rows", "num_inserted_rows"]
        answer("^merge into", lambda: table([("1", "1", "0", "0")], names))
        answer(r"^select count\(\*\)", lambda: table([("7",)], ["count"]))
        run_query = self.macros.warehouse.run_query

        def record(sql):
            if not sql.startswith(("describe", "show", "select")):
                self.steps.append(" ".join(sql.split("\n")[0].split(" ")[:2]))
            return run_query(sql)

        self.macros._context["run_query"] = record
        batches = self.macros.batches_relation(CONTENTS)
        self.macros.warehouse.relations[str(batches)] = batches
        self.result = self.macros.materialization_from_changelog_spark()


FINISH = ["create view", "insert into", "grants", "docs", "post hooks"]


def test_first_run():
    run = Run()
    assert run.steps == ["pre hooks", "create or", *FINISH]
    assert [str(r) for r in run.result["relations"]] == [str(CONTENTS), f"{CONTENTS}__state"]
    (said,) = run.said
    assert said["message"] == "batch 1, 7 rows inserted, 0 rows updated"


def test_next_run():
    run = Run(log_batch=batch())
    assert run.steps == ["pre hooks", "merge into", "alter table", *FINISH]
    assert run.said[0]["message"] == "batch 3, 0 rows inserted, 1 rows updated"


def test_target_run_has_every_statement():
    text = Run(log_batch=batch()).macros.written[-1]
    names = [line for line in text.split("\n") if line.startswith("-- ")]
    assert names == ["-- write state", "-- commit batch", "-- contents view", "-- batches row"]


def test_contract_is_checked_first():
    assert Run(CONTRACT).steps[:3] == ["contract", "pre hooks", "create or"]


def test_contents_are_the_users_columns():
    run = Run(Model({"before": "before", "after": "after", "op_mapping": {"d": "DELETE"}}, IMAGES))
    view = next(sql for sql in run.macros.warehouse.statements if sql.startswith("create view"))
    assert view == (
        f"create view {CONTENTS} as\nselect\n  `id`,\n  `name`\nfrom {CONTENTS}__state\n"
        "where _row_kind in ('INSERT', 'UPDATE_AFTER')"
    )


def test_wrong_config_writes_nothing():
    model = Model({"op_maping": {}}, FLAT)
    with pytest.raises(CompilerError, match="op_mapping"):
        model.plan()
    statements = macros_with_log(batch()).warehouse.statements
    assert statements == []
