with both_sides as (
  select
    `id` as `id`,
    array_sort(map_entries(`tags`)) as `tags`,
    1 as _dbtc_is_ours
  from (
  with weights as (
    select
      `id`,
      any_value(`tags`) as `tags`,
      sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
    from customers__changelog
    group by
      `id`,
      array_sort(map_entries(`tags`))
  )

  select `id`, `tags`
  from weights
  lateral view explode(array_repeat(0, cast(_weight as int))) copies as _dbtc_copy
  where _weight > 0
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
