-- create event table
create or replace table analytics.customers_log
using delta
tblproperties (
  -- log: {"absent": [], "batch": {"id": 0, "position": {}}, "plan": {"after": null, "before": null, "changelog": true, "function": "to_changelog", "input": "table", "kernel": "snapshot", "op": "op", "op_mapping": {"DELETE": "DELETE", "INSERT": "INSERT", "UPDATE_AFTER": "UPDATE_AFTER", "UPDATE_BEFORE": "UPDATE_BEFORE"}, "passthrough": [], "sequence_by": [], "uid": "model.shop.customers_log", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '0',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20302c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20227461626c65222c20226b65726e656c223a2022736e617073686f74222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202244454c455445222c2022494e53455254223a2022494e53455254222c20225550444154455f4146544552223a20225550444154455f4146544552222c20225550444154455f4245464f5245223a20225550444154455f4245464f5245227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = ''
)
as
with query_rows as (
  select
    `id`,
    `name`,
    `tags`
  from (

select * from (
select * from analytics.customers
)
where false

  ) as query
),

changes as (
  select 'INSERT' as _row_kind, cast(0 as bigint) as _sequence, 0 as _ordinal, *
  from query_rows
),

changes_as_rows as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `id`,
    struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _dbtc_row
  from changes
  where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
),

checked_changes as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `id`,
    struct(_dbtc_row as row) as _dbtc_image
  from changes_as_rows
),

event_rows as (
  select
    *,
    _dbtc_image.row as _dbtc_row
  from checked_changes
),

change_events as (
  select
    case _row_kind
      when 'DELETE' then 'DELETE'
      when 'INSERT' then 'INSERT'
      when 'UPDATE_AFTER' then 'UPDATE_AFTER'
      when 'UPDATE_BEFORE' then 'UPDATE_BEFORE'
    end as `op`,
    _dbtc_row.*,
    cast(0 as bigint) as _batch_id,
    row_number() over (
      partition by `id`
      order by _sequence, _ordinal
    ) as _position
  from event_rows
)

select
  `op`,
  `id`,
  cast(`name` as string) as `name`,
  `tags`,
  `_batch_id`,
  `_position`
from change_events
where false;
