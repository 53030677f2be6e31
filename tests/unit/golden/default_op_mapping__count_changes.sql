with events as (

select * from bronze.customers

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
  from events tablesample (100 percent)  -- all of them; their JSON is parsed once so
  where case
    when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: select what came after it, and run with --full-refresh.'))
    when `lsn` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or mend the query that lost the key.'))
    else true
  end
),

hashed_changes as (
  select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`lsn`), `lsn`, isnull(`name`), `name`), 0) as _image_hash
  from changes
),

places as (
  select
    batch._arrived,
    state._batch_id,
    case
      when state._sequence is null or batch._sequence > state._sequence then 'new'
      when batch._sequence < state._sequence then 'late'
      when batch._image_hash = state._image_hash
        or batch._row_kind = 'UPDATE_BEFORE' or state._row_kind = 'UPDATE_BEFORE' then 'duplicate'
      else 'tie'
    end as place
  from hashed_changes as batch
  left join analytics.customers__state as state
    on state.`id` = batch.`id`
)

select
  if(is_written, null, late) as events_late,
  if(is_written, null, duplicate) as events_duplicate
from (
  select
    coalesce(max(_batch_id) >= 2, false) as is_written,
    sum(if(_arrived and place = 'late', 1, 0)) filter (where _arrived is not null) as late,
    sum(if(_arrived and place = 'duplicate', 1, 0)) filter (where _arrived is not null) as duplicate
  from places
) as counts
