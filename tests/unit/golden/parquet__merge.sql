-- write state
create table analytics.customers__state_2_19531b71
using parquet
tblproperties (
  -- batch: {"id": 2, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}}
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a2066616c73652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226c6173745f77726974655f77696e73222c20226f705f6d617070696e67223a207b2244454c455445223a202244454c455445222c2022494e53455254223a2022494e53455254222c20225550444154455f4146544552223a20225550444154455f4146544552222c20225550444154455f4245464f5245223a20225550444154455f4245464f5245227d2c202273657175656e63655f6279223a205b22606c736e60225d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20317d2c202273696e6365223a20307d',
  'dbt_changelog.log.chunks' = '1'
)
as
select _row.*
from (
  select
    case
      when batch._row_kind is null then struct(state.`id`, state.`name`, state.`lsn`, state.`_sequence`, state.`_row_kind`, state.`_image_hash`, state.`_batch_id`, state.`_changed_at`)
      when state._row_kind is null
        or if(
          batch._sequence = state._sequence and batch._image_hash <> state._image_hash
            and batch._row_kind <> 'UPDATE_BEFORE' and state._row_kind <> 'UPDATE_BEFORE',
          raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(batch.`id`, batch._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')),
          (batch._sequence > state._sequence
          or batch._sequence = state._sequence and struct(batch._row_kind <> 'UPDATE_BEFORE') > struct(state._row_kind <> 'UPDATE_BEFORE'))
        )
        then struct(batch.`id`, batch.`name`, batch.`lsn`, batch.`_sequence`, batch.`_row_kind`, batch.`_image_hash`, batch.`_batch_id`, batch.`_changed_at`)
      else struct(state.`id`, state.`name`, state.`lsn`, state.`_sequence`, state.`_row_kind`, state.`_image_hash`, state.`_batch_id`, state.`_changed_at`)
    end as _row
  from analytics.customers__state as state
  full outer join (
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
    cast(`name` as string) as `name`,
    `lsn`
  from events tablesample (100 percent)  -- all of them; their JSON is parsed once so
  where case
    when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
    when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
    when `lsn` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
    when `id` is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
    else true
  end
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
  where if(_last._image_hash <> ~_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_last.`id`, _last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')), true)
)

select
  `id`,
  _row.`name`,
  _row.`lsn`,
  _last._sequence,
  _last._row_kind,
  _last._image_hash,
  cast(2 as bigint) as _batch_id,
  current_timestamp() as _changed_at
from rows_or_tombstones
  ) as batch
    on state.`id` = batch.`id`
) as merged_rows
order by `id`;
