"""changes() of a plain table: a log reads on in the versions of Delta and Iceberg."""

from __future__ import annotations

import pytest

from .batch_log import table_log

STORAGES = ["delta", "iceberg"]
SOURCES = """
sources:
  - {name: delta, schema: "{{ target.schema }}", tables: [TABLES]}
  - {name: iceberg, schema: "ice.{{ target.schema }}", tables: [TABLES]}
"""
LOG = """
{{ config(materialized='to_changelog', CONFIG) }}
select * from {{ dbt_changelog.changes(source('STORAGE', 'TABLE')) }}
"""
DEBEZIUM = """unique_key='id', before='before', after='after',
    op_mapping={'INSERT': 'c', 'UPDATE_BEFORE, UPDATE_AFTER': 'u', 'DELETE': 'd'}"""
BAG = "encoding='retract'"
LOGS = [("delta", "log", DEBEZIUM), ("delta", "bag", BAG), ("iceberg", "log", DEBEZIUM)]
COLUMNS = "id int, name string, tags map<string,int>"
PROPERTIES = {"delta": "tblproperties ('delta.enableChangeDataFeed' = 'true')", "iceberg": ""}
ROWS = """select /*+ coalesce(1) */ id, name, map('a', 1, 'b', length(name))
          from values {} as rows (id, name)"""


def model(storage, table, config=DEBEZIUM):
    text = LOG.replace("STORAGE", storage).replace("TABLE", table)
    return text.replace("CONFIG", config)


@pytest.fixture
def make(new_project):
    def create(tables, files, name):
        sources = SOURCES.replace("TABLES", ", ".join(f"{{name: {name}}}" for name in tables))
        project = new_project({"models/sources.yml": sources, **files}, name=name, threads=2)
        project.sql(f"create schema if not exists ice.{project.schema}")
        return project

    return create


def create(project, storage, name, properties=None):
    project.sql(
        f"create table {project.place(storage)}.{name} ({COLUMNS}) using {storage}"
        f" {PROPERTIES[storage] if properties is None else properties}"
    )


def change(project, *statements, tables=("people",), storages=STORAGES):
    for storage in storages:
        for table in tables:
            for statement in statements:
                project.sql(statement.replace("TABLE", f"{project.place(storage)}.{table}"))


def insert(rows):
    return f"insert into TABLE {ROWS.format(rows)}"


def rows(project, text):
    found = project.sql(
        f"select id, name, to_json(tags) as tags, n from ({text}) order by id, name"
    )
    return [tuple(row) for row in found]


def contents(project, table):
    return rows(project, f"select *, 1 as n from {table}")


def folded(project, log, kind="log"):
    """What the events leave, by plain rules; n is how often a row is there."""
    if kind == "log":
        return rows(
            project,
            "select row.*, 1 as n from (select max_by(if(op = 'd', null, after),"
            f" struct(_batch_id, _position)) as row from {log}"
            " group by coalesce(after, before).id) where row is not null",
        )
    return rows(
        project,
        "select id, name, any_value(tags) as tags, sum(if(op = 'INSERT', 1, -1)) as n"
        f" from {log} group by id, name, to_json(tags) having n <> 0",
    )


def events(project, log, batch):
    found = project.sql(
        "select coalesce(after, before).id as id, op, before.name as old, after.name as new"
        f" from {log} where _batch_id = {batch} order by id, _position"
    )
    return [tuple(row) for row in found]


STEPS = [
    ["update TABLE set name = 'Bob' where id = 2", "delete from TABLE where id = 3"],
    ["update TABLE set id = 9 where id = 1"],
    [
        """merge into TABLE as t using (select * from values (2, 'BOB'), (4, null), (5, 'zoe')
               as rows (id, name)) as s on t.id = s.id
           when matched and s.name is null then delete
           when matched then update set name = s.name
           when not matched then insert (id, name, tags) values (s.id, s.name, map('b', s.id))"""
    ],
    ["insert overwrite TABLE " + ROWS.format("(9, 'ada'), (2, 'bob'), (6, 'kim')")],
    [
        "update TABLE set name = 'one' where id = 6",
        "update TABLE set name = 'two' where id = 6",
        "delete from TABLE where id = 9",
        insert("(9, 'ada')"),
    ],
]
EVENTS = [
    [(2, "u", "bob", "Bob"), (3, "d", "eve", None)],
    [(1, "d", "ada", None), (9, "c", None, "ada")],
    [(2, "u", "Bob", "BOB"), (4, "d", "dan", None), (5, "c", None, "zoe")],
    # of what was overwritten one row is as it was
    [(2, "u", "BOB", "bob"), (5, "d", "zoe", None), (6, "c", None, "kim")],
    [
        *[(6, "u", "kim", "one"), (6, "u", "one", "two")],
        *[(9, "d", "ada", None), (9, "c", None, "ada")],
    ],
]


