"""Wrong data stops the run before anything is written, and the message shows the event."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.usefixtures("compiled_queries")

FLAT = """{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
  op_mapping={{'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}} {more}) }}}}
select * from values {rows} as events (op, id, name, lsn)
"""
IMAGES = """{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
  before='before', after='after',
  op_mapping={{'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}} {more}) }}}}
select op, lsn,
  if(old is null, null, named_struct('id', old, 'name', 'ada')) as before,
  if(new is null, null, named_struct('id', new, 'name', 'Ada')) as after
from values {rows} as events (op, lsn, old, new)
"""

# name: (model, rows, further config, words of the message)
CASES = {
    "null_op_code": (FLAT, "(null, 1, 'ada', 1), ('c', 2, 'bob', 2)", "", "the op code is NULL"),
    "null_op_code_skip": (
        FLAT,
        "(cast(null as string), 1, 'ada', 1)",
        ", invalid_op_handling='SKIP'",
        "the op code is NULL",
    ),
    "invalid_op_code": (
        FLAT,
        "('c', 1, 'ada', 1), ('z', 2, 'bob', 2)",
        "",
        "Unknown op code 'z' in column op",
    ),
    "op_code_not_trimmed": (FLAT, "(' c', 1, 'ada', 1)", "", "Unknown op code ' c'"),
    "op_code_case": (FLAT, "('C', 1, 'ada', 1)", "", "Unknown op code 'C'"),
    "null_key": (FLAT, "('c', null, 'ada', 1), ('c', 2, 'b', 2)", "", "key column id is NULL"),
    "null_key_delete": (FLAT, "('d', null, 'a', 1), ('c', 2, 'b', 2)", "", "key column id is NULL"),
    "null_sequence": (FLAT, "('c', 1, 'ada', null), ('c', 2, 'b', 2)", "", "`lsn` is NULL"),
    "tie": (FLAT, "('c', 1, 'ada', 1), ('u', 1, 'bob', 1)", "", "have one sequence"),
    "tie_with_delete": (FLAT, "('c', 1, 'ada', 1), ('d', 1, null, 1)", "", "have one sequence"),
    "tie_of_nulls": (
        FLAT,
        "('c', 1, 'ada', 1), ('u', 1, null, 1)",
        "",
        '{"id":1,"_sequence":1}',
    ),
    "tie_of_a_value_that_moves": (
        FLAT.replace("name, lsn", "name, nick, lsn"),
        "('c', 1, 'ada', null, 1), ('u', 1, null, 'ada', 1)",
        "",
        "have one sequence",
    ),
    "null_after": (IMAGES, "('c', 1, 1, null), ('c', 2, null, 2)", "", "the after image is NULL"),
    "null_before": (IMAGES, "('u', 1, null, 1), ('u', 2, 2, 2)", "", "state_ttl='0'"),
    "null_before_delete": (
        IMAGES,
        "('d', 1, null, 1), ('u', 2, 2, 2)",
        ", consume_full_deletes=True",
        "the before image is NULL",
    ),
    "null_key_in_image": (
        IMAGES.replace("'id', new", "'id', nullif(new, 5)"),
        "('c', 1, null, 5), ('u', 2, 2, 2)",
        "",
        "key column id is NULL",
    ),
    "no_key_in_delete": (
        IMAGES,
        "('d', 1, null, null), ('u', 2, 2, 2)",
        "",
        "key column id is NULL",
    ),
}


@pytest.fixture(scope="module")
def outcome(new_project):
    files = {
        f"models/{name}.sql": model.format(rows=rows, more=more)
        for name, (model, rows, more, _) in CASES.items()
    }
    project = new_project(files, name="wrong_data")
    result = project.run("run", expect_failure=True)
    return result, project.tables()


@pytest.mark.parametrize("name", CASES)
def test_message_says_what_and_how_to_fix(outcome, name):
    message = outcome[0].nodes[name].message
    assert f"from_changelog model '{name}'" in message
    assert CASES[name][3] in message
    assert "To fix: " in message
    assert len(message) < 1000


def test_nothing_is_written(outcome):
    assert outcome[1] == ["dbt_changelog_batches"]


def test_a_batch_with_wrong_data_leaves_the_table_as_it_was(new_project):
    model = FLAT.replace("values {rows} as events (op, id, name, lsn)", "{rows}")
    rows = "{{{{ source('bronze', 'events') }}}}"
    project = new_project(
        {
            "models/customers.sql": model.format(rows=rows.format(), more=""),
            "models/sources.yml": """
            sources: [{name: bronze, schema: "{{ target.schema }}", tables: [{name: events}]}]
            """,
        }
    )
    project.table("events", [("c", 1, "ada", 1)], "op string, id int, name string, lsn int")
    project.run("run")
    wrong = [("u", 1, "Ada", 1), ("c", 2, "bob", 2)]
    for events, words in [
        (wrong, "have one sequence"),
        ([("z", 3, "eve", 3), ("c", 2, "bob", 2)], "Unknown op code 'z'"),
    ]:
        version = project.sql("describe history customers__state limit 1")[0].version
        project.table("events", events)
        result = project.run("run", expect_failure=True)
        assert words in result.nodes["customers"].message
        assert len(result.nodes["customers"].message) < 1000
        assert project.sql("describe history customers__state limit 1")[0].version == version
        project.sql("restore table events to version as of 0")
    assert project.sql("select name from customers") == [("ada",)]


@pytest.mark.thorough
def test_wrong_data_never_reaches_a_changelog(new_project):
    """What is wrong shows after the events are staged; the next run must not take them up."""
    model = FLAT.replace("values {rows} as events (op, id, name, lsn)", "{rows}")
    text = model.format(rows="{{ source('bronze', 'events') }}", more=", changelog=true")
    project = new_project(
        {
            "models/tie.sql": text,
            "models/contract.sql": text,
            "models/models.yml": """
            sources: [{name: bronze, schema: "{{ target.schema }}", tables: [{name: events}]}]
            models:
              - name: contract
                config: {contract: {enforced: true}}
                columns:
                  - {name: id, data_type: int}
                  - {name: name, data_type: string, constraints: [{type: not_null}]}
                  - {name: lsn, data_type: int}
            """,
        }
    )
    project.table("events", [("c", 1, "ada", 1)], "op string, id int, name string, lsn int")
    project.run("run")
    project.table("events", [("u", 1, "Ada", 2), ("u", 1, None, 2)])
    result = project.run("run", expect_failure=True)
    assert "have one sequence" in result.nodes["tie"].message
    project.sql("delete from events where name = 'Ada'")
    result = project.run("run", expect_failure=True)
    assert result.nodes["tie"].status == "success"
    assert "constraint not_null (name)" in result.nodes["contract"].message
    project.sql("update events set name = 'Ada' where name is null")
    project.run("run", "--select", "contract")
    assert project.sql("select name from contract") == [("Ada",)]
    log = "select _batch_id, name from {}__changelog order by _batch_id, _sequence"
    assert project.sql(log.format("tie")) == [(1, "ada"), (2, None)]
    assert project.sql(log.format("contract")) == [(1, "ada"), (2, "Ada")]
