with events as (

select * from bronze.customers

),

sound_events as (
  select *
  from events
  where size(case
    when `op` is null then
      array('the op code is NULL')
    when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
      array(concat('unknown op code \'', `op`, '\''))
    else array_compact(array(
      if(`_lsn` is null, 'sequence_by `_lsn` is NULL', null),
      if(`id` is null, 'key column id is NULL', null)
    ))
  end) = 0
),

changes as (
  select
    case
      when `op` in ('DELETE') then 'DELETE'
      when `op` in ('INSERT') then 'INSERT'
      when `op` in ('UPDATE_AFTER') then 'UPDATE_AFTER'
      when `op` in ('UPDATE_BEFORE') then 'UPDATE_BEFORE'
    end as _row_kind,
    `_lsn` as _sequence,
    if(`op` in ('UPDATE_AFTER'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `tags`
  from sound_events
),

problems as (
  select
    explode(case
      when `op` is null then
        array('the op code is NULL')
      when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
        array(concat('unknown op code \'', `op`, '\''))
      else array_compact(array(
        if(`_lsn` is null, 'sequence_by `_lsn` is NULL', null),
        if(`id` is null, 'key column id is NULL', null)
      ))
    end) as problem,
    to_json(struct(`op`, `id`)) as example
  from events
),

counted_problems as (
  select
    *,
    count(*) over (partition by problem) as amount,
    row_number() over (partition by problem order by example) as place
  from problems
)

select null as problem, count(*) as amount, null as example, 0 as place
from events
union all
select problem, amount, example, place
from counted_problems
where place <= 5
order by problem nulls first, place
