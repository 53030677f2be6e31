"""What is there of a model: asked once, and of its own tables."""

import pytest

from ..lake import Lake, Table
from ..plans import CONTENTS, STATE
from ..render import Macros

VIEW = f"create or replace view {CONTENTS}\nas\nselect 1\nfrom {STATE}"


@pytest.fixture
def macros():
    tables = {STATE: Table({"id": "int"}, {"delta.minReaderVersion": "1", "a.b": "c,d"})}
    tables["analytics.customers_dump"] = Table()
    return Macros(Lake(tables=tables, views={str(CONTENTS): VIEW}))


def test_what_is_told_is_asked_of_the_own_tables_alone(macros):
    """Spark loads each table that it tells of, and others may be dropped meanwhile."""
    assert macros.listed_tables(CONTENTS) == {
        "names": ["customers__state", "customers_dump", "customers"],
        "views": {"customers": f"select 1\nfrom {STATE}"},
        "formats": {"customers__state": "delta"},
    }
    assert macros.warehouse.statements == [
        "show tables in analytics like 'customers*'",
        "show table extended in analytics like 'customers|customers__state|customers__current'",
    ]


def test_an_answer_is_kept_until_it_is_taken(macros):
    for keeps in (True, True, False):
        macros.known_tables(CONTENTS, keeps)
    assert len(macros.warehouse.statements) == 2
    macros.known_tables(CONTENTS)
    assert len(macros.warehouse.statements) == 4


def test_a_table_is_described_in_one_statement(macros):
    assert macros.described_table(STATE, False) == {
        "columns": [{"name": "id", "type": "int"}],
        "properties": {"delta.minReaderVersion": "1", "a.b": "c,d"},
    }
    assert macros.warehouse.statements == [f"describe table extended {STATE}"]