@pytest.mark.parametrize(
    "logs", [[LOGS[0], LOGS[2]], pytest.param(LOGS, marks=pytest.mark.thorough)]
)
def test_a_log_follows_a_table_that_is_changed_in_place(make, logs):
    storages = list(dict.fromkeys(storage for storage, _, _ in logs))
    files = {
        f"models/{storage}/{kind}_{storage}.sql": model(storage, "people", config)
        for storage, kind, config in logs
    }
    project = make(["people"], files, "feeds")
    for storage in storages:
        create(project, storage, "people")
    first = insert("(1, 'ada'), (2, 'bob'), (3, 'eve'), (4, 'dan')")
    change(project, first, storages=storages)
    for batch, (statements, expected) in enumerate(
        [([], None), *zip(STEPS, EVENTS, strict=True)], start=1
    ):
        change(project, *statements, storages=storages)
        project.run("run")
        for storage, kind, _ in logs:
            place = project.place(storage)
            log = f"{place}.{kind}_{storage}"
            assert folded(project, log, kind) == contents(project, f"{place}.people"), (log, batch)
            if expected and kind == "log":
                assert events(project, log, batch) == expected
    project.run("run")
    for storage, kind, _ in logs:
        log = table_log(project, f"{project.place(storage)}.{kind}_{storage}")
        assert log["batch"]["id"] == len(STEPS) + 1
        (position,) = log["batch"]["position"].items()
        assert position[0].endswith(f"{project.schema}.people")
    if ("delta", "bag", BAG) in logs:
        # a row written anew as often as before: nothing
        bag = f"select op, id, name from {project.schema}.bag_delta where _batch_id = 5"
        assert sorted(map(tuple, project.sql(bag))) == [
            *[("DELETE", 2, "BOB"), ("DELETE", 5, "zoe")],
            *[("INSERT", 2, "bob"), ("INSERT", 6, "kim")],
        ]


def test_a_column_beside_the_images_is_of_the_row(make):
    """Whether its changes come in one run or in several."""
    config = DEBEZIUM + ", passthrough='name'"
    project = make(["people"], {"models/log.sql": model("delta", "people", config)}, "feed_passed")
    create(project, "delta", "people")
    updates = [f"update TABLE set name = '{name}' where id = 1" for name in ("b", "b", "c")]
    change(project, insert("(1, 'a')"), *updates, storages=["delta"])
    project.run("run")
    change(project, "update TABLE set name = 'd' where id = 1", storages=["delta"])
    project.run("run")
    found = project.sql("select op, name from log order by _batch_id, _position")
    assert found == [("c", "a"), ("u", "b"), ("u", "c"), ("u", "d")]


@pytest.mark.thorough
def test_a_first_run_begins_with_what_there_was(make):
    """Rows that were there before the feed; with a full refresh the current rows."""
    names = ["late", "refreshed", "wider"]
    project = make(
        names,
        {f"models/{s}/{n}_{s}.sql": model(s, n) for s in STORAGES for n in names},
        "feed_starts",
    )
    for storage in STORAGES:
        for name in names:
            create(project, storage, name, properties="")
    change(project, insert("(1, 'ada'), (2, 'bob')"), tables=names)
    on = "alter table TABLE set tblproperties ('delta.enableChangeDataFeed' = 'true')"
    change(project, on, tables=names, storages=["delta"])
    update = "update TABLE set name = 'Bob' where id = 2"
    change(project, update, tables=names)
    change(project, "alter table TABLE add columns (size int)", tables=["wider"])
    change(project, "update TABLE set name = 'ADA' where id = 1", tables=["wider"])
    refreshed = [f"refreshed_{storage}" for storage in STORAGES]
    project.run("run", "--exclude", *refreshed)
    project.run("run", "--full-refresh", "--select", *refreshed)
    for storage in STORAGES:
        place = project.place(storage)
        first = [(1, "c", None, "ada"), (2, "c", None, "bob"), (2, "u", "bob", "Bob")]
        assert events(project, f"{place}.late_{storage}", 1) == first
        wider = [first[0], (1, "u", "ada", "ADA"), *first[1:]]
        assert events(project, f"{place}.wider_{storage}", 1) == wider
        now = [(1, "c", None, "ada"), (2, "c", None, "Bob")]
        assert events(project, f"{place}.refreshed_{storage}", 1) == now


