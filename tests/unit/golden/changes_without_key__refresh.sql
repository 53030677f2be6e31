-- plan batch
alter table analytics.customers_log set tblproperties (
  -- log: {"absent": [], "batch": {"id": 1, "position": {"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "10"}}}, "plan": {"after": null, "before": null, "changelog": true, "function": "to_changelog", "input": "changes", "kernel": "multiset", "op": "op", "op_mapping": {"DELETE": "DELETE", "INSERT": "INSERT", "UPDATE_AFTER": "INSERT", "UPDATE_BEFORE": "DELETE"}, "passthrough": [], "sequence_by": [], "uid": "model.shop.customers_log", "unique_key": [], "version": 2}, "planned": {"batch": {"id": 2, "position": {"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "20"}}}, "refreshes": true, "run": "run-2"}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '1',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20312c2022706f736974696f6e223a207b22616e616c79746963732e637573746f6d6572735f5f6368616e67656c6f67223a207b22626f726e223a202272756e2d30222c2022636f6c756d6e223a20225f62617463685f6964222c202274797065223a2022626967696e74222c202276616c7565223a20223130227d7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20226368616e676573222c20226b65726e656c223a20226d756c7469736574222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202244454c455445222c2022494e53455254223a2022494e53455254222c20225550444154455f4146544552223a2022494e53455254222c20225550444154455f4245464f5245223a202244454c455445227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b5d2c202276657273696f6e223a20327d2c2022706c616e6e6564223a207b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b22616e616c79746963732e637573746f6d6572735f5f6368616e67656c6f67223a207b22626f726e223a202272756e2d30222c2022636f6c756d6e223a20225f62617463685f6964222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022726566726573686573223a20747275652c202272756e223a202272756e2d32227d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = 'run-2 2'
);

-- append changelog
insert into analytics.customers_log (
  `op`,
  `id`,
  `name`,
  `_batch_id`,
  `_position`
)
with all_changes as (
  select
    `_row_kind`,
    struct(`_batch_id`, `_sequence`) as _sequence,
    `_ordinal`,
    `id`,
    `name`
  from (

select * from (
  /* dbt_changelog range {"relation": "analytics.customers__changelog", "from": null, "to": {"column": "_batch_id", "type": "bigint", "value": "20", "born": "run-0"}} */
  select * from analytics.customers__changelog
  where ((`_batch_id` <= cast('20' as bigint)) or `_batch_id` is null)
    and if(`_batch_id` is null, raise_error('Invalid \'read\' in to_changelog model \'customers_log\': _batch_id is NULL in a row of analytics.customers__changelog, which would be in no range.\nTo fix: read by a column that is never NULL, or from a view that gives such rows one.'), true)
)

  ) as query
),

all_changes_left as (
  select
    `id`,
    `name`,
    sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
  from all_changes
  group by
    `id`,
    `name`
),

new_rows as (
  select
    cast(`id` as int) as `id`,
    cast(`name` as string) as `name`
  from all_changes_left
  lateral view explode(array_repeat(0, cast(_weight as int))) copies as _dbtc_copy
  where _weight > 0
),

