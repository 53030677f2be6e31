with both_sides as (
  select
    `id` as `id`,
    array_sort(map_entries(`tags`)) as `tags`,
    1 as _dbtc_is_ours
  from customers
  union all
  select
    `id` as `id`,
    array_sort(map_entries(`tags`)) as `tags`,
    0
  from expected
),

counted_rows as (
  select
    `id`,
    `tags`,
    sum(_dbtc_is_ours) as _in_model,
    sum(1 - _dbtc_is_ours) as _in_seed
  from both_sides
  group by `id`, `tags`
)

select *
from counted_rows
where _in_model <> _in_seed
