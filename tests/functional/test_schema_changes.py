"""on_schema_change: the columns of the query change between two runs."""

from __future__ import annotations

from decimal import Decimal

import pytest

from .conftest import usual

MODEL = """
{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='seq', read={read},
    op_mapping={{'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}},
    on_schema_change='{mode}' {more}) }}}}
select {columns} from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
EVENTS = [
    ("c", Decimal(1), "ada", 30, 1),
    ("c", Decimal(2), "bob", 40, 2),
    ("c", Decimal(3), "eve", 50, 3),
    ("d", Decimal(3), "eve", 50, 4),
]
LATER = [("u", Decimal(1), "Ada", 31, 5), ("c", Decimal(4), "zoe", None, 6)]
COLUMNS = "op string, id decimal(9,0), name string, age int, seq int"
BOTH, NAME = "op, id, name, age, seq", "op, id, name, seq"
WIDE = "op, id, name, cast(age as bigint) as age, seq"
FULL, LSN = "'full'", "{'column': 'seq'}"
WITH_LOG = ", changelog=true"
PARTS, SOFT = WITH_LOG + ", ignore_null_updates=true", WITH_LOG + ", soft_delete='gone'"
# model: mode, more config, how it reads, columns of the first run, of the second
CASES = {
    "append": ("append_new_columns", "", LSN, NAME, BOTH),
    "append_log": ("append_new_columns", WITH_LOG, FULL, NAME, BOTH),
    "append_less": ("append_new_columns", WITH_LOG, LSN, BOTH, NAME),
    "append_less_all": ("append_new_columns", "", FULL, BOTH, NAME),
    "reordered": ("fail", "", FULL, BOTH, "op, age, seq, name, id"),
    "sync_more": ("sync_all_columns", "", LSN, NAME, BOTH),
    "sync_less": ("sync_all_columns", WITH_LOG, LSN, BOTH, NAME),
    "sync_less_all": ("sync_all_columns", "", FULL, BOTH, NAME),
    "sync_wide": ("sync_all_columns", WITH_LOG, FULL, BOTH, WIDE),
    "append_wide": ("append_new_columns", "", LSN, BOTH, WIDE),
    "ignore_narrow": ("ignore", WITH_LOG, FULL, WIDE, BOTH),
    "ignore": ("ignore", WITH_LOG, FULL, NAME, BOTH),
    "refresh_more": ("fail", WITH_LOG, FULL, NAME, BOTH),
    "refresh_less": ("fail", WITH_LOG, FULL, BOTH, NAME),
    "parts_append": ("append_new_columns", PARTS, LSN, NAME, BOTH),
    "parts_append_all": ("append_new_columns", PARTS, FULL, NAME, BOTH),
    "parts_append_less": ("append_new_columns", PARTS, LSN, BOTH, NAME),
    "parts_sync_less": ("sync_all_columns", PARTS, LSN, BOTH, NAME),
    "parts_ignore": ("ignore", PARTS, FULL, NAME, BOTH),
    # age is whole, so an event that is read again looks as if it were NULL
    "marked_append_less": ("append_new_columns", ", unavailable_value='?!'", FULL, BOTH, NAME),
    "soft_append": ("append_new_columns", SOFT, FULL, NAME, BOTH),
}
NAMES = [(1, "Ada", 5), (2, "bob", 2), (4, "zoe", 6)]
NEW = [(1, "Ada", 31, 5), (2, "bob", None, 2), (4, "zoe", None, 6)]
ALL = [(1, "Ada", 31, 5), (2, "bob", 40, 2), (4, "zoe", None, 6)]
# what came before keeps its value, what comes now has none
LESS = [(1, "Ada", None, 5), (2, "bob", 40, 2), (4, "zoe", None, 6)]
EXPECTED = {
    "append": NEW,
    "append_log": ALL,
    "append_less": LESS,
    "append_less_all": LESS,
    "reordered": ALL,
    "sync_more": NEW,
    "sync_less": NAMES,
    "sync_less_all": NAMES,
    "sync_wide": ALL,
    "append_wide": ALL,
    "ignore_narrow": ALL,
    "ignore": NAMES,
    "refresh_more": ALL,
    "refresh_less": NAMES,
    "parts_append": NEW,
    "parts_append_all": ALL,
    # no event sends a column that the query no longer has
    "parts_append_less": [(1, "Ada", 30, 5), *ALL[1:]],
    "parts_sync_less": NAMES,
    "parts_ignore": NAMES,
    "marked_append_less": LESS,
    "soft_append": sorted([*ALL, (3, "eve", 50, 3)]),
}
# the statements that change a table are not those of Delta
for name in "sync_less", "sync_wide", "parts_append", "parts_sync_less":
    CASES[f"iceberg_{name}"], EXPECTED[f"iceberg_{name}"] = CASES[name], EXPECTED[name]
USUAL = [
    "append_log",
    "append_less",
    "sync_less",
    "iceberg_sync_wide",
    "refresh_more",
]
OTHERS = [name for name in CASES if name not in USUAL]


def models(run, names=CASES):
    texts = {}
    for name in names:
        mode, more, read, *columns = CASES[name]
        text = MODEL.format(mode=mode, more=more, read=read, columns=columns[run])
        texts[f"models/{storage(name)}/{name}.sql"] = text
    return texts


def storage(name):
    return "iceberg" if name.startswith("iceberg_") else "delta"


def table(project, name):
    return project.contents(storage(name), name)


@pytest.fixture(scope="module", params=[USUAL, pytest.param(OTHERS, marks=pytest.mark.thorough)])
def project(new_project, request):
    """names: the cases that it has, first: the run after the columns have changed."""
    files = {"models/sources.yml": SOURCES, **models(0, request.param)}
    made = new_project(files, "schema_changes", threads=2)
    made.names = request.param
    made.table("events", EVENTS, COLUMNS)
    made.run("run")
    made.table("events", LATER)
    for path, text in models(1, made.names).items():
        made.write(path, text)
    made.first = made.run("run", "--exclude", "refresh_*")
    made.run("run", "--full-refresh", "--select", "refresh_*")
    return made


def contents(project, name):
    columns = "id, name, age, seq" if len(EXPECTED[name][0]) == 4 else "*"
    return [
        tuple(row)
        for row in project.sql(f"select {columns} from {table(project, name)} order by id")
    ]


def test_contents_follow(project):
    for name in project.names:
        assert contents(project, name) == EXPECTED[name], name


def test_the_changelog_folds_to_the_contents(project):
    for name in project.names:
        if WITH_LOG not in CASES[name]:
            continue
        found = table(project, name)
        columns = ", ".join(row.name for row in project.spark.table(found).schema)
        folded = project.sql(f"""
            select {columns} from (
              select *, row_number() over (
                partition by id order by _batch_id desc, _sequence desc, _ordinal desc) as place
              from {found}__changelog)
            where place = 1 and _row_kind in ('INSERT', 'UPDATE_AFTER') order by id""")
        assert folded == project.sql(f"select {columns} from {found} order by id"), name


def test_a_column_that_is_left_out_is_said(project):
    warnings = [text for text in project.first.warnings if "has no column age" in text]
    assert len(warnings) == sum(name.endswith("ignore") for name in project.names)


def test_a_column_has_the_widest_of_its_types(project):
    wide = [name for name in project.names if name.endswith(("_wide", "_narrow"))]
    assert wide
    for name in wide:
        logged = WITH_LOG in CASES[name]
        for suffix in ["", "__state", "__changelog"] if logged else ["", "__state"]:
            found = project.spark.table(f"{table(project, name)}{suffix}")
            assert dict(found.dtypes)["age"] == "bigint", name + suffix


@pytest.mark.thorough
def test_running_again_changes_nothing(project):
    before = {name: contents(project, name) for name in project.names}
    result = project.run("run")
    assert {name: contents(project, name) for name in project.names} == before
    assert all(result.nodes[name].message.startswith("nothing new") for name in project.names)


ALTERS = ["note columns", "add columns", "append changelog", "write state"]


@pytest.mark.thorough
def test_recovers_from_a_failure_after_every_statement(new_project):
    names = ["never", *(f"after_{statement.replace(' ', '_')}" for statement in ALTERS)]
    texts = {f"models/{name}.sql": next(iter(models(0, ["append_log"]).values())) for name in names}
    project = new_project({"models/sources.yml": SOURCES, **texts}, "schema_recovery", threads=2)
    project.table("events", EVENTS, COLUMNS)
    project.run("run")
    project.table("events", LATER)
    for name in names:
        project.write(f"models/{name}.sql", next(iter(models(1, ["append_log"]).values())))
    for name, statement in zip(names[1:], ALTERS, strict=True):
        fail = {"dbt_changelog_fail_after": statement}
        project.run("run", "--select", name, vars=fail, expect_failure=True)
    project.run("run")
    for name in names:
        assert project.sql(f"select id, name, age, seq from {name} order by id") == ALL, name
        columns = "_batch_id, _sequence, _ordinal, _row_kind, id, name, age"
        log = f"select {columns} from {{}}__changelog order by 1, 2, 3, 4, 5"
        assert project.sql(log.format(name)) == project.sql(log.format("never")), name


ODD = ["a b", "c.d", "e,f", "g:h", "i'j", "k`l", "ż ó", 'm"n', "o>p", "1x", "select", "q(r)"]
FIELDS = ", ".join(f"{name!r}, seq" for name in ODD)
LONG = ", ".join(f"'f{number}', seq" for number in range(30))
NESTED = f"""named_struct({FIELDS}, 'in', named_struct('x:y', cast(seq as smallint))) as odd,
    named_struct({LONG}) as long, array(named_struct('x y', seq)) as items,
    map('k', named_struct('x,y', array(seq))) as `by name`"""
LOG = """
{{{{ config(materialized='to_changelog', unique_key='id' {more}) }}}}
select id, seq{columns} from {{{{ source('bronze', 'events') }}}}
"""


@pytest.mark.parametrize(
    ("folder", "models"),
    [
        pytest.param("", ["more", "log"], marks=pytest.mark.thorough),
        pytest.param("", ["less", "images"], marks=pytest.mark.thorough),
        pytest.param("iceberg/", ["more", "less", "log", "images"], marks=pytest.mark.thorough),
    ],
)
def test_nested_columns_whose_fields_have_any_name(new_project, folder, models):
    """Added, gone, and in a full refresh: the names in a type need quotes."""
    added = f"op, id, name, seq,\n{NESTED}"
    # models whose columns come, and go; logs without images and with them
    steps = {
        "more": [NAME, added, added],
        "less": [added, NAME, NAME],
        "log": ["", f",\n{NESTED}", f",\n{NESTED}"],
        "images": ["", f",\n{NESTED}", f",\n{NESTED}"],
    }

    def text(name, run):
        columns = steps[name][run]
        if name in ("log", "images"):
            more = ", before='before', after='after'" if name == "images" else ""
            return LOG.format(more=more, columns=columns)
        return MODEL.format(mode="append_new_columns", more=WITH_LOG, read=LSN, columns=columns)

    project = new_project({"models/sources.yml": SOURCES}, "nested", threads=2)
    place = project.place(folder.rstrip("/") or "delta")
    project.table("events", EVENTS[:2], COLUMNS)
    for run in range(3):
        for name in models:
            project.write(f"models/{folder}{name}.sql", text(name, run))
        if run:
            project.table("events", [("c", Decimal(10 + run), "new", run, 10 + run)])
        # in the end states are built anew
        project.run("run", *(["--full-refresh"] if run == 2 else []))
    names = "odd.`a b`, odd.`c.d`, odd.`k``l`, odd.`ż ó`, odd.in.`x:y`, long.f29, items[0].`x y`"
    for name in {"more", "log", "images"} & {*models}:
        image = "after." if name == "images" else ""
        fields = ", ".join(f"{image}{item}" for item in names.split(", "))
        found = [tuple(row) for row in project.sql(f"select {fields} from {place}.{name}")]
        assert (12,) * 7 in found, name


WITHOUT_KEY = """
{{{{ config(materialized='from_changelog', changelog=true, on_schema_change='append_new_columns',
    read={{'column': 'seq', 'strict': true}}, op_mapping={{'c': 'INSERT', 'd': 'DELETE'}}) }}}}
