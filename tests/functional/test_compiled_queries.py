"""Each kernel over three batches, planned and compiled as at a user's.

Most tests run without both, to save their time (see the fixture compiled_queries). At a user's
Spark folds constants, prunes columns and plans a query anew between its stages, in ways that no
test on plain plans can see.
"""

from __future__ import annotations

import pytest

from .project import Project

MODEL = """
{{ config(materialized='from_changelog', before='before', after='after', MORE,
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'TRUNCATE}) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
WHERE
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
KEYED = "unique_key='id', sequence_by='lsn', read={'column': 'lsn'}"
STRICT = KEYED.replace("'lsn'}", "'lsn', 'strict': true}")
KEYLESS = "read={'column': 'lsn', 'strict': true}"
# {model: its configs}; one whose name begins with `truncated` reads truncates, too
MODELS = {
    "contents": KEYED,
    "changelog_of_state": f"{KEYED}, changelog=true, state_ttl='0', tie_handling='LAST'",
    "parts_changelog": f"{KEYED}, ignore_null_updates=true, changelog=true",
    "appended_changelog": f"{KEYED}, merge='on_read', compact_above=0.3, changelog=true",
    "forgetful": f"{KEYED}, tombstone_retention='1 day'",
    "versions_changelog": f"{KEYED}, stored_as_scd_type=2, changelog=true",
    "keyless_changelog": f"{KEYLESS}, changelog=true",
    "conflicts": f"{STRICT}, on_conflict='DEDUPLICATE'",
    "truncated_changelog": f"{KEYED}, changelog=true",
    "truncated_soft": f"{KEYED}, soft_delete='is_deleted'",
    "truncated_parts": f"{KEYED}, ignore_null_updates=true",
    "truncated_versions": f"{KEYED}, stored_as_scd_type=2",
}
# all columns of the first are numbers that are never NULL
PAYLOADS = {
    "numbers": ("id int, qty int", ""),
    "nested": (
        "id int, qty int, tags array<string>, place struct<x: decimal(9, 2)>, notes map<int, date>",
        ", 'tags', array('x', null), 'place', named_struct('x', 1.5),"
        " 'notes', map(1, date '2026-01-02', 2, null)",
    ),
}
# op, the image before, the image after, lsn
BATCHES = [
    [("c", None, (1, 10), 1), ("c", None, (2, 20), 2), ("u", (2, 20), (3, 20), 3)],
    [("d", (1, 10), None, 4), ("u", (3, 20), (3, 21), 5), ("c", None, (4, 40), 6)],
    [("t", None, None, 7), ("c", None, (5, 50), 8), ("c", None, (1, 11), 9)],
]
LIVE = [[(1, 10), (3, 20)], [(3, 21), (4, 40)], [(1, 11), (3, 21), (4, 40), (5, 50)]]
TRUNCATED = [*LIVE[:2], [(1, 11), (5, 50)]]


def model(name: str) -> str:
    reads = name.startswith("truncated")
    return (
        MODEL.replace("MORE", MODELS[name])
        .replace("TRUNCATE}", ", 't': 'TRUNCATE'}" if reads else "}")
        .replace("WHERE", "" if reads else "where op <> 't'")
    )


def land(project: Project, payload: str, batch: int) -> None:
    image, more = PAYLOADS[payload]
    rows = []
    for op, before, after, lsn in BATCHES[batch]:
        images = [
            "null" if v is None else f"named_struct('id', {v[0]}, 'qty', {v[1]}{more})"
            for v in (before, after)
        ]
        rows.append(f"('{op}', {', '.join(images)}, {lsn})")
    columns = f"op string, before struct<{image}>, after struct<{image}>, lsn int"
    if batch == 0:
        project.sql(f"create table {project.schema}.events ({columns}) using delta")
    project.sql(f"insert into {project.schema}.events values {', '.join(rows)}")


def live_rows(project: Project, storage: str, name: str) -> list[tuple[int, int]]:
    table = project.contents(storage, name) + ("__current" if "versions" in name else "")
    where = " where not is_deleted" if "soft" in name else ""
    return sorted(map(tuple, project.sql(f"select id, qty from {table}{where}")))


@pytest.mark.thorough
@pytest.mark.usefixtures("compiled_queries")
@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("storage", ["delta", "iceberg"])
def test_three_batches_of_each_kernel(new_project, storage, payload):
    files = {f"models/{storage}/{name}.sql": model(name) for name in MODELS}
    project = new_project({"models/sources.yml": SOURCES, **files}, "compiled", 2)
    for batch in range(len(BATCHES)):
        land(project, payload, batch)
        project.run("run")
        found = {name: live_rows(project, storage, name) for name in MODELS}
        assert found == {
            name: (TRUNCATED if name.startswith("truncated") else LIVE)[batch] for name in MODELS
        }, f"after batch {batch + 1}"
