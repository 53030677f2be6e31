-- stage changes
create or replace table analytics.customers__changes
using delta
tblproperties (
  -- log: {"batch": {"id": 2, "position": {}}, "creates": true, "run": "run-2", "uid": "model.shop.customers"}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c202263726561746573223a20747275652c202272756e223a202272756e2d32222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273227d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = 'run-2 2'
)
as
with events as (

select * from bronze.customers

),

changes as (
  select
    case
      when `op` in ('d') then 'DELETE'
      when `op` in ('c') then 'INSERT'
      when `op` in ('u') then 'UPDATE_AFTER'
    end as _row_kind,
    `lsn` as _sequence,
    if(`op` in ('u'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `lsn`,
    cast(null as boolean) as _dbtc_arrived
  from events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('c', 'd', 'u') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `lsn` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
),

hashed_changes as (
  select
    *,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(
      isnull(`lsn`), `lsn`,
      isnull(`name`), `name`
    ), 0) as _image_hash
  from changes
)

select *
from hashed_changes;

-- append changelog
insert into analytics.customers__changelog (
  `_row_kind`,
  `_sequence`,
  `_ordinal`,
  `id`,
  `name`,
  `lsn`,
  `_batch_id`
)
with hashed_changes as (
  select * from analytics.customers__changes
),

last_changes as (
  select
    `id`,
    max(struct(
      _sequence,
      _image_hash,
      _row_kind,
      `id`,
      `name`,
      `lsn`
    )) as _dbtc_last,
    max(struct(_sequence, ~_image_hash as _hash)) as _dbtc_rival
  from hashed_changes
  group by `id`
),

state_rows as (
  select
    `id`,
    if(_dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_last.`name`, null) as `name`,
    if(_dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_last.`lsn`, null) as `lsn`,
    _dbtc_last._sequence,
    _dbtc_last._row_kind,
    _dbtc_last._image_hash,
    cast(2 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from last_changes
  where if(_dbtc_last._image_hash <> ~_dbtc_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_dbtc_last.`id`, _dbtc_last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')), true)
),

new_rows as (
  select `id`, _sequence as _dbtc_sequence, struct(`id`, `name`, `lsn`) as _dbtc_new
  from state_rows
  where _row_kind in ('INSERT', 'UPDATE_AFTER')
),

live_rows as (
  select
    cast(`_sequence` as bigint) as `_sequence`,
    cast(`id` as int) as `id`,
    cast(`name` as string) as `name`,
    cast(`lsn` as bigint) as `lsn`
  from analytics.customers__state
  where _row_kind in ('INSERT', 'UPDATE_AFTER')
),

old_rows as (
  select `id`, _sequence as _dbtc_old_sequence, struct(`id`, `name`, `lsn`) as _dbtc_old
  from live_rows
),

new_and_old as (
  select
    coalesce(_dbtc_sequence, _dbtc_old_sequence) as _sequence,
    _dbtc_old,
    _dbtc_new
  from old_rows
  full outer join new_rows using (`id`)
),

differences as (
  select
    *,
    explode(case
      when _dbtc_old is null and _dbtc_new is null then null
      when _dbtc_old is null then array('INSERT')
      when _dbtc_new is null then array('DELETE')
      when not (
        _dbtc_old.`lsn` <=> _dbtc_new.`lsn`
        and _dbtc_old.`name` <=> _dbtc_new.`name`
      ) then array('UPDATE_AFTER')
    end) as _row_kind
  from new_and_old
),

emitted as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`id`, _dbtc_old.`id`) as `id`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`name`, _dbtc_old.`name`) as `name`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`lsn`, _dbtc_old.`lsn`) as `lsn`,
    cast(2 as bigint) as _batch_id
  from differences
)

select *
from emitted;

-- write state
create or replace table analytics.customers__state
using delta
options ('maxRecordsPerFile' = '500000')  -- a batch in a part of the keys rewrites few files
tblproperties (
  -- log: {"absent": [], "batch": {"id": 2, "position": {}}, "plan": {"after": null, "before": null, "changelog": true, "function": "from_changelog", "kernel": "last_write_wins", "op_mapping": {"c": "INSERT", "d": "DELETE", "u": "UPDATE_AFTER"}, "sequence_by": ["`lsn`"], "uid": "model.shop.customers", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '2',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226c6173745f77726974655f77696e73222c20226f705f6d617070696e67223a207b2263223a2022494e53455254222c202264223a202244454c455445222c202275223a20225550444154455f4146544552227d2c202273657175656e63655f6279223a205b22606c736e60225d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = '',
  'delta.checkpointInterval' = '20',
  'delta.enableDeletionVectors' = 'true'
)
as
with hashed_changes as (
  select * from analytics.customers__changes
),

last_changes as (
  select
    `id`,
    max(struct(
      _sequence,
      _image_hash,
      _row_kind,
      `id`,
      `name`,
      `lsn`
    )) as _dbtc_last,
    max(struct(_sequence, ~_image_hash as _hash)) as _dbtc_rival
  from hashed_changes
  group by `id`
),

state_rows as (
  select
    `id`,
    if(_dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_last.`name`, null) as `name`,
    if(_dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_last.`lsn`, null) as `lsn`,
    _dbtc_last._sequence,
    _dbtc_last._row_kind,
    _dbtc_last._image_hash,
    cast(2 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from last_changes
  where if(_dbtc_last._image_hash <> ~_dbtc_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_dbtc_last.`id`, _dbtc_last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')), true)
)

select /*+ rebalance(`id`) */ *
from state_rows
order by `id`;

-- count rows
select
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and not _was_live) as rows_inserted,
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and _was_live) as rows_updated,
  count(*) filter (where not _row_kind in ('INSERT', 'UPDATE_AFTER') and _was_live) as rows_deleted,
  count(*) as written
from analytics.customers__state
where _batch_id = 2;

-- contents view
create or replace view analytics.customers
as
select
  `id`,
  `name`,
  `lsn`
from analytics.customers__state
where _row_kind in ('INSERT', 'UPDATE_AFTER');

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
  cast(2 as bigint) as batch_id,
  'run-2' as invocation_id,
  timestamp'2026-01-02T03:04:05+00:00' as started_at,
  current_timestamp() as committed_at,
  true as is_full_refresh,
  '{}' as from_position,
  '{}' as to_position,
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
