"""partition_by: a partition keeps the values of its columns, or refuses them."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

MODEL = """
{{ config(materialized='from_changelog', unique_key=KEY, sequence_by='lsn', read={'column': 'lsn'},
          op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'} MORE) }}
select * from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
KEYLESS = """
{{ config(materialized='from_changelog', read={'column': 'lsn', 'strict': true},
          op_mapping={'c': 'INSERT', 'd': 'DELETE'} MORE) }}
select op, id, name from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
LOG = """
{{ config(materialized='to_changelog', unique_key='id' MORE) }}
select id, name from {{ source('bronze', 'events') }}
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
COLUMNS = "op string, id int, name string, lsn int"
DEFAULT = "__HIVE_DEFAULT_PARTITION__"


def model(text=MODEL, key="id", **config):
    more = "".join(f", {name}={config[name]!r}" for name in config)
    return text.replace("MORE", more).replace("KEY", repr(key))


LOGGED = {"changelog": True, "state_ttl": "0"}
PARTITIONED = {
    "key": model(key=["id", "name"], partition_by="name"),
    "payload": model(partition_by="name"),
    "logged": model(partition_by="name", **LOGGED),
    "logged_key": model(key=["id", "name"], partition_by="name", **LOGGED),
    "keyless": model(KEYLESS, partition_by="NAME"),
    "feed": model(LOG, partition_by="name"),
}


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ("", ["key", "logged", "feed"]),
        pytest.param(DEFAULT, list(PARTITIONED), marks=pytest.mark.thorough),
    ],
)
def test_values_that_a_partition_does_not_keep_are_refused(new_project, value, names):
    """On Delta they would be NULL: rows of such a key would never be found again."""
    files = {f"models/{name}.sql": PARTITIONED[name] for name in names}
    project = new_project({"models/sources.yml": SOURCES, **files}, name="partitions")
    project.table("events", [("c", 1, "ada", 1)], COLUMNS)
    project.run("run")
    project.table("events", [("c", 2, value, 2)])
    nodes = project.run("run", expect_failure=True).nodes
    for name in names:
        message = nodes[name].message or ""
        kind = "to" if name == "feed" else "from"
        assert (
            f"Invalid 'partition_by' in {kind}_changelog model '{name}': column name has the"
            in (message)
        ), name
        assert f"the value '{value}', which a partition of Delta does not keep" in message
        assert "To fix: " in message
        assert project.sql(f"select id, name from {name}") == [(1, "ada")]
    # the next run goes on, whatever the failed one had begun
    project.sql("update events set name = 'bob' where id = 2")
    project.run("run")
    for name in names:
        assert project.sql(f"select id, name from {name} order by id") == [(1, "ada"), (2, "bob")]


@pytest.mark.thorough
def test_a_table_keeps_its_partitions_until_it_is_made_anew(new_project):
    """Whatever the config says by then: its values are checked as long as it has them."""
    whole, parted = model(key=["id", "name"]), PARTITIONED["key"]
    files = {"models/parted.sql": parted, "models/whole.sql": whole}
    project = new_project({"models/sources.yml": SOURCES, **files}, name="partitions")
    project.table("events", [("c", 1, "ada", 1)], COLUMNS)
    project.run("run")
    project.write("models/parted.sql", whole)
    project.write("models/whole.sql", parted)
    project.table("events", [("c", 2, "", 2)])
    nodes = project.run("run", expect_failure=True).nodes
    assert nodes["whole"].status == "success"
    message = nodes["parted"].message or ""
    assert "column name has the value ''" in message and "run with --full-refresh" in message
    project.run("run", "--full-refresh", "--select", "parted")
    for name in files:
        found = project.sql(f"select id, name from {name[7:-4]} order by id")
        assert found == [(1, "ada"), (2, "")]


@pytest.mark.thorough
def test_a_deleted_row_may_have_had_any_value(new_project):
    """Its tombstone keeps the key only; a deleted key stays in its partition."""
    files = {
        "models/payload.sql": model(partition_by="name"),
        "models/logged.sql": model(partition_by="name", **LOGGED),
        "models/appended.sql": model(partition_by="name", merge="on_read"),
        "models/parts.sql": model(partition_by="name", ignore_null_updates=True),
        "models/points.sql": model(partition_by="name", stored_as_scd_type=2),
        "models/key.sql": model(key=["id", "name"], partition_by="name"),
    }
    project = new_project({"models/sources.yml": SOURCES, **files}, name="partitions")
    project.table("events", [("c", 1, "ada", 1), ("c", 2, "bob", 2), ("d", 2, "", 3)], COLUMNS)
    nodes = project.run("run", expect_failure=True).nodes
    assert {name for name in nodes if nodes[name].status == "error"} == {"key"}
    for name in ("payload", "logged", "appended", "parts"):
        assert project.sql(f"select id from {name}") == [(1,)]
    ended = "select id from points where valid_to is null"
    assert project.sql(ended) == [(1,)]


def test_binary_columns_are_refused_before_anything_is_written(new_project):
    files = {
        "models/payload.sql": model(partition_by="body"),
        "models/feed.sql": model(LOG, partition_by="body"),
    }
    files = {
        path: text.replace("*", "*, cast(name as binary) as body") for path, text in files.items()
    }
    files["models/feed.sql"] = files["models/feed.sql"].replace(
        "name from", "cast('' as binary) as body from"
    )
    files["models/iceberg/bytes.sql"] = files["models/payload.sql"]
    project = new_project({"models/sources.yml": SOURCES, **files}, name="partitions")
    project.table("events", [("c", 1, "ada", 1)], COLUMNS)
    nodes = project.run("run", expect_failure=True).nodes
    for name in ("payload", "feed"):
        assert "Invalid 'partition_by' in" in (nodes[name].message or "")
        assert "column 'body' is binary" in (nodes[name].message or "")
    assert nodes["bytes"].status == "success"
    assert project.tables() == ["dbt_changelog_batches", "events"]


TEXTS = [
    *(
        " ",
        " a",
        "a ",
        "\t",
        "\n",
        "\r",
        "\x01",
        "\x7f",
        "%2F",
        "%",
        "=",
        "a=b",
        "/",
        "..",
        ".",
        "\\",
    ),
    *(
        ":",
        "*",
        "?",
        "#",
        "[x]",
        "{x}",
        '"',
        "'",
        "null",
        "NULL",
        "żółw",
        "日本",
        "😀",
        "e\u0301",
        "\u00e9",
    ),
    *("\u2028", "\ufeff", "x" * 200, "A", "a", "1", "01", "1.0", "a+b", "$", ".x", "_x"),
    *(f"{DEFAULT} ", DEFAULT.lower()),
]
FLOATS = [float("nan"), -1.5, 0.0, float("inf"), float("-inf"), 1e300, 5e-324, 0.1]
TIMES = [
    *(
        datetime(1969, 12, 31, 23, 59, 59, 999999),
        datetime(1, 1, 1, 0, 0, 0),
        datetime(1500, 1, 1, 12),
    ),
    *(datetime(9999, 12, 31, 23, 59, 59, 999999), datetime(2026, 1, 1, 0, 0, 0, 1)),
]
DATES = [
    date(1582, 10, 4),
    date(1582, 10, 15),
    date(1, 1, 1),
    date(9999, 12, 31),
    date(1969, 12, 31),
]
NASTY = "i int, t string, f double, at timestamp, d date, b boolean, n timestamp_ntz, "
NASTY += "lsn int, op string"


@pytest.mark.parametrize(
    ("storage", "layout"),
    [
        ("delta", ["t", "f", "at", "d", "b", "n"]),
        pytest.param("iceberg", ["t", "f", "at", "d", "b", "n"], marks=pytest.mark.thorough),
        pytest.param(
            "iceberg",
            ["truncate(2, t)", "bucket(3, t)", "hours(at)", "years(d)", "hours(n)"],
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_any_other_value_is_kept(new_project, storage, layout):
    """As the key of a row, in a partition of its own: found again, updated and deleted."""
    key = ["i", "t", "f", "at", "d", "b", "n"]
    text = model(key=key, partition_by=layout)
    files = {"models/sources.yml": SOURCES, f"models/{storage}/nasty.sql": text}
    project = new_project(files, "nasty")

    def rows(op, lsn, numbers):
        return [
            (n, TEXTS[n], FLOATS[n % 8], TIMES[n % 5], DATES[n % 5], n % 2 == 0, TIMES[n % 5])
            + (lsn, op)
            for n in numbers
        ]

    every = range(len(TEXTS))
    project.table("events", rows("c", 1, every), NASTY)
    project.run("run")
    project.table("events", rows("u", 2, every))
    project.table("events", rows("d", 3, every[::7]))
    project.run("run")
    # as texts: Python fails at the first day that it has
    shown = (
        "i, t, cast(f as string), cast(at as string), cast(d as string), b, cast(n as string), lsn"
    )
    wanted = project.sql(f"select {shown} from events where op = 'u' and i % 7 <> 0 order by i")
    found = project.sql(f"select {shown} from {project.contents(storage, 'nasty')} order by i")
    assert found == wanted


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("zone", "at"),
    [("America/New_York", datetime(2026, 11, 1, 6, 30, tzinfo=UTC)), ("UTC", None)],
)
def test_times_that_a_partition_does_not_keep_are_refused(new_project, zone, at):
    """On Delta: the second of two hours that a clock shows twice, and years before the first."""
    text = model(partition_by="at").replace("select *", "select *, TIME as at")
    time = f"timestamp'{at:%Y-%m-%d %H:%M:%S}Z'" if at else "timestamp'0000-12-31 00:00:00'"
    files = {
        "models/early.sql": text.replace("TIME", "timestamp'2026-11-01 05:30:00Z'"),
        "models/late.sql": text.replace("TIME", time),
        "models/iceberg/any.sql": text.replace("TIME", time),
    }
    project = new_project({"models/sources.yml": SOURCES, **files}, name="partitions")
    project.table("events", [("c", 1, "ada", 1)], COLUMNS)
    project.spark.conf.set("spark.sql.session.timeZone", zone)
    try:
        nodes = project.run("run", expect_failure=True).nodes
    finally:
        project.spark.conf.set("spark.sql.session.timeZone", "UTC")
    assert [nodes[name].status for name in ("early", "late", "any")] == [
        *("success", "error", "success"),
    ]
    assert "column at has the value '" in (nodes["late"].message or "")
    early = project.sql("select cast(at as string) from early")
    assert early == [("2026-11-01 05:30:00",)]


EARLY = {"d": "date", "n": "timestamp_ntz"}


@pytest.mark.thorough
@pytest.mark.parametrize("value", ["0000-12-31", "-0001-03-04", "+10000-01-01"])
def test_days_of_other_years_are_kept_or_refused(new_project, value):
    text = model(key=["id", "at"], partition_by="at").replace("select *", "select *, TIME as at")
    files = {f"models/{name}.sql": text.replace("TIME", f"{type_}'{value}'")
             for name, type_ in EARLY.items()}  # fmt: skip
    project = new_project({"models/sources.yml": SOURCES, **files}, name="partitions")
    project.table("events", [("c", 1, "ada", 1)], COLUMNS)
    nodes = project.run("run", "--select", *EARLY, expect_failure=None).nodes
    project.table("events", [("u", 1, "Ada", 2)])
    project.run("run", expect_failure=None)
    for name, type_ in EARLY.items():
        if nodes[name].status == "success":
            found = project.sql(f"select name, at = {type_}'{value}' as same from {name}")
            assert found == [("Ada", True)], name
        else:
            assert "which a partition of Delta does not keep" in nodes[name].message


@pytest.mark.thorough
def test_collated_texts_are_no_partitions(new_project):
    """Spark refuses them by name, so none can be lost in one."""
    text = model(partition_by="name").replace(
        "select *", "select * except (name), cast(name as string collate UTF8_LCASE) as name"
    )
    project = new_project(
        {"models/sources.yml": SOURCES, "models/collated.sql": text}, name="partitions"
    )
    project.table("events", [("c", 1, "", 1)], COLUMNS)
    message = project.run("run", expect_failure=True).nodes["collated"].message
    assert 'Cannot use "STRING COLLATE UTF8_LCASE" for partition column' in message


@pytest.mark.thorough
def test_a_column_of_the_layout_is_not_dropped(new_project):
    """Nothing is altered before that is said; and without a layout the column may go."""
    layouts = {"parted": {"partition_by": "name"}, "clustered": {"liquid_clustered_by": "name"}}
    project = new_project({"models/sources.yml": SOURCES}, name="partitions")
    project.table("events", [("c", 1, "ada", 1)], COLUMNS)
    for name, layout in layouts.items():
        text = model(on_schema_change="sync_all_columns", **layout)
        project.write(f"models/{name}.sql", text)
    project.run("run")
    for name in layouts:
        text = model(on_schema_change="sync_all_columns").replace(
            "select *", "select * except (name)"
        )
        project.write(f"models/{name}.sql", text)
    project.table("events", [("u", 1, "Ada", 2)])
    nodes = project.run("run", expect_failure=True).nodes
    for name in layouts:
        assert "partitioned or clustered by it, so it can not be dropped" in nodes[name].message
        properties = project.sql(f"show tblproperties {name}__state ('delta.columnMapping.mode')")
        assert "does not have property" in properties[0].value
    project.run("run", "--full-refresh")
    assert project.sql("select * from parted") == project.sql("select * from clustered")
