"""tie_handling='LAST': of different changes of one key and sequence the same one wins, in whatever
order and batches they come, and a change that came before is not emitted again."""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations, product

import pytest

from .changelogs import reference

pytestmark = pytest.mark.thorough

# at sequence 5; kinds win in the order -U, -D, +I, +U, then the greater text of the row
TIES = {
    "insert_insert_update": [("I", "x"), ("I", "y"), ("U", "x")],
    "insert_update_update": [("I", "y"), ("U", "x"), ("U", "y")],
    "delete_insert_update": [("D", None), ("I", "y"), ("U", "x")],
    "delete_insert_insert": [("D", "x"), ("I", "x"), ("I", "y")],
    "before_delete_insert": [("B", "y"), ("D", "x"), ("I", "x")],
}
KINDS = ["UPDATE_BEFORE", "DELETE", "INSERT", "UPDATE_AFTER"]
SPLITS = [(1, 1, 1), (1, 1, 2), (1, 2, 2), (1, 2, 3)]
MAPPING = {"B": "UPDATE_BEFORE", "I": "INSERT", "U": "UPDATE_AFTER", "D": "DELETE"}
# 0.0 and -0.0, and the entries of a map in any order, are one value
SPELLINGS = ["map('a', 1, 'b', 2), cast('0.0' as double)", "map('b', 2, 'a', 1), -0.0D"]

FLAT = "select op, seq, id, name, tags, size from"
IMAGES = """
select op, seq,
  if(op <> 'I', named_struct('id', id, 'name', name, 'tags', tags, 'size', size), null) as before,
  if(op <> 'D', named_struct('id', id, 'name', name, 'tags', tags, 'size', size), null) as after
from
"""
MODELS = {
    "flat": (FLAT, "uid=none"),
    "images": (IMAGES, "before='before', after='after'"),
    "state_backed": (FLAT, "state_ttl='0'"),
    "for_an_hour": (FLAT, "state_ttl='1 hour'"),
}


def events():
    """(batch, id, op, name): a key per order of arrival and split; the last batch repeats all."""
    rows = []
    for (name, ties), order, split in product(TIES.items(), permutations(range(3)), SPLITS):
        key = f"{name}:{order}:{split}"
        rows += [(batch, key, *ties[n]) for n, batch in zip(order, split, strict=True)]
        rows += [(4, key, *tie) for tie in ties]
    return rows


def expected():
    winners = {}
    for _, key, op, name in events():
        rank = ("B", "D", "I", "U").index(op)
        winners[key] = max(winners.get(key, (-1, "")), (rank, name or ""))
    return {key: name for key, (rank, name) in winners.items() if rank > 1}


@pytest.fixture(scope="module")
def ties(new_project):
    files = {
        f"models/{name}.sql": f"""
        {{{{ config(materialized='from_changelog', unique_key='id', sequence_by='seq',
          tie_handling='LAST', changelog=true, op_mapping={MAPPING}, read={{'column': 'batch'}},
          {arguments}) }}}}
        {query} {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
        """
        for name, (query, arguments) in MODELS.items()
    }
    files["models/macros.sql"] = f"""
        {{{{ config(materialized='table') }}}}
        with events as (select * from {{{{ source('bronze', 'events') }}}}),
        changes as (
          select * except (batch) from {{{{ dbt_changelog.from_changelog('events',
            op_mapping={MAPPING}) }}}}
        )
        select * from {{{{ dbt_changelog.apply_changelog('changes', unique_key='id',
          sequence_by='seq', tie_handling='LAST') }}}}
        """
    files["models/state_backed_macros.sql"] = f"""
        {{{{ config(materialized='table') }}}}
        with events as (select * except (batch) from {{{{ source('bronze', 'events') }}}}),
        changes as (
          select * from {{{{ dbt_changelog.from_changelog('events', unique_key='id',
            sequence_by='seq', state_ttl='0', tie_handling='LAST', op_mapping={MAPPING}) }}}}
        )
        select * from {{{{ dbt_changelog.apply_changelog('changes', unique_key='id') }}}}
        """
    files["models/sources.yml"] = (
        "sources: [{name: bronze, schema: '{{ target.schema }}', tables: [{name: events}]}]"
    )
    project = new_project(files, name="last_of_ties")
    for batch in range(1, 5):
        rows = ", ".join(
            f"({batch}, {key!r}, '{op}', {'null' if name is None else repr(name)}, "
            f"{SPELLINGS[batch % 2]})"
            for number, key, op, name in events()
            if number == batch
        )
        select = (
            "select col1 as batch, col2 as id, 5 as seq, col3 as op, cast(col4 as string) as name,"
            f" col5 as tags, col6 as size from values {rows}"
        )
        how = "insert into events" if batch > 1 else "create table events using delta as"
        project.sql(f"{how} {select}")
        project.run("run")
    return project


@pytest.mark.parametrize("model", [*MODELS, "macros", "state_backed_macros"])
def test_the_winner_does_not_depend_on_the_order_of_arrival(ties, model):
    found = {row.id: row.name for row in ties.sql(f"select id, name from {model}")}
    assert found == expected()


@pytest.mark.parametrize("model", MODELS)
def test_a_change_that_came_before_is_not_emitted_again(ties, model):
    assert ties.sql(f"select * from {model}__changelog where _batch_id = 4") == []


@pytest.mark.parametrize("model", MODELS)
def test_a_higher_kind_with_the_same_row_is_not_emitted(ties, model):
    arrived = "id = 'insert_insert_update:(0, 2, 1):(1, 2, 3)' and _batch_id = 2"
    assert ties.sql(f"select * from {model}__changelog where {arrived}") == []


@pytest.mark.parametrize("model", MODELS)
def test_the_changelog_folds_to_the_contents(ties, model):
    last = defaultdict(tuple)
    for row in ties.sql(f"select * from {model}__changelog"):
        place = (row._batch_id, row._sequence, row._ordinal)
        rank = KINDS.index(row._row_kind)
        last[row.id] = max(last[row.id], (place, rank, row.name or ""))
    live = {key: name for key, (_, rank, name) in last.items() if KINDS[rank] in reference.UPSERTS}
    assert live == expected()
