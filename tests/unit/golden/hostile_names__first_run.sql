-- write state
create or replace table analytics.customers__state
using delta
options ('maxRecordsPerFile' = '500000')  -- a batch in a part of the keys rewrites few files
tblproperties (
  -- batch: {"id": 1, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}}
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20312c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a2066616c73652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226c6173745f77726974655f77696e73222c20226f705f6d617070696e67223a207b2227223a2022494e53455254222c20225c5c223a202244454c455445227d2c202273657175656e63655f6279223a205b22606c2e7360225d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b22696064225d2c202276657273696f6e223a20317d2c202273696e6365223a20307d',
  'dbt_changelog.log.chunks' = '1'
)
as
with events as (

select * from bronze.customers

),

changes as (
  select
    case
      when `o p'``` in ('\\') then 'DELETE'
      when `o p'``` in ('\'') then 'INSERT'
    end as _row_kind,
    `l.s` as _sequence,
    0 as _ordinal,
    `i``d`,
    cast(`select` as string) as `select`,
    cast(`*/--` as string) as `*/--`,
    `l.s`
  from events tablesample (100 percent)  -- all of them; their JSON is parsed once so
  where case
    when `o p'``` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`o p'```, `i``d`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
    when `o p'``` not in ('\'', '\\') then raise_error(concat('Unknown op code \'', `o p'```, '\' in column o p\'` of from_changelog model \'customers\'. Known codes: \', \\.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
    when `l.s` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `l.s` is NULL in the event ', to_json(struct(`o p'```, `i``d`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
    when `i``d` is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column i`d is NULL in the event ', to_json(struct(`o p'```, `i``d`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
    else true
  end
),

last_changes as (
  select
    `i``d`,
    max(struct(_sequence, _image_hash, _row_kind, `i``d`, `select`, `*/--`, `l.s`)) as _last,
    max(struct(_sequence, ~_image_hash as _hash)) as _rival
  from (
    select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`*/--`), `*/--`, isnull(`l.s`), `l.s`, isnull(`select`), `select`), 0) as _image_hash
    from changes
  ) as hashed_changes
  group by `i``d`
),

rows_or_tombstones as (
  select
    *,
    if(_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _last, null) as _row
  from last_changes
  where if(_last._image_hash <> ~_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_last.`i``d`, _last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')), true)
)

select
  `i``d`,
  _row.`select`,
  _row.`*/--`,
  _row.`l.s`,
  _last._sequence,
  _last._row_kind,
  _last._image_hash,
  cast(1 as bigint) as _batch_id,
  current_timestamp() as _changed_at
from rows_or_tombstones
order by `i``d`;