select op, name {more} from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
"""


OF_BAGS = ["stage changes", "add columns", "append changelog", "write state"]


# a config, and the statement after which the run with the old columns fails
CUT_SHORT = {
    "merged": ("", "write state"),
    "appended": (", merge='on_read', compact_above=100", "write state"),
    "logged": (WITH_LOG, "append changelog"),
    "versions": (", stored_as_scd_type=2", "write state"),
}


@pytest.mark.thorough
def test_a_column_may_be_added_after_a_run_that_was_cut_short(new_project):
    """What that run wrote is of the columns of then, in a batch that is written again."""
    files = {"models/sources.yml": SOURCES}
    project = new_project(files, threads=2)
    project.table("events", EVENTS, COLUMNS)

    def write(columns):
        for name, (more, _) in CUT_SHORT.items():
            text = MODEL.format(mode="append_new_columns", more=more, read=LSN, columns=columns)
            project.write(f"models/{name}.sql", text)

    write(NAME)
    project.run("run")
    project.table("events", LATER)
    for name, (_, step) in CUT_SHORT.items():
        fails = {"dbt_changelog_fail_after": step}
        project.run("run", "--select", name, vars=fails, expect_failure=True)
    write(BOTH)
    for more in [], [("u", Decimal(2), "Bob", 41, 7)]:
        if more:
            project.table("events", more)
        project.run("run")
    project.run("run")
    for name in CUT_SHORT:
        where = " where is_current" if name == "versions" else ""
        found = project.sql(f"select id, name, age, seq from {name}{where} order by id")
        assert [tuple(row) for row in found] == [
            (1, "Ada", None if name == "logged" else 31, 5),
            (2, "Bob", 41, 7),
            (4, "zoe", None, 6),
        ], name


@pytest.mark.parametrize(
    ("storage", "steps"),
    usual([("delta", []), ("delta", OF_BAGS), ("iceberg", OF_BAGS)], [("delta", [])]),
)
def test_without_a_key_rows_of_before_have_null_in_a_new_column(new_project, storage, steps):
    """So an event that takes one away finds it, also after a run that ended in between."""
    steps = ["never", *steps]
    names = {statement: f"after_{statement.replace(' ', '_')}" for statement in steps}

    def write(more):
        for name in names.values():
            project.write(f"models/{storage}/{name}.sql", WITHOUT_KEY.format(more=more))

    project = new_project({"models/sources.yml": SOURCES}, "bag_grows", threads=2)
    events = [("c", "ada", None, 1), ("c", "ada", None, 2), ("c", "bob", None, 3)]
    project.table("events", events, "op string, name string, age int, seq int")
    write("")
    project.run("run")
    project.table("events", [("d", "ada", None, 4), ("d", "bob", None, 5), ("c", "bob", 7, 6)])
    write(", age")
    for statement in steps[1:]:
        fail = {"dbt_changelog_fail_after": statement}
        project.run("run", "--select", names[statement], vars=fail, expect_failure=True)
    project.run("run")
    for name in names.values():
        place = f"{project.place(storage)}.{name}"
        assert sorted(map(tuple, project.sql(f"select * from {place}")), key=str) == [
            ("ada", None),
            ("bob", 7),
        ], name
        log = f"select _row_kind, name, age from {place}__changelog where _batch_id = 2"
        assert sorted(map(tuple, project.sql(log)), key=str) == [
            ("DELETE", "ada", None),
            ("DELETE", "bob", None),
            ("INSERT", "bob", 7),
        ], name


@pytest.mark.thorough
def test_a_run_that_has_no_batch_leaves_the_columns_as_they_are(new_project):
    """An --empty one, and one without new events: new columns come with the next batch."""

    def write(columns, more):
        keyed = MODEL.format(mode="append_new_columns", more="", read=FULL, columns=columns)
        project.write("models/keyed.sql", keyed)
        project.write("models/bag.sql", WITHOUT_KEY.format(more=more))

    project = new_project({"models/sources.yml": SOURCES}, "no_batch")
    project.table("events", EVENTS[:2], COLUMNS)
    write(BOTH, "")
    project.run("run")
    write(NAME, ", age")
    for command in (["run"], ["run", "--empty"], ["run"]):
        project.run(*command)
        found = project.sql("select id, name, age from keyed order by id")
        assert found == [(1, "ada", 30), (2, "bob", 40)], command
        assert [row.asDict() for row in project.sql("select * from bag order by name")] == [
            {"name": "ada"},
            {"name": "bob"},
        ]
    project.table("events", EVENTS[2:3])
    project.run("run")
    assert project.sql("select name, age from bag order by name") == [
        ("ada", None),
        ("bob", None),
        ("eve", 50),
    ]


@pytest.mark.thorough
def test_a_full_refresh_with_a_changelog_keeps_the_wider_type(new_project):
    """What the changelog has need not fit into the narrower one."""
    project = new_project({"models/sources.yml": SOURCES}, "narrower")
    events = [("c", Decimal(1), "ada", 3000000000, 1), ("c", Decimal(2), "bob", 7, 2)]
    project.table("events", events, COLUMNS.replace("age int", "age bigint"))
    keyed = MODEL.format(mode="ignore", more=WITH_LOG, read=FULL, columns=BOTH)
    bag = WITHOUT_KEY.format(more=", age")
    project.write("models/keyed.sql", keyed)
    project.write("models/bag.sql", bag)
    project.run("run")
    project.sql("delete from events where id = 1")
    project.write("models/keyed.sql", keyed.replace("age,", "cast(age as int) as age,"))
    project.write("models/bag.sql", bag.replace("age", "cast(age as int) as age"))
    project.run("run", "--full-refresh")
    project.run("run")
    for name in ("keyed", "bag"):
        assert project.sql(f"select name, age from {name}") == [("bob", 7)], name
        log = f"select _row_kind, name, age from {name}__changelog where _batch_id > 1"
        assert project.sql(log) == [("DELETE", "ada", 3000000000)], name


ONLY_KEYS = {
    "plain": "",
    "logged": ", changelog=true",
    "versions": ", stored_as_scd_type=2",
    "appended": ", merge='on_read'",
    "in_parts": ", ignore_null_updates=true",
}


@pytest.mark.parametrize("storage", ["delta", pytest.param("iceberg", marks=pytest.mark.thorough)])
def test_a_table_of_keys_gets_its_first_other_column(new_project, storage):
    """A row that had nothing to hash has a hash from then on."""
    text = """{{{{ config(materialized='from_changelog', unique_key='id', sequence_by='_seq',
        op_mapping={{'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'}},
        read={{'column': 'seq'}}, on_schema_change='append_new_columns' {}) }}}}
    select op, id, seq as _seq{} from {{{{ dbt_changelog.new_rows(source('bronze', 'events')) }}}}
    """
    project = new_project({"models/sources.yml": SOURCES}, "only_keys", threads=2)
    project.table("events", EVENTS, COLUMNS)
    for columns in "", ", name":
        for name, more in ONLY_KEYS.items():
            project.write(f"models/{storage}/{name}.sql", text.format(more, columns))
        project.run("run")
        project.table("events", LATER)
    for name in ONLY_KEYS:
        where = " where is_current" if name == "versions" else ""
        rows = project.sql(
            f"select id, name from {project.place(storage)}.{name}{where} order by id"
        )
        assert rows == [(1, "Ada"), (2, None), (4, "zoe")], name
