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
        if(`lsn` is null, 'sequence_by `lsn` is NULL', null),
        if(`id` is null, 'key column id is NULL', null)
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
    `lsn` as _sequence,
    if(`op` in ('UPDATE_AFTER'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `lsn`
  from sound_events
),

hashed_changes as (
  select
    *,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(
      isnull(`lsn`), `lsn`,
      isnull(`name`), `name`
    ), 0) as _image_hash
  from changes
),

tied_changes as (
  select
    concat(
      to_json(struct(`id`, _sequence)),
      ' differ in: ',
      concat_ws(', ', if(count(distinct _row_kind in ('INSERT', 'UPDATE_AFTER')) > 1, '_row_kind', null),
        if(min(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`lsn`), `lsn`), null)) <> max(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`lsn`), `lsn`), null)), 'lsn', null),
        if(min(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`name`), `name`), null)) <> max(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`name`), `name`), null)), 'name', null))
    ) as example
  from hashed_changes
  where _row_kind <> 'UPDATE_BEFORE'
  group by `id`, _sequence
  having min(_image_hash) <> max(_image_hash)
),

problems as (
  select
    explode(case
      when `op` is null then
        array('the op code is NULL')
      when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
        array(concat('unknown op code \'', `op`, '\''))
      else array_compact(array(
        if(`lsn` is null, 'sequence_by `lsn` is NULL', null),
        if(`id` is null, 'key column id is NULL', null)
      ))
    end) as problem,
    to_json(struct(`op`, `id`)) as example
  from events
  union all
  select 'two different changes of one key have one sequence', example
  from tied_changes
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
