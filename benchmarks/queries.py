"""Queries by hand of the events and of rows; the macros alone, and what is nearest to them by hand.

Nothing but Spark is needed to read this file: it serves the versions of Spark of all contestants.
"""

from __future__ import annotations

from .events import PAYLOAD

NAMES = ", ".join(PAYLOAD)
HASHED = ", ".join(f"isnull({c}), {c}" for c in PAYLOAD)
CHECKSUM = f"count(*) as row_count, bit_xor(xxhash64({HASHED})) as checksum"
# The last event of each key, deletes too: nothing is checked.
LAST_EVENTS = f"""
    select last_event.* from (
      select max_by(struct(op, {NAMES}), lsn) as last_event from {{events}}
      where lsn >= {{start}} group by id
    )
"""

# Upserts to inserts, both halves of updates, and deletes.
OUR_EMISSION = """
    {{ dbt_changelog.from_changelog(
        source('bronze', var('events')), unique_key='id', sequence_by='lsn',
        op_mapping={'c, r, u': 'INSERT, UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'}
    ) }}
"""

# Nothing is checked: no event may be there twice, and equal rows are updates too.
BEST_EMISSION = f"""
    select if(part = 0, own_kind, next_kind) as kind, if(part = 0, lsn, next_lsn) as place, {NAMES}
    from (
      select *, explode(array(0, 1)) as part
      from (
        select
          *,
          case
            when op = 'd' then null
            when coalesce(lag(op) over by_key, 'd') = 'd' then 'INSERT'
            else 'UPDATE_AFTER'
          end as own_kind,
          case
            when op = 'd' then null
            when lead(op) over by_key = 'd' then 'DELETE'
            when lead(op) over by_key is not null then 'UPDATE_BEFORE'
          end as next_kind,
          lead(lsn) over by_key as next_lsn
        from bench.events
        window by_key as (partition by id order by lsn)
      ) as neighbours
    ) as parts
    where if(part = 0, own_kind, next_kind) is not null
"""

# Changes to events with both images: the halves of an update are joined.
OUR_ENCODING = """
    {{ dbt_changelog.to_changelog(
        source('bronze', var('events')), unique_key='id', before='before', after='after',
        op_mapping={'INSERT': 'c', 'UPDATE_BEFORE, UPDATE_AFTER': 'u', 'DELETE': 'd'}
    ) }}
"""

# It trusts the changes: each half of an update follows the other.
BEST_ENCODING = f"""
    select
      case _row_kind when 'INSERT' then 'c' when 'DELETE' then 'd' else 'u' end as op,
      case _row_kind when 'UPDATE_AFTER' then row_before when 'DELETE' then row end as before,
      if(_row_kind = 'DELETE', null, row) as after
    from (
      select _row_kind, struct({NAMES}) as row, lag(struct({NAMES})) over by_key as row_before
      from bench.changes
      window by_key as (partition by id order by _sequence, _ordinal)
    ) as rows
    where _row_kind <> 'UPDATE_BEFORE'
"""

OUR_DIFF = """
    {{ dbt_changelog.diff_tables(
        api.Relation.create(schema='bench', identifier='old_rows'),
        api.Relation.create(schema='bench', identifier='new_rows'),
        unique_key='id'
    ) }}
"""

FULL_OUTER_JOIN = """
    select *
    from (select id, struct(*) as old_row from bench.old_rows)
    full outer join (select id, struct(*) as new_row from bench.new_rows) using (id)
"""
