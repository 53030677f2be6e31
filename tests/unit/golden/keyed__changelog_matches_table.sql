with both_sides as (
  select
    `id` as `id`,
    array_sort(map_entries(`tags`)) as `tags`,
    1 as _dbtc_is_ours
  from (
  with last_changes as (
    select
      max_by(
        struct(*),
        struct(_batch_id, _sequence, _ordinal, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind))
      ) as _dbtc_last
    from customers__changelog
    group by `id`
  )

  select _dbtc_last.*
  from last_changes
  where _dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER')
) as folded
  union all
  select
    `id` as `id`,
    array_sort(map_entries(`tags`)) as `tags`,
    0
  from customers
),

counted_rows as (
  select
    `id`,
    `tags`,
    sum(_dbtc_is_ours) as _in_changelog,
    sum(1 - _dbtc_is_ours) as _in_table
  from both_sides
  group by `id`, `tags`
)

select *
from counted_rows
where _in_changelog <> _in_table
