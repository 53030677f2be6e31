-- write state
merge into analytics.customers__state as state
using (
with events as (

select * from bronze.customers

),

changes as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    if(_image is null, `after`.`id`, coalesce(_image.`id`, `after`.`id`)) as `id`,
    _image.`name`,
    `ts`
  from (
    select
      *,
      if(
        _row_kind in ('INSERT', 'UPDATE_AFTER'),
        `after`,
        `before`
      ) as _image
    from (
      select
        *,
        `lsn` as _sequence,
        explode(case
          when `op` in ('d') then array('DELETE')
          when `op` in ('c', 'r') then array('INSERT')
          when `op` in ('u') then if(coalesce(`before`.`id` <> `after`.`id`, false), array('DELETE', 'INSERT'), array('UPDATE_AFTER'))
        end) as _row_kind
      from events tablesample (100 percent)  -- all of them; their JSON is parsed once so
      where case
        when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
        when `op` not in ('c', 'd', 'r', 'u') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, r, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: select what came after it, and run with --full-refresh.'))
        when `lsn` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
        when `op` in ('c', 'r', 'u')
          and `after` is null then raise_error(concat('Invalid \'after\' in from_changelog model \'customers\': the after image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: mend the query if it did not parse the image (from_json then gives NULL), or op_mapping if events of this code have no row after.'))
        when `op` in ('u')
          and `before` is null then raise_error(concat('Invalid \'before\' in from_changelog model \'customers\': the before image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: map the code to UPDATE_AFTER alone; or set state_ttl=\'0\', and the previous row comes from the state; or let the source write the row before (Postgres: replica identity full).'))
        else true
      end
    ) as row_kinds
  ) as images
  where case
    when if(_image is null, `after`.`id`, coalesce(_image.`id`, `after`.`id`)) is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: name columns that are never NULL; if it is a delete whose images lack the key, select \'id\' beside them.'))
    else true
  end
),

last_changes as (
  select
    `id`,
    max(struct(_sequence, _image_hash, _row_kind, `id`, `name`, `ts`)) as _last,
    max(struct(_sequence, ~_image_hash as _hash)) as _rival
  from (
    select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`name`), `name`), 0) as _image_hash
    from changes
  ) as hashed_changes
  group by `id`
),

rows_or_tombstones as (
  select
    *,
    if(_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _last, null) as _row
  from last_changes
  where if(_last._image_hash <> ~_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_last.`id`, _last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: leave them out of the images.')), true)
)

select
  `id`,
  _row.`name`,
  _row.`ts`,
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
    batch._sequence = state._sequence and batch._image_hash <> state._image_hash,
    raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(batch.`id`, batch._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: leave them out of the images.')),
    batch._sequence > state._sequence
  )
then update set
  `name` = batch.`name`,
  `ts` = batch.`ts`,
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
  `id`, `name`, `ts`, `_sequence`, `_row_kind`, `_image_hash`, `_batch_id`, `_was_live`, `_changed_at`
) values (
  batch.`id`, batch.`name`, batch.`ts`, batch.`_sequence`, batch.`_row_kind`, batch.`_image_hash`, batch.`_batch_id`, batch.`_was_live`, batch.`_changed_at`
);