changes as (
  select
    case
      when cast(`op` as string) in ('DELETE') then 'DELETE'
      when cast(`op` as string) in ('INSERT') then 'INSERT'
    end as _row_kind,
    named_struct('_1', _batch_id, '_2', _position) as _sequence,
    0 as _ordinal,
    * except (`op`, `_batch_id`, `_position`)
  from analytics.customers_log
  where case
    when cast(`op` as string) is null then
      raise_error(concat('Invalid \'op\' in to_changelog model \'customers_log\': the op code is NULL in the event ', to_json(struct(`op`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when cast(`op` as string) not in ('DELETE', 'INSERT') then
      raise_error(concat('Unknown op code \'', cast(`op` as string), '\' in column op of to_changelog model \'customers_log\'. Known codes: DELETE, INSERT.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: select what came after it, and run with --full-refresh.'))
    when _batch_id is null then
      raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': _batch_id is NULL in the event ', to_json(struct(`op`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when _position is null then
      raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': _position is NULL in the event ', to_json(struct(`op`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    else true
  end
    and if(typeof(struct(* except (`op`, `_batch_id`, `_position`))) = 'struct<>', raise_error('Invalid \'input\' in to_changelog model \'customers_log\': it has no column besides the op column.\nTo fix: select the columns of the row too.'), true)
),

changes_left as (
  select
    `id`,
    `name`,
    sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
  from changes
  group by
    `id`,
    `name`
),

old_rows as (
  select
    cast(`id` as int) as `id`,
    cast(`name` as string) as `name`
  from changes_left
  lateral view explode(array_repeat(0, cast(_weight as int))) copies as _dbtc_copy
  where _weight > 0
),

both_tables as (
  select `id`, `name`, 1 as _weight
  from new_rows
  union all
  select `id`, `name`, -1
  from old_rows
),

counted_rows as (
  select
    `id`,
    `name`,
    sum(_weight) as _weight
  from both_tables
  group by
    `id`,
    `name`
),

differences as (
  select
    if(_weight > 0, 'INSERT', 'DELETE') as _row_kind,
    cast(2 as bigint) as _sequence,
    0 as _ordinal,
    `id`, `name`
  from counted_rows
  lateral view explode(array_repeat(0, cast(abs(_weight) as int))) copies as _dbtc_copy
),

changes_as_rows as (
  select
    `_row_kind`, `_sequence`, `_ordinal`,
    struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _dbtc_row
  from differences
  where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
),

checked_changes as (
  select
    `_row_kind`, `_sequence`, `_ordinal`,
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
      when 'UPDATE_AFTER' then 'INSERT'
      when 'UPDATE_BEFORE' then 'DELETE'
    end as `op`,
    _dbtc_row.*,
    cast(2 as bigint) as _batch_id,
    row_number() over (
      partition by _dbtc_row.`id`, _dbtc_row.`name`
      order by _sequence, _ordinal, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind)
    ) as _position
  from event_rows
)

select *
from change_events;

-- count events
select count(*) as rows_inserted
from analytics.customers_log
where _batch_id = 2;

-- commit batch
alter table analytics.customers_log set tblproperties (
  -- log: {"absent": [], "batch": {"id": 2, "position": {"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "20"}}}, "plan": {"after": null, "before": null, "changelog": true, "function": "to_changelog", "input": "changes", "kernel": "multiset", "op": "op", "op_mapping": {"DELETE": "DELETE", "INSERT": "INSERT", "UPDATE_AFTER": "INSERT", "UPDATE_BEFORE": "DELETE"}, "passthrough": [], "sequence_by": [], "uid": "model.shop.customers_log", "unique_key": [], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '2',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b22616e616c79746963732e637573746f6d6572735f5f6368616e67656c6f67223a207b22626f726e223a202272756e2d30222c2022636f6c756d6e223a20225f62617463685f6964222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20226368616e676573222c20226b65726e656c223a20226d756c7469736574222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202244454c455445222c2022494e53455254223a2022494e53455254222c20225550444154455f4146544552223a2022494e53455254222c20225550444154455f4245464f5245223a202244454c455445227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b5d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = ''
);

-- batches row
insert into analytics.dbt_changelog_batches (
  uid,
  batch_id,
  invocation_id,
  started_at,
  committed_at,
  is_full_refresh,
  from_position,
  to_position,
  rows_inserted,
  rows_updated,
  rows_deleted,
  events_late,
  events_duplicate,
  events_invalid,
  truncates,
  values_unknown,
  tombstones_forgotten,
  rows_hidden,
  events_ignored,
  events_dropped,
  events_waiting
)
select
  'model.shop.customers_log' as uid,
  cast(2 as bigint) as batch_id,
  'run-2' as invocation_id,
  timestamp'2026-01-02T03:04:05+00:00' as started_at,
  current_timestamp() as committed_at,
  true as is_full_refresh,
  '{}' as from_position,
  '{"analytics.customers__changelog": {"column": "_batch_id", "type": "bigint", "value": "20", "born": "run-0"}}' as to_position,
  cast(0 as bigint) as rows_inserted,
  cast(null as bigint) as rows_updated,
  cast(null as bigint) as rows_deleted,
  cast(null as bigint) as events_late,
  cast(null as bigint) as events_duplicate,
  cast(null as bigint) as events_invalid,
  cast(null as bigint) as truncates,
  cast(null as bigint) as values_unknown,
  cast(null as bigint) as tombstones_forgotten,
  cast(null as bigint) as rows_hidden,
  cast(null as bigint) as events_ignored,
  cast(null as bigint) as events_dropped,
  cast(null as bigint) as events_waiting;
