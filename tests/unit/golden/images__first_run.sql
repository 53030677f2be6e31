-- write state
create or replace table analytics.customers__state
using delta
options ('maxRecordsPerFile' = '500000')  -- a batch in a part of the keys rewrites few files
tblproperties (
  -- batch: {"id": 1, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}}
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20312c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022706c616e223a207b226166746572223a20226166746572222c20226265666f7265223a20226265666f7265222c20226368616e67656c6f67223a2066616c73652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226c6173745f77726974655f77696e73222c20226f705f6d617070696e67223a207b2263223a2022494e53455254222c202264223a202244454c455445222c202272223a2022494e53455254222c202275223a20225550444154455f4245464f52452c205550444154455f4146544552227d2c202273657175656e63655f6279223a205b22606c736e60225d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20317d2c202273696e6365223a20307d',
  'dbt_changelog.log.chunks' = '1'
)
as
with events as (

select * from bronze.customers

),

changes as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    if(_image is null, `after`.`id`, coalesce(_image.`id`, `after`.`id`)) as `id`,
    cast(_image.`name` as string) as `name`
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
        when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
        when `op` not in ('c', 'd', 'r', 'u') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, r, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
        when `lsn` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
        when `op` in ('c', 'r', 'u')
          and `after` is null then raise_error(concat('Invalid \'after\' in from_changelog model \'customers\': the after image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query.'))
        when `op` in ('u')
          and `before` is null then raise_error(concat('Invalid \'before\' in from_changelog model \'customers\': the before image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: set state_ttl=\'0\' with unique_key, and the previous row comes from the state; map the code to UPDATE_AFTER alone; or filter such rows out in the query.'))
        else true
      end
    ) as row_kinds
  ) as images
  where case
    when if(_image is null, `after`.`id`, coalesce(_image.`id`, `after`.`id`)) is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
    else true
  end
),

last_changes as (
  select
    `id`,
    max(struct(_sequence, _image_hash, _row_kind, `id`, `name`)) as _last,
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
  where if(_last._image_hash <> ~_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_last.`id`, _last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')), true)
)

select
  `id`,
  _row.`name`,
  _last._sequence,
  _last._row_kind,
  _last._image_hash,
  cast(1 as bigint) as _batch_id,
  current_timestamp() as _changed_at
from rows_or_tombstones
order by `id`;
