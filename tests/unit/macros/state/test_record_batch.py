from ..plans import CONTENTS, batch, macros_of
from .log import MODEL


def test_a_missing_table_of_batches_warns():
    macros = macros_of(MODEL)
    macros.record_batch(MODEL.plan(), batch(), {})
    (warning,) = macros.warnings
    assert warning.startswith("The table analytics.dbt_changelog_batches is missing, so batch 2 of")


def test_row_of_the_table_of_batches():
    macros = macros_of(MODEL)
    relation = macros.batches_relation(CONTENTS)
    macros.warehouse.relations[str(relation)] = relation
    macros.record_batch(MODEL.plan(), batch(), {"rows_inserted": 2})
    sql = macros.warehouse.statements[-1]
    assert sql.startswith("insert into analytics.dbt_changelog_batches (uid, batch_id, ")
    assert ", rows_deleted, " in sql and "\nselect\n  'model.shop." in sql
    assert "cast(2 as bigint) as rows_inserted" in sql
    assert "cast(null as bigint) as rows_updated" in sql
    names = [column["name"] for column in macros.batch_columns()]
    assert [line.rsplit(" as ", 1)[1].rstrip(",") for line in sql.split("\n")[2:]] == names
