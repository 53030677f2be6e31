"""models/monitoring: off unless a variable turns it on; what it says of batches and states."""

from __future__ import annotations

from datetime import datetime

import pytest

CONFIG = """
{{ config(materialized='from_changelog', unique_key='id', sequence_by='lsn',
    op_mapping={'c, u': 'INSERT, UPDATE_AFTER', 'd': 'DELETE'}, MORE) }}
select op, id, name, lsn, at from {{ dbt_changelog.new_rows(source('bronze', 'events')) }}
"""
KEYLESS = """
{{ config(materialized='from_changelog', op_mapping={'c': 'INSERT', 'd': 'DELETE'},
    read={'column': 'lsn', 'strict': true}) }}
select op, name from {{ dbt_changelog.new_rows(source('bronze', 'events')) }} where op <> 'u'
"""
SOURCES = """
sources:
  - name: bronze
    schema: "{{ target.schema }}"
    tables: [{name: events}]
"""
ON = {"dbt_changelog_monitoring": True}
NOT_COUNTED = (None, None, None)


@pytest.fixture
def project(new_project):
    files = {
        "models/sources.yml": SOURCES,
        "models/customers.sql": CONFIG.replace("MORE", "read={'column': 'at'}"),
        "models/names.sql": KEYLESS,
        "models/copies.sql": CONFIG.replace("MORE", "file_format='parquet', uid='a copy'"),
        "models/iceberg/in_ice.sql": CONFIG.replace("MORE", "read={'column': 'at'}"),
        "models/hadoop/in_lake.sql": CONFIG.replace("MORE", "read={'column': 'at'}"),
    }
    project = new_project(files, name="monitoring")
    project.sql(
        """
        create table events using delta as
        select op, id, name, lsn, timestamp'2026-01-01 09:00:00' as at from values
        ('c', 1, 'ada', 1), ('c', 2, 'bob', 2), ('d', 2, null, 3) as t (op, id, name, lsn)
        """
    )
    return project


def test_it_is_off_unless_the_variable_turns_it_on(project):
    def models(**variables):
        listed = project.run("ls", "--resource-type", "model", vars=variables).raw.result
        return {name.removeprefix("dbt_changelog.monitoring.") for name in listed
                if name.startswith("dbt_changelog.")}  # fmt: skip

    assert models() == set()
    assert models(**ON) == {"changelog_batch_rates", "changelog_health", "changelog_state_sizes"}


@pytest.mark.thorough
def test_sizes_of_every_kind_of_state(project):
    project.run("run", vars=ON)
    project.sql(
        """
        insert into events
        select op, id, name, lsn, timestamp'2026-01-01 10:00:00' as at from values
        ('c', 3, 'cyd', 4), ('u', 3, 'Cyd', 5), ('d', 1, 'ada', 6) as t (op, id, name, lsn)
        """
    )
    project.run("run", vars=ON)
    project.run("run", "--select", "changelog_state_sizes", vars=ON)
    columns = "schema_name, model, state_rows, live_rows, tombstones, waiting_rows"
    here, ice, lake = (project.place(storage) for storage in ("delta", "iceberg", "hadoop"))
    assert project.sql(f"select {columns} from changelog_state_sizes order by model") == [
        (here, "a copy", 3, 1, 2, 0),
        (here, "customers", 3, 1, 2, 0),
        (ice, "in_ice", 3, 1, 2, 0),
        (lake, "in_lake", 3, 1, 2, 0),
        # 'bob' and 'cyd' are there, 'ada' has gone, and a NULL was taken away before it came
        (here, "names", 4, 2, 1, 1),
    ]
    # the rows of all tables of batches
    columns = "uid, batch_id, rows_inserted, rows_updated, rows_deleted"
    tables = " union all ".join(
        f"select {columns} from {schema}.dbt_changelog_batches" for schema in (here, ice, lake)
    )
    found = project.sql(f"select {columns} from changelog_batch_rates order by 1, 2")
    assert [row.uid for row in found][:2] == ["a copy"] * 2
    assert len(found) == 10
    assert found == project.sql(f"{tables} order by 1, 2")
    (last,) = project.sql("select * from changelog_health where model = 'customers'")
    assert (last.batches, last.last_batch_id) == (2, 2)
    assert last.read_up_to == datetime(2026, 1, 1, 10)


def test_rates_and_lag_of_batches(project):
    project.run("run", "--select", "customers")
    project.sql("delete from dbt_changelog_batches")
    place = """{"%s": {"column": "at", "type": "%s", "value": "%s"}}"""
    # 09:59:54, and the start of that day
    at_ten = place % ("bronze.a", "timestamp", 1767261594000000)
    two = at_ten[:-1] + ", " + (place % ("bronze.b", "date", "2026-01-01"))[1:]
    by_number = place % ("bronze.c", "bigint", "12")
    project.sql(
        f"""
        insert into dbt_changelog_batches (
          uid, batch_id, invocation_id, started_at, committed_at, is_full_refresh, from_position,
          to_position, rows_inserted, rows_updated, rows_deleted, events_late, events_duplicate,
          events_invalid
        ) values
        ('model.shop.customers', 1, 'run 1', '2026-01-01 10:00:00', '2026-01-01 10:00:04', false,
            '{{}}', '{at_ten}', 99, 0, 1, null, null, null),
        ('model.shop.customers', 2, 'run 2', '2026-01-01 10:01:00', '2026-01-01 10:01:00.5', true,
            '{at_ten}', '{two}', 3, 7, null, 2, 1, 0),
        ('model.shop.orders', 1, 'run 1', '2026-01-01 10:00:00', '2026-01-01 10:00:00', false,
            '{{}}', '{{}}', 1, 0, 0, 0, 0, 0),
        ('a uid', 1, 'run 1', '2026-01-01 10:00:00', '2026-01-01 10:00:01', false,
            '{{}}', '{by_number}', null, null, null, null, null, null)
        """
    )
    project.run("run", "--select", "package:dbt_changelog", vars=ON)
    rates = "model, batch_id, seconds, rows_per_second, read_up_to, lag_seconds"
    nine, midnight = datetime(2026, 1, 1, 9, 59, 54), datetime(2026, 1, 1)
    assert project.sql(f"select {rates} from changelog_batch_rates order by 1, 2") == [
        ("a uid", 1, 1, None, None, None),
        ("customers", 1, 4, 25, nine, 10),
        # the source that is the furthest behind
        ("customers", 2, 0.5, 20, midnight, 10 * 3600 + 60.5),
        ("orders", 1, 0, None, None, None),
    ]
    health = "model, batches, last_batch_id, events_late, events_duplicate, events_invalid"
    assert project.sql(f"select {health} from changelog_health order by model") == [
        ("a uid", 1, 1, *NOT_COUNTED),
        ("customers", 2, 2, 2, 1, 0),
        ("orders", 1, 1, 0, 0, 0),
    ]
    wrong = "select model, last_wrong_at from changelog_health where last_wrong_at is not null"
    assert project.sql(wrong) == [("customers", datetime(2026, 1, 1, 10, 1, 0, 500000))]
    lag = "unix_micros(current_timestamp()) - unix_micros(timestamp'2026-01-01 00:00:00')"
    check = f"select lag_seconds * 1e6 - ({lag}) from changelog_health where model = 'customers'"
    assert abs(project.sql(check)[0][0]) < 1


def test_before_the_first_run_there_is_nothing_to_show(project):
    project.run("run", "--select", "package:dbt_changelog", vars=ON)
    for name in ("changelog_batch_rates", "changelog_health", "changelog_state_sizes"):
        assert project.sql(f"select * from {name}") == []
