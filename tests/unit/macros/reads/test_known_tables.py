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
    assert macros.listed_tables(CONTENTS, CONTENTS) == {
        "names": ["customers__state", "customers_dump", "customers"],
        "views": {"customers": f"select 1\nfrom {STATE}"},
        "formats": {"customers__state": "delta"},
    }
    assert macros.warehouse.statements == [
        "show tables in analytics like 'customers*'",
        "show table extended in analytics like 'customers|customers__state|customers__current'",
    ]


def test_a_catalog_beside_the_sessions_is_asked_for_the_views_by_name():
    """It does not tell what it has, so each view is asked for what made it."""
    state, view, current = (f"lake.shop.customers{end}" for end in ("__state", "", "__current"))
    texts = {
        name: VIEW.replace("create", "CREATE").replace("as\n", "AS\n") for name in (view, current)
    }
    macros = Macros(Lake(tables={state: Table()}, views=texts))
    contents = CONTENTS.incorporate(path={"schema": "lake.shop"})
    assert macros.listed_tables(contents, contents)["views"] == {
        "customers": f"select 1\nfrom {STATE}",
        "customers__current": f"select 1\nfrom {STATE}",
    }
    assert macros.warehouse.statements == [
        "show tables in lake.shop like 'customers*'",
        "show views in lake.shop like 'customers|customers__current'",
        f"show create table {view}",
        f"show create table {current}",
    ]


def test_an_answer_is_kept_until_it_is_taken(macros):
    for keeps in (True, True, False):
        macros.known_tables(CONTENTS, None, keeps)
    assert len(macros.warehouse.statements) == 2
    macros.known_tables(CONTENTS, None)
    assert len(macros.warehouse.statements) == 4


def test_a_table_is_described_in_one_statement(macros):
    assert macros.described_table(STATE, False) == {
        "columns": [{"name": "id", "type": "int"}],
        "comment": None,
        "comments": {"id": None},
        "partitions": [],
        "properties": {"delta.minReaderVersion": "1", "a.b": "c,d"},
    }
    assert macros.warehouse.statements == [f"describe table extended {STATE}"]
