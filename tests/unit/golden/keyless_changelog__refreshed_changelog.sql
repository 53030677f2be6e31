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
  _row_kind,
  _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  _image.`id` as `id`,
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
      cast(null as bigint) as _sequence,
      explode(case
        when `op` in ('d') then array('DELETE')
        when `op` in ('c', 'r') then array('INSERT')
        when `op` in ('u') then array('UPDATE_BEFORE', 'UPDATE_AFTER')
      end) as _row_kind
    from events tablesample (100 percent)  -- all of them; their JSON is parsed once so
    where case
      when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
      when `op` not in ('c', 'd', 'r', 'u') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, r, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
      when `op` in ('c', 'r', 'u')
        and `after` is null then raise_error(concat('Invalid \'after\' in from_changelog model \'customers\': the after image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: filter such rows out in the query.'))
      when `op` in ('d', 'u')
        and `before` is null then raise_error(concat('Invalid \'before\' in from_changelog model \'customers\': the before image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: set state_ttl=\'0\' with unique_key, and the previous row comes from the state; map the code to UPDATE_AFTER alone; or filter such rows out in the query.'))
      else true
    end
  ) as row_kinds
) as images;

-- append changelog
insert into analytics.customers__changelog (`_row_kind`, `_sequence`, `_ordinal`, `id`, `name`, `_batch_id`)
with new_and_old as (
  select
    `id`,
    `name`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1) as _weight
  from analytics.customers__changes
  union all
  select
    cast(`id` as int) as `id`,
    cast(null as string) as `name`,
    -_weight as _weight
  from analytics.customers__state
),

differences as (
  select
    `id`,
    `name`,
    sum(_weight) as _weight
  from new_and_old
  group by
    `id`,
    `name`
)

select
  _row_kind,
  null as _sequence,
  0 as _ordinal,
  `id`,
  `name`,
  cast(2 as bigint) as _batch_id
from differences
lateral view explode(array_repeat(
  if(_weight > 0, 'INSERT', 'DELETE'), cast(abs(_weight) as int)
)) kinds as _row_kind;

-- write state
create or replace table analytics.customers__state
using delta
tblproperties (
  -- batch: {"id": 2, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}}
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022706c616e223a207b226166746572223a20226166746572222c20226265666f7265223a20226265666f7265222c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226d756c7469736574222c20226f705f6d617070696e67223a207b2263223a2022494e53455254222c202264223a202244454c455445222c202272223a2022494e53455254222c202275223a20225550444154455f4245464f52452c205550444154455f4146544552227d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b5d2c202276657273696f6e223a20317d2c202273696e6365223a20307d',
  'dbt_changelog.log.chunks' = '1'
)
as
with changes as (
  select * from analytics.customers__changes
),

weights as (
  select
    `id`,
    `name`,
    sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
  from changes
  group by
    `id`,
    `name`
)

select
  `id`,
  `name`,
  _weight,
  xxhash64(`id`, `name`) as _image_hash,
  cast(2 as bigint) as _batch_id,
  current_timestamp() as _changed_at
from weights
where _weight <> 0;
