"""Where new_rows and changes may stand, and what they give elsewhere."""

from __future__ import annotations

import pytest

SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
unit_tests:
  - name: rows_of_the_test
    model: customers
    given: [{input: "source('bronze', 'events')", rows: [{op: c, id: 7, lsn: 1}]}]
    expect: {rows: [{op: c, id: 7, lsn: 1}]}
"""
OURS = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
    op_mapping={'c': 'INSERT'}, MORE) }}
select op, id, lsn from INPUT
"""
LOG = """
{{ config(materialized='to_changelog', unique_key='id') }}
select * from INPUT
"""
NEW_ROWS = "{{ dbt_changelog.new_rows(source('bronze', 'events')) }}"
CHANGES = "{{ dbt_changelog.changes(ref('customers')) }}"
BY_LSN = "read={'column': 'lsn'}"


def ours(source, more=BY_LSN):
    return OURS.replace("MORE", more).replace("INPUT", source)


def other(materialized, source):
    return f"{{{{ config(materialized='{materialized}') }}}} select * from {source}"


EPHEMERAL = "{{ dbt_changelog.new_rows(ref('part')) }}"
# the model: (its file, the reader that is refused, words of the message)
REFUSED = {
    "rows_in_a_table": (other("table", NEW_ROWS), "new_rows", "only a from_changelog model"),
    "rows_in_a_log": (LOG.replace("INPUT", NEW_ROWS), "new_rows", "only a from_changelog model"),
    "changes_in_a_view": (other("view", CHANGES), "changes", "only a to_changelog model"),
    "changes_in_ours": (ours(CHANGES, ""), "changes", "only a to_changelog model"),
    "changes_of_a_part": (
        LOG.replace("INPUT", "{{ dbt_changelog.changes(ref('part')) }}"),
        "changes",
        "'part' is ephemeral",
    ),
}
# what is known only where a batch is made
REFUSED_IN_A_RUN = {
    "new_in_a_part": (ours(EPHEMERAL), "new_rows", "'part' is ephemeral"),
    "no_reader": (ours("{{ ref('part') }}"), "read", "the query has no range of lsn"),
}
SNAPSHOT = """
{% snapshot kept %}
{{ config(unique_key='id', strategy='check', check_cols='all', file_format='delta') }}
select * from INPUT
{% endsnapshot %}
"""
GOOD = {
    "models/rows_in_a_part.sql": other("ephemeral", NEW_ROWS),
    "models/rows_of_a_part.sql": ours("{{ ref('rows_in_a_part') }}", ""),
    "models/part.sql": other("ephemeral", "{{ source('bronze', 'events') }}"),
    "models/customers.sql": ours(NEW_ROWS, BY_LSN + ", changelog=true"),
    "models/whole.sql": ours(EPHEMERAL, "read='full'"),
    "tests/all_rows.sql": f"select 1 from {NEW_ROWS} having count(*) <> 2",
    "tests/all_changes.sql": f"select 1 from {CHANGES} having count(*) <> 2",
    "analyses/all_rows_too.sql": f"select * from {NEW_ROWS}",
    "macros/told.sql": f"{{% macro told() %}}{{% do print({NEW_ROWS[2:-2]}) %}}{{% endmacro %}}",
}


@pytest.fixture(scope="module")
def project(new_project):
    wrong = {f"models/{name}.sql": case[0] for name, case in (REFUSED | REFUSED_IN_A_RUN).items()}
    files = GOOD | wrong | {"snapshots/kept.sql": SNAPSHOT.replace("INPUT", NEW_ROWS)}
    project = new_project({"models/sources.yml": SOURCES, **files}, name="readers")
    project.table("events", [("c", 1, 1), ("c", 2, 2)], "op string, id int, lsn int")
    return project


@pytest.fixture(scope="module")
def built(project):
    return project.run("build", expect_failure=True)


@pytest.fixture(scope="module")
def nodes(built):
    """What one build says of each node."""
    return built.nodes


@pytest.mark.parametrize("name", REFUSED | REFUSED_IN_A_RUN)
def test_a_reader_that_would_read_all_each_time_is_refused(nodes, name):
    _, reader, words = (REFUSED | REFUSED_IN_A_RUN)[name]
    assert f"Invalid '{reader}' in " in nodes[name].message
    assert words in nodes[name].message and "To fix: " in nodes[name].message


def test_a_snapshot_and_an_ephemeral_model_are_refused(built):
    assert "Invalid 'new_rows' in snapshot model 'kept'" in built.nodes["kept"].message
    # the message of this one is dbt's: it names the ephemeral model, whose own stands in the log
    assert "referenced ephemeral model" in built.nodes["rows_of_a_part"].message
    assert "Invalid 'new_rows' in ephemeral model 'rows_in_a_part'" in built.log


@pytest.mark.parametrize("command", ["compile", "show"])
def test_a_command_that_makes_no_batch_refuses_it_too(project, command):
    for name in ("rows_in_a_table", "rows_of_a_part", "changes_in_ours"):
        log = project.run(command, "--select", name, expect_failure=True).log
        assert "Invalid '" in log and "every run would read everything" in log


def test_what_writes_nothing_gets_all_rows(project, nodes, capsys):
    assert nodes["all_rows"].status == nodes["all_changes"].status == "pass"
    assert nodes["rows_of_the_test"].status == "pass"
    project.run("compile", "--select", "all_rows_too", "customers")
    assert "dbt_changelog range" not in project.compiled("all_rows_too")
    project.run("show", "--inline", f"select * from {NEW_ROWS}")
    project.run("run-operation", "told")
    project.run("run-operation", "diagnose", "--args", "{model: customers}")
    said = capsys.readouterr().out
    assert f"{project.schema}.events" in said and "2 events, nothing is wrong" in said


def test_an_ephemeral_model_is_read_as_a_whole(project, nodes):
    assert sorted(project.sql("select id from whole")) == [(1,), (2,)]
