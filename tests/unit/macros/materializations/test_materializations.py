"""A run as a whole: the order of its parts, and what dbt is told. Spark is a stand-in."""

import pytest

from ..logs import LOGS
from ..plans import CASES, FLAT, Model
from ..render import CompilerError
from ..runs import Runs

CONTRACT = Model({}, FLAT, column_constraints={"name": [{"type": "not_null"}]})
FINISH = ["grants", "docs", "post hooks"]
KINDS = {"from_changelog": CASES["default_op_mapping"], "to_changelog": LOGS["table_input"]}


class Dbt:
    """Runs of a model: `parts` has the hooks and checks of the last, and its statements."""

    def __init__(self, model):
        self.runs = Runs(model)
        self.kind = model.node["config"]["materialized"]

    def run(self):
        self.parts, said, note = [], [], lambda part: self.parts.append(part) or ""
        macros = self.runs.macros(
            **{"config": self.runs.model.node["config"], "sql": self.runs.model.query},
            **{"pre_hooks": "pre hooks", "post_hooks": "post hooks", "run_hooks": note},
            run_query=self.run_query,
            get_assert_columns_equivalent=lambda sql: note("contract"),
            should_revoke=lambda found, refresh: False,
            apply_grants=lambda relation, grants, revoke: note("grants"),
            persist_docs=lambda relation, node, for_columns: note("docs"),
            store_raw_result=lambda name, **result: said.append(result["message"]),
        )
        self.macros = macros
        self.result = getattr(macros, f"materialization_{self.kind}_spark")()
        (self.said,) = said
        return self.parts

    def run_query(self, sql):
        if sql.startswith(("create", "insert", "merge", "alter")):
            self.parts.append(" ".join(sql.split()[:2]))
        return self.runs.lake.run_query(sql)


def test_from_changelog():
    dbt = Dbt(KINDS["from_changelog"])
    assert dbt.run() == ["pre hooks", "create or", "create or", "insert into", *FINISH]
    assert dbt.said == "batch 1, 0 rows inserted, 0 rows updated, 0 rows deleted"
    assert dbt.run() == ["pre hooks", "merge into", "alter table", "insert into", *FINISH]
    assert dbt.said == "batch 2, 0 rows inserted, 0 rows updated, 0 rows deleted"
    assert len(dbt.result["relations"]) == 2


def test_to_changelog():
    dbt = Dbt(KINDS["to_changelog"])
    parts = ["pre hooks", *["create or"] * 3, "alter table", "insert into", *FINISH]
    assert dbt.run() == parts
    assert dbt.said == "batch 1, 0 rows inserted"
    dbt.runs.lake.counts["written"] = 0
    # what was staged is no batch
    assert dbt.run() == ["pre hooks", "create or", "alter table", *FINISH]
    assert dbt.said == "nothing new"


def test_a_contract_is_checked_before_anything_is_written():
    assert Dbt(CONTRACT).run()[:3] == ["pre hooks", "contract", "create or"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("config", [{"op_maping": {}}, {"unique_key": "name"}])
def test_a_wrong_config_writes_nothing(kind, config):
    dbt = Dbt(KINDS[kind])
    dbt.run()
    dbt.runs.model.config.update(config)
    try:
        with pytest.raises(CompilerError, match=f"Invalid '{next(iter(config))}'"):
            dbt.run()
    finally:
        for name in config:
            del dbt.runs.model.config[name]
    assert dbt.parts == ["pre hooks"]
