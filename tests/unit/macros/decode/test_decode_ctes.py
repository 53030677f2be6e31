import pytest


@pytest.mark.parametrize(
    ("items", "sql"),
    [
        ([], "cast(null as bigint)"),
        (["`lsn`"], "`lsn`"),
        (["`a`", "b.c", "-d"], "named_struct('_1', `a`, '_2', b.c, '_3', -d)"),
    ],
)
def test_sequence(macros, items, sql):
    assert macros.sequence_sql(items) == sql
