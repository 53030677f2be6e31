with events as (

select * from bronze.customers

),

checked_events as (
  select
    *,
    size(case
      when `op` is null then
        array('the op code is NULL')
      when `op` not in ('c', 'd', 't', 'u') then
        array(concat('unknown op code \'', `op`, '\''))
      else array_compact(array(
        if(`lsn` is null, 'sequence_by `lsn` is NULL', null),
        if(`id` is null and `op` not in ('t'), 'key column id is NULL', null)
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
      when `op` in ('d') then 'DELETE'
      when `op` in ('c') then 'INSERT'
      when `op` in ('t') then 'TRUNCATE'
      when `op` in ('u') then 'UPDATE_AFTER'
    end as _row_kind,
    `lsn` as _sequence,
    if(`op` in ('u'), 1, 0) as _ordinal,
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

places as (
  select
    case
      when change._sequence <= (
        select max(_sequence)
        from analytics.customers__state
        where `id` is null
      ) then 'late'
      when state._sequence is null or change._sequence > state._sequence then 'new'
      when change._sequence < state._sequence then 'late'
      else 'duplicate'
    end as place
  from hashed_changes as change
  left join analytics.customers__state as state
    on state.`id` = change.`id`
  where change._row_kind <> 'TRUNCATE'
)

select
  count_if(place = 'new') as new_changes,
  count_if(place = 'duplicate') as duplicates,
  count_if(place = 'late') as late
from places
