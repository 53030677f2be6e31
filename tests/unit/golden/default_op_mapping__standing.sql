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

places as (
  select
    case
      when state._sequence is null
        or change._sequence > state._sequence then 'new'
      when change._sequence < state._sequence then 'late'
      when change._image_hash = state._image_hash
        or change._row_kind = 'UPDATE_BEFORE'
        or state._image_hash is null then 'duplicate'
      when state._row_kind = 'UPDATE_BEFORE' then 'new'
      else 'tie'
    end as place
  from hashed_changes as change
  left join analytics.customers__state as state
    on state.`id` = change.`id`
)

select
  count_if(place = 'new') as new_changes,
  count_if(place = 'duplicate') as duplicates,
  count_if(place = 'late') as late,
  count_if(place = 'tie') as ties
from places;

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

changes_and_state as (
  select `id`, `name`, `lsn`, _row_kind, _sequence, _image_hash, false as _dbtc_is_stored
  from hashed_changes
  union all
  select `id`, `name`, `lsn`, _row_kind, _sequence,
    _image_hash, true
  from analytics.customers__state
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
  from changes_and_state
  where _row_kind <> 'UPDATE_BEFORE'
  group by `id`, _sequence
  having min(_image_hash) <> max(_image_hash)
    and max(_dbtc_is_stored)
)

select example
from tied_changes
order by example
limit 5
