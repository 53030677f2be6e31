-- stage changes
create or replace table analytics.customers_log__changes
using iceberg
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
    `name`,
    cast(`size` as int) as `size`
  from (

select * from analytics.customers

  ) as query
),

contents as (
  select
    `id`,
    `name`,
    `size`
  from analytics.customers_log__state
),

stored_rows as (
  select
    `id`,
    `name`,
    `size`
  from contents
),

_dbtc_before_rows as (
  select
    `id`,
    struct(*) as _dbtc_before,
    lag(true) over (partition by `id` order by `id`) as _dbtc_before_is_second
  from stored_rows
),

_dbtc_after_rows as (
  select
    `id`,
    struct(*) as _dbtc_after,
    lag(true) over (partition by `id` order by `id`) as _dbtc_after_is_second
  from query_rows
),

pairs as (
  select *
  from _dbtc_before_rows
  full outer join _dbtc_after_rows using (`id`)
),

compared_pairs as (
  select
    `id`,
    _dbtc_before_is_second or _dbtc_after_is_second as _dbtc_is_second,
    struct(_dbtc_before as row) as _dbtc_old,
    struct(_dbtc_after as row) as _dbtc_new
  from pairs
),

changed_pairs as (
  select
    _dbtc_old,
    _dbtc_new,
    explode(case
      when case
        when `id` is null then
          raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': it is NULL in the row ', left(to_json(coalesce(_dbtc_new.row, _dbtc_old.row)), 200), '.\nTo fix: name columns that are never NULL, or leave unique_key out: then rows are counted.'))
        when _dbtc_is_second then
          raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': two rows of one table have the key ', to_json(struct(`id`)), '.\nTo fix: add the columns that tell them apart, or leave unique_key out.'))
        else false
      end then null
      when _dbtc_old.row is null then array('INSERT')
      when _dbtc_new.row is null then array('DELETE')
      when not _dbtc_old.row <=> _dbtc_new.row
        then array('UPDATE_BEFORE', 'UPDATE_AFTER')
    end) as _row_kind
  from compared_pairs
),

changed_rows as (
  select _row_kind, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.row, _dbtc_old.row) as _dbtc_row
  from changed_pairs
),

differences as (
  select
    _row_kind,
    cast(2 as bigint) as _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    _dbtc_row.*
  from changed_rows
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
  `size`,
  `_batch_id`,
  `_position`
)
with changes_as_rows as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `id`,
    struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _dbtc_row
  from analytics.customers_log__changes
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
    cast(2 as bigint) as _batch_id,
    row_number() over (
      partition by `id`
      order by _sequence, _ordinal
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

state_rows as (
  select
    `id`,
    `name`,
    `size`,
    _row_kind,
    cast(2 as bigint) as _batch_id,
    current_timestamp() as _changed_at
  from changes
  where _row_kind <> 'UPDATE_BEFORE'
)

select
  `id`,
  cast(`name` as string) as `name`,
  `size`,
  `_row_kind`,
  `_batch_id`,
  `_changed_at`
from state_rows
) as change
on state.`id` = change.`id`
when matched and change._row_kind = 'DELETE' then delete
when matched then update set
  `name` = change.`name`,
  `size` = change.`size`,
  `_batch_id` = change.`_batch_id`,
  `_changed_at` = change.`_changed_at`
when not matched and change._row_kind <> 'DELETE' then insert (
  `id`,
  `name`,
  `size`,
  `_batch_id`,
  `_changed_at`
) values (
  change.`id`,
  change.`name`,
  change.`size`,
  change.`_batch_id`,
  change.`_changed_at`
);

-- snapshot of batch
show tblproperties analytics.customers_log ('current-snapshot-id');

-- commit batch
alter table analytics.customers_log set tblproperties (
  -- log: {"absent": [], "batch": {"id": 2, "position": {}}, "plan": {"after": null, "before": null, "changelog": true, "function": "to_changelog", "input": "table", "kernel": "snapshot", "op": "op", "op_mapping": {"DELETE": "DELETE", "INSERT": "INSERT", "UPDATE_AFTER": "UPDATE_AFTER", "UPDATE_BEFORE": "UPDATE_BEFORE"}, "passthrough": [], "sequence_by": [], "uid": "model.shop.customers_log", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '2',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a2022746f5f6368616e67656c6f67222c2022696e707574223a20227461626c65222c20226b65726e656c223a2022736e617073686f74222c20226f70223a20226f70222c20226f705f6d617070696e67223a207b2244454c455445223a202244454c455445222c2022494e53455254223a2022494e53455254222c20225550444154455f4146544552223a20225550444154455f4146544552222c20225550444154455f4245464f5245223a20225550444154455f4245464f5245227d2c2022706173737468726f756768223a205b5d2c202273657175656e63655f6279223a205b5d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = '',
  'dbt_changelog.snapshot' = '2 1'
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
