with events as (

select * from bronze.customers

),

checked_events as (
  select
    *,
    size(case
      when `op` is null then
        array('the op code is NULL')
      when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
        array(concat('unknown op code \'', `op`, '\''))
      else array_compact(array(
      ))
    end) as _dbtc_problems
  from events
),

sound_events as (
  select * except (_dbtc_problems)
  from checked_events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where _dbtc_problems = 0
),

changes as (
  select
    case
      when `op` in ('DELETE') then 'DELETE'
      when `op` in ('INSERT') then 'INSERT'
      when `op` in ('UPDATE_AFTER') then 'UPDATE_AFTER'
      when `op` in ('UPDATE_BEFORE') then 'UPDATE_BEFORE'
    end as _row_kind,
    cast(null as bigint) as _sequence,
    if(`op` in ('UPDATE_AFTER'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `tags`,
    `extra`
  from sound_events
),

new_and_old as (
  select
    `id`,
    `name`,
    `tags`,
    `extra`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1) as _weight
  from changes
  union all
  select
    `id`,
    `name`,
    `tags`,
    `extra`,
    -_weight as _weight
  from analytics.customers__state
),

differences as (
  select
    any_value(`extra`) as `extra`,
    `id`,
    `name`,
    any_value(`tags`) as `tags`,
    sum(_weight) as _weight
  from new_and_old
  group by
    to_json(parse_json(to_json(`extra`, map('timeZone', 'UTC')))),
    `id`,
    `name`,
    array_sort(map_entries(`tags`))
)

select
  (select count(*) filter (where _weight <> 0) from differences) as rows_that_differ,
  (select count(*) filter (where _weight < 0) from analytics.customers__state) as rows_below_zero
