"""Upserts to inserts, both halves of updates, and deletes: the macro, and the same by hand."""

from __future__ import annotations

from .events import PAYLOAD

NAMES = ", ".join(PAYLOAD)

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