@pytest.mark.thorough
def test_a_first_run_after_a_column_was_renamed(make):
    """Iceberg knows the new name in its next snapshot only."""
    project = make(["people"], {"models/iceberg/log.sql": model("iceberg", "people")}, "renamed")
    create(project, "iceberg", "people")
    change(project, insert("(1, 'ada')"), storages=["iceberg"])
    change(project, "alter table TABLE rename column tags to words", storages=["iceberg"])
    wrong = "had a column 'tags' at snapshot 1, where its changes begin"
    message = project.run("run", expect_failure=True).nodes["log"].message
    assert wrong in message and "To fix: run with --full-refresh" in message
    message = project.run("run", "--full-refresh", expect_failure=True).nodes["log"].message
    assert wrong in message
    project.sql(message.split("for example with ")[1].split(";")[0])
    project.run("run", "--full-refresh")
    found = project.sql(f"select op, after.id, after.name from {project.place('iceberg')}.log")
    assert found == [("c", 1, "ada")]


LOST = "no longer has all its changes since"
DAMAGE = {
    ("delta", "anew"): (["drop table TABLE", "create"], "was dropped and made anew since version"),
    ("delta", "paused"): (
        [
            "alter table TABLE set tblproperties ('delta.enableChangeDataFeed' = 'false')",
            "alter table TABLE set tblproperties ('delta.enableChangeDataFeed' = 'true')",
        ],
        LOST,
    ),
    ("delta", "vacuumed"): (
        ["update TABLE set name = 'ADA' where id = 1", "vacuum TABLE retain 0 hours"],
        "no longer has all that this run reads",
    ),
    ("iceberg", "anew"): (["drop table TABLE", "create"], LOST),
    # the one that was read up to may go, if all that come after it are there
    ("iceberg", "expired"): (["update TABLE set name = 'ADA' where id = 1", "expire"], LOST),
    ("iceberg", "merged"): (
        [
            "alter table TABLE set tblproperties ('write.update.mode' = 'merge-on-read')",
            "update TABLE set name = 'ADA' where id = 1",
        ],
        "has delete files, and Iceberg gives no changes of such tables",
    ),
}


def damage(project, storage, name, statement):
    if statement == "create":
        create(project, storage, name)
    elif statement == "expire":
        project.sql(
            f"call ice.system.expire_snapshots(table => '{project.schema}.{name}',"
            " older_than => timestamp '2999-01-01', retain_last => 1)"
        )
    else:
        change(project, statement, tables=[name], storages=[storage])


@pytest.fixture
def vacuums(spark):
    """Vacuum deletes at once, and lists a folder without hundreds of tasks."""
    check = "spark.databricks.delta.retentionDurationCheck.enabled"
    listing = "spark.sql.sources.parallelPartitionDiscovery.parallelism"
    spark.conf.set(check, "false")
    spark.conf.set(listing, "2")
    yield
    spark.conf.unset(check)
    spark.conf.unset(listing)


@pytest.mark.thorough
def test_changes_that_are_lost(make, vacuums):
    names = sorted({name for _, name in DAMAGE})
    files = {f"models/{s}/{n}_{s}.sql": model(s, n) for s, n in DAMAGE}
    project = make([*names, "without"], files, "lost_feeds")
    for storage, name in DAMAGE:
        create(project, storage, name)
        change(project, insert("(1, 'ada'), (2, 'bob')"), tables=[name], storages=[storage])
    project.run("run")
    for (storage, name), (statements, _) in DAMAGE.items():
        change(project, insert("(3, 'eve')"), tables=[name], storages=[storage])
        for statement in statements:
            damage(project, storage, name, statement)
        change(project, insert("(4, 'dan')"), tables=[name], storages=[storage])
    create(project, "delta", "without", properties="")
    project.write("models/without.sql", model("delta", "without"))
    nodes = project.run("run", expect_failure=True).nodes
    for (storage, name), (_, message) in DAMAGE.items():
        assert message in nodes[f"{name}_{storage}"].message, (storage, name)
    assert "'delta.enableChangeDataFeed' = 'true'" in nodes["without"].message
    project.run("run", "--full-refresh", "--exclude", "without")
    for storage, name in DAMAGE:
        place = project.place(storage)
        table, log = f"{place}.{name}", f"{place}.{name}_{storage}"
        assert folded(project, log) == contents(project, table), log
        # only the difference
        assert (1, "c", None, "ada") not in events(project, log, 2), log
    going_on = [(storage, name) for storage, name in DAMAGE if name != "merged"]
    for storage, name in going_on:
        change(project, insert("(5, 'zoe')"), tables=[name], storages=[storage])
    project.run("run", "--select", *[f"{name}_{storage}" for storage, name in going_on])
    for storage, name in going_on:
        log = f"{project.place(storage)}.{name}_{storage}"
        assert events(project, log, 3) == [(5, "c", None, "zoe")]
