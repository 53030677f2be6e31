-- count events
select count(*) as rows_inserted
from analytics.customers_log
where _batch_id = 2;

-- commit batch
alter table analytics.customers_log set tblproperties (
  -- log: {"absent": [], "batch": {"id": 2, "position": {"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "20"}}}, "plan": {"after": "after", "before": "before", "changelog": true, "function": "to_changelog", "input": "changes", "kernel": "snapshot", "op": "op", "op_mapping": {"DELETE": "d", "INSERT": "c", "UPDATE_BEFORE, UPDATE_AFTER": "u"}, "passthrough": [], "sequence_by": [], "uid": "model.shop.customers_log", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '2',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b22616e616c79746963732e637573746f6d6572735f5f6368616e67656c6f67223a207b22626f726e223a202272756e2d30222c2022636f6c756d6e223a20225f62617463685f6964222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022706c616e223a207b226166746572223a20226166746572222c20226265666f7265223a20226265666f7265222c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20226368616e676573222c20226b65726e656c223a2022736e617073686f74222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202264222c2022494e53455254223a202263222c20225550444154455f4245464f52452c205550444154455f4146544552223a202275227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
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
  'run-3' as invocation_id,
  timestamp'2026-01-02T03:04:05+00:00' as started_at,
  current_timestamp() as committed_at,
  false as is_full_refresh,
  '{"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "10"}}' as from_position,
  '{"analytics.customers__changelog": {"born": "run-0", "column": "_batch_id", "type": "bigint", "value": "20"}}' as to_position,
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
