-- stage changes
create or replace table analytics.customers__changes
using delta
tblproperties (
  -- log: {"batch": {"id": 16, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "160"}}}, "creates": false, "run": "run-16", "uid": "model.shop.customers"}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a2031362c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a2022313630227d7d7d2c202263726561746573223a2066616c73652c202272756e223a202272756e2d3136222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273227d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = 'run-16 16'
)
as
with events as (

select * from (
  /* dbt_changelog range {"relation": "bronze.customers", "from": {"column": "lsn", "type": "bigint", "value": "150"}, "to": {"column": "lsn", "type": "bigint", "value": "160"}} */
  select * from bronze.customers
  where ((`lsn` > cast('150' as bigint) and `lsn` <= cast('160' as bigint)) or `lsn` is null)
    and if(`lsn` is null, raise_error('Invalid \'read\' in from_changelog model \'customers\': lsn is NULL in a row of bronze.customers, which would be in no range.\nTo fix: read by a column that is never NULL, or from a view that gives such rows one.'), true)
)

),

changes as (
  select
    case
      when `op` in ('DELETE') then 'DELETE'
      when `op` in ('INSERT') then 'INSERT'
      when `op` in ('UPDATE_AFTER') then 'UPDATE_AFTER'
      when `op` in ('UPDATE_BEFORE') then 'UPDATE_BEFORE'
    end as _row_kind,
    cast(null as bigint) as _sequence,
    if(`op` in ('UPDATE_AFTER'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `tags`,
    `extra`
  from events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`, `name`, `tags`, `extra`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: select what came after it, and run with --full-refresh.'))
    else true
  end
)

select *
from changes;

-- write state
merge into analytics.customers__state as state
using (
with changes as (
  select * from analytics.customers__changes
),

weights as (
  select
    any_value(`extra`) as `extra`,
    `id`,
    `name`,
    any_value(`tags`) as `tags`,
    sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
  from changes
  group by
    to_json(parse_json(to_json(`extra`, map('timeZone', 'UTC')))),
    `id`,
    `name`,
    array_sort(map_entries(`tags`))
),

state_rows as (
  select
    `id`,
    `name`,
    `tags`,
    `extra`,
    _weight,
    cast(0 as bigint) as _weight_before,
    xxhash64(to_json(parse_json(to_json(`extra`, map('timeZone', 'UTC')))), `id`, `name`, if(`tags` is null, null, xxhash64(array_size(map_keys(`tags`)), array_sort(transform(map_entries(`tags`), item -> xxhash64(isnull(item.key), item.key, isnull(item.value), item.value)))))) as _image_hash,
    cast(16 as bigint) as _batch_id,
    current_timestamp() as _changed_at
  from weights
  where _weight <> 0
)

select
  `id`,
  cast(`name` as string) as `name`,
  `tags`,
  `extra`,
  `_weight`,
  `_weight_before`,
  `_image_hash`,
  `_batch_id`,
  `_changed_at`
from state_rows
) as change
on state._image_hash = change._image_hash
  and to_json(parse_json(to_json(state.`extra`, map('timeZone', 'UTC')))) <=> to_json(parse_json(to_json(change.`extra`, map('timeZone', 'UTC'))))
  and state.`id` <=> change.`id`
  and state.`name` <=> change.`name`
  and array_sort(map_entries(state.`tags`)) <=> array_sort(map_entries(change.`tags`))
when matched
  and if(
    state._batch_id = change._batch_id,
    raise_error(concat('The state of from_changelog model \'customers\' has rows of a batch that was not committed, ', change._batch_id, ': another run works on it, or its staged changes were lost.\nTo fix: let the other run end and run again; if there is none, run with --full-refresh if the source still has all events.')),
    true
  )
then update set
  `_batch_id` = change.`_batch_id`,
  `_changed_at` = change.`_changed_at`,
  `_weight` = state._weight + change._weight,
  `_weight_before` = state._weight
when not matched then insert (
  `id`,
  `name`,
  `tags`,
  `extra`,
  `_weight`,
  `_weight_before`,
  `_image_hash`,
  `_batch_id`,
  `_changed_at`
) values (
  change.`id`,
  change.`name`,
  change.`tags`,
  change.`extra`,
  change.`_weight`,
  change.`_weight_before`,
  change.`_image_hash`,
  change.`_batch_id`,
  change.`_changed_at`
);

-- purge state
delete from analytics.customers__state
where _weight = 0
  and _batch_id < 16;

-- commit batch
alter table analytics.customers__state set tblproperties (
  -- log: {"absent": [], "batch": {"id": 16, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "160"}}}, "plan": {"after": null, "before": null, "changelog": false, "function": "from_changelog", "kernel": "multiset", "op_mapping": {"DELETE": "DELETE", "INSERT": "INSERT", "UPDATE_AFTER": "UPDATE_AFTER", "UPDATE_BEFORE": "UPDATE_BEFORE"}, "sequence_by": [], "uid": "model.shop.customers", "unique_key": [], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '16',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a2031362c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a2022313630227d7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a2066616c73652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226d756c7469736574222c20226f705f6d617070696e67223a207b2244454c455445223a202244454c455445222c2022494e53455254223a2022494e53455254222c20225550444154455f4146544552223a20225550444154455f4146544552222c20225550444154455f4245464f5245223a20225550444154455f4245464f5245227d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b5d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = ''
);

-- count rows
select
  coalesce(sum(greatest(greatest(_weight, 0) - greatest(_weight_before, 0), 0)), 0) as rows_inserted,
  0 as rows_updated,
  coalesce(sum(greatest(greatest(_weight_before, 0) - greatest(_weight, 0), 0)), 0) as rows_deleted,
  count(*) as written
from analytics.customers__state
where _batch_id = 16;

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
  'model.shop.customers' as uid,
  cast(16 as bigint) as batch_id,
  'run-16' as invocation_id,
  timestamp'2026-01-02T03:04:05+00:00' as started_at,
  current_timestamp() as committed_at,
  false as is_full_refresh,
  '{"bronze.customers": {"column": "lsn", "type": "bigint", "value": "150"}}' as from_position,
  '{"bronze.customers": {"column": "lsn", "type": "bigint", "value": "160"}}' as to_position,
  cast(0 as bigint) as rows_inserted,
  cast(0 as bigint) as rows_updated,
  cast(0 as bigint) as rows_deleted,
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
