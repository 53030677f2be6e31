-- stage changes
create or replace table analytics.customers_log__changes
using delta
tblproperties (
  -- log: {"batch": {"id": 2, "position": {}}, "creates": false, "run": "run-2", "uid": "model.shop.customers_log"}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c202263726561746573223a2066616c73652c202272756e223a202272756e2d32222c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67227d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = 'run-2 2'
)
as
with query_rows as (
  select
    `id`,
    `name`
  from (

select * from analytics.customers

  ) as query
),

contents as (
  select
    `id`,
    `name`
  from analytics.customers_log__state
  lateral view explode(array_repeat(0, cast(_weight as int))) copies as _dbtc_copy
  where _weight > 0
),

stored_rows as (
  select
    `id`,
    `name`
  from contents
),

both_tables as (
  select `id`, `name`, 1 as _weight
  from query_rows
  union all
  select `id`, `name`, -1
  from stored_rows
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
)

select *
from differences;

-- look for changes
select count(*) as written
from (select 1 from analytics.customers_log__changes limit 1);

-- append changelog
insert into analytics.customers_log (
  `op`,
  `id`,
  `name`,
  `_batch_id`,
  `_position`
)
with changes_as_rows as (
  select
    `_row_kind`, `_sequence`, `_ordinal`,
    struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _dbtc_row
  from analytics.customers_log__changes
  where case
    when _row_kind <> 'INSERT' then raise_error(concat('Invalid \'encoding\' in to_changelog model \'customers_log\': append has no event for the change ', to_json(struct(`_row_kind`, `id`, `name`)), '.\nTo fix: set encoding=\'retract\', or encoding=\'upsert\' with unique_key; or make it a query that only adds rows.'))
    else _row_kind in ('INSERT')
  end
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
      when 'INSERT' then 'INSERT'
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

-- write state
merge into analytics.customers_log__state as state
using (
with changes as (
  select * from analytics.customers_log__changes
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
),

state_rows as (
  select
    `id`,
    `name`,
    _weight,
    cast(0 as bigint) as _weight_before,
    xxhash64(`id`, `name`) as _image_hash,
    cast(2 as bigint) as _batch_id,
    current_timestamp() as _changed_at
  from weights
  where _weight <> 0
)

select
  `id`,
  cast(`name` as string) as `name`,
  `_weight`,
  `_weight_before`,
  `_image_hash`,
  `_batch_id`,
  `_changed_at`
from state_rows
) as change
on state._image_hash = change._image_hash
  and state.`id` <=> change.`id`
  and state.`name` <=> change.`name`
when matched
  and if(
    state._batch_id = change._batch_id,
    raise_error(concat('The state of to_changelog model \'customers_log\' has rows of a batch that was not committed, ', change._batch_id, ': another run works on it, or its staged changes were lost.\nTo fix: let the other run end and run again; if there is none, run with --full-refresh if the source still has all events.')),
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
  `_weight`,
  `_weight_before`,
  `_image_hash`,
  `_batch_id`,
  `_changed_at`
) values (
  change.`id`,
  change.`name`,
  change.`_weight`,
  change.`_weight_before`,
  change.`_image_hash`,
  change.`_batch_id`,
  change.`_changed_at`
);

-- commit batch
alter table analytics.customers_log set tblproperties (
  -- log: {"absent": [], "batch": {"id": 2, "position": {}}, "plan": {"after": null, "before": null, "changelog": true, "function": "to_changelog", "input": "table", "kernel": "multiset", "op": "op", "op_mapping": {"INSERT": "INSERT"}, "passthrough": [], "sequence_by": [], "uid": "model.shop.customers_log", "unique_key": [], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '2',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20227461626c65222c20226b65726e656c223a20226d756c7469736574222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b22494e53455254223a2022494e53455254227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b5d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
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
  false as is_full_refresh,
  '{}' as from_position,
  '{}' as to_position,
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
