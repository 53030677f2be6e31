-- stage changes
create or replace table analytics.customers__changes
using delta
tblproperties (
  -- batch: {"id": 2, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c202263726561746573223a20747275652c2022696e766f636174696f6e5f6964223a20227468652d696e766f636174696f6e222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273227d',
  'dbt_changelog.log.chunks' = '1'
)
as
with events as (

select * from bronze.customers

)

select
  case
    when `op` in ('d') then 'DELETE'
    when `op` in ('c') then 'INSERT'
    when `op` in ('u') then 'UPDATE_AFTER'
  end as _row_kind,
  `lsn` as _sequence,
  if(`op` in ('u'), 1, 0) as _ordinal,
  `id`,
  cast(`name` as string) as `name`,
  `lsn`
from events tablesample (100 percent)  -- all of them; their JSON is parsed once so
where case
  when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  when `op` not in ('c', 'd', 'u') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
  when `lsn` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  when `id` is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  else true
end;

-- append changelog
insert into analytics.customers__changelog (`_row_kind`, `_sequence`, `_ordinal`, `id`, `name`, `lsn`, `_batch_id`)
select
  _row_kind,
  coalesce(_new._sequence, _old._sequence) as _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _new.`id`, _old.`id`)
    as `id`,
  if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _new.`name`, _old.`name`)
    as `name`,
  if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _new.`lsn`, _old.`lsn`)
    as `lsn`,
  cast(2 as bigint) as _batch_id
from (
  select
    *,
    explode(case
      when _old is null then array('INSERT')
      when _new is null then array('DELETE')
      when _old._image_hash <> _new._image_hash then array('UPDATE_AFTER')
    end) as _row_kind
  from (
    select `id`, struct(*) as _old
    from (
      select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`lsn`), `lsn`, isnull(`name`), `name`), 0) as _image_hash
      from (
        select
          cast(`_sequence` as bigint) as `_sequence`,
          cast(`id` as int) as `id`,
          cast(null as string) as `name`,
          cast(`lsn` as bigint) as `lsn`,
          _row_kind
        from analytics.customers__state
        where _row_kind in ('INSERT', 'UPDATE_AFTER')
      ) as live_rows
    ) as stored_rows
  ) as old_rows
  full outer join (
    select `id`, struct(*) as _new
    from (
with changes as (
  select * from analytics.customers__changes
),

last_changes as (
  select
    `id`,
    max(struct(_sequence, _image_hash, _row_kind, `id`, `name`, `lsn`)) as _last,
    max(struct(_sequence, ~_image_hash as _hash)) as _rival
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
    ) as batch_rows
    where _row_kind in ('INSERT', 'UPDATE_AFTER')
  ) as new_rows using (`id`)
) as differences;

-- write state
create or replace table analytics.customers__state
using delta
options ('maxRecordsPerFile' = '500000')  -- a batch in a part of the keys rewrites few files
tblproperties (
  -- batch: {"id": 2, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}}
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226c6173745f77726974655f77696e73222c20226f705f6d617070696e67223a207b2263223a2022494e53455254222c202264223a202244454c455445222c202275223a20225550444154455f4146544552227d2c202273657175656e63655f6279223a205b22606c736e60225d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20317d2c202273696e6365223a20307d',
  'dbt_changelog.log.chunks' = '1'
)
as
with changes as (
  select * from analytics.customers__changes
),

last_changes as (
  select
    `id`,
    max(struct(_sequence, _image_hash, _row_kind, `id`, `name`, `lsn`)) as _last,
    max(struct(_sequence, ~_image_hash as _hash)) as _rival
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
order by `id`;
