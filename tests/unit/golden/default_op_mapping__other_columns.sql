-- write state
merge into analytics.customers__state as state
using (
with events as (

select * from bronze.customers

),

changes as (
  select
    *,
    cast(null as bigint) as `lsn`
  from (
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
      `name`
    from events tablesample (100 percent)  -- all of them; their JSON is parsed once so
    where case
      when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
      when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: select what came after it, and run with --full-refresh.'))
      when `lsn` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
      when `id` is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or mend the query that lost the key.'))
      else true
    end
  ) as decoded
),

last_changes as (
  select
    `id`,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE' as _place_1, _image_hash, _row_kind, `id`, `name`, `lsn`)) as _last,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _rival
  from (
    select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`lsn`), `lsn`, isnull(`name`), `name`), 0) as _image_hash
    from changes
  ) as hashed_changes
  group by `id`
),

rows_or_tombstones as (
  select
    *,
    if(_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _last, null) as _row
  from last_changes
  where if(_last._image_hash <> ~_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_last.`id`, _last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')), true)
)

select
  `id`,
  _row.`name`,
  _row.`lsn`,
  _last._sequence,
  _last._row_kind,
  _last._image_hash,
  cast(2 as bigint) as _batch_id,
  false as _was_live,
  current_timestamp() as _changed_at
from rows_or_tombstones
) as batch
on state.`id` = batch.`id`
when matched
  and if(
    batch._sequence = state._sequence and batch._image_hash <> if(state._batch_id < 2, if(state._row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(cast(null as bigint)), cast(null as bigint), isnull(state.`name`), state.`name`), 0), state._image_hash) and not (state._batch_id < 2 and batch._row_kind in ('INSERT', 'UPDATE_AFTER') and state._row_kind in ('INSERT', 'UPDATE_AFTER'))
      and batch._row_kind <> 'UPDATE_BEFORE' and state._row_kind <> 'UPDATE_BEFORE',
    raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(batch.`id`, batch._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
    (batch._sequence > state._sequence
    or batch._sequence = state._sequence and struct(batch._row_kind <> 'UPDATE_BEFORE') > struct(state._row_kind <> 'UPDATE_BEFORE')
    or batch._sequence = state._sequence and batch._image_hash <> if(state._batch_id < 2, if(state._row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(cast(null as bigint)), cast(null as bigint), isnull(state.`name`), state.`name`), 0), state._image_hash) and state._batch_id < 2 and batch._row_kind in ('INSERT', 'UPDATE_AFTER') and state._row_kind in ('INSERT', 'UPDATE_AFTER'))
  )
then update set
  `name` = batch.`name`,
  `lsn` = batch.`lsn`,
  `_sequence` = batch.`_sequence`,
  `_row_kind` = batch.`_row_kind`,
  `_image_hash` = batch.`_image_hash`,
  `_batch_id` = batch.`_batch_id`,
  `_was_live` = case
    when state._batch_id = batch._batch_id and state._was_live is not null then state._was_live
    when state._row_kind in ('INSERT', 'UPDATE_AFTER') and batch._row_kind in ('INSERT', 'UPDATE_AFTER')
      and state._image_hash = batch._image_hash then null
    else state._row_kind in ('INSERT', 'UPDATE_AFTER')
  end,
  `_changed_at` = batch.`_changed_at`
when not matched then insert (
  `id`, `name`, `lsn`, `_sequence`, `_row_kind`, `_image_hash`, `_batch_id`, `_was_live`, `_changed_at`
) values (
  batch.`id`, batch.`name`, batch.`lsn`, batch.`_sequence`, batch.`_row_kind`, batch.`_image_hash`, batch.`_batch_id`, batch.`_was_live`, batch.`_changed_at`
);
