-- compact state
merge into analytics.customers__state as state
using (
  with rows_of_keys as (
    select stored.*
    from analytics.customers__state as stored
    left semi join analytics.customers__state as appended
      on stored.`id` = appended.`id`
      and appended._batch_id > 1
  ),

  last_rows as (
    select
      `id`,
      max(struct(
        _sequence,
        _image_hash is null as _dbtc_is_erased,
        array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind) as _dbtc_rank_1,
        to_json(struct(`id`, `name`, `lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')) as _dbtc_rank_2,
        _image_hash,
        -_batch_id as _dbtc_before,
        _changed_at
      )) as _dbtc_last
    from rows_of_keys
    group by `id`
    having count(*) > 1
  )

  select
    `id`,
    _dbtc_last._sequence,
    -_dbtc_last._dbtc_before as _batch_id,
    _dbtc_last._changed_at
  from last_rows
) as last
on state.`id` = last.`id`
when matched
  and struct(state._sequence, state._batch_id, state._changed_at)
    <> struct(last._sequence, last._batch_id, last._changed_at)
then delete;

-- stage changes
create or replace table analytics.customers__changes
using delta
tblproperties (
  -- log: {"batch": {"id": 2, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}}, "creates": true, "run": "run-2", "uid": "model.shop.customers"}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c202263726561746573223a20747275652c202272756e223a202272756e2d32222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273227d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = 'run-2 2'
)
as
with events as (

select * from (
  /* dbt_changelog range {"relation": "bronze.customers", "from": null, "to": {"column": "lsn", "type": "bigint", "value": "20"}} */
  select * from bronze.customers
  where (`lsn` <= cast('20' as bigint)) or `lsn` is null
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
    `lsn` as _sequence,
    if(`op` in ('UPDATE_AFTER'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `lsn`,
    cast(null as boolean) as _dbtc_arrived
  from events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
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
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind) as _dbtc_rank_1,
      to_json(struct(`id`, `name`, `lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')) as _dbtc_rank_2,
      _image_hash,
      _row_kind,
      `id`,
      `name`,
      `lsn`
    )) as _dbtc_last
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
      ) then array('UPDATE_BEFORE', 'UPDATE_AFTER')
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
  -- log: {"absent": [], "batch": {"id": 2, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}}, "compacted": 2, "plan": {"after": null, "before": null, "changelog": true, "function": "from_changelog", "kernel": "merge_on_read", "op_mapping": {"DELETE": "DELETE", "INSERT": "INSERT", "UPDATE_AFTER": "UPDATE_AFTER", "UPDATE_BEFORE": "UPDATE_BEFORE"}, "sequence_by": ["`lsn`"], "uid": "model.shop.customers", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '2',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c2022636f6d706163746564223a20322c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226d657267655f6f6e5f72656164222c20226f705f6d617070696e67223a207b2244454c455445223a202244454c455445222c2022494e53455254223a2022494e53455254222c20225550444154455f4146544552223a20225550444154455f4146544552222c20225550444154455f4245464f5245223a20225550444154455f4245464f5245227d2c202273657175656e63655f6279223a205b22606c736e60225d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
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
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind) as _dbtc_rank_1,
      to_json(struct(`id`, `name`, `lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')) as _dbtc_rank_2,
      _image_hash,
      _row_kind,
      `id`,
      `name`,
      `lsn`
    )) as _dbtc_last
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
with appended_rows as (
  select *
  from analytics.customers__state
  where _batch_id > 2
),

kept_rows as (
  select kept.*
  from analytics.customers__state as kept
  left semi join appended_rows as appended
    on kept.`id` = appended.`id`
    and appended._sequence <= (
      select max(_sequence) from analytics.customers__state where _batch_id <= 2
    )
  where kept._batch_id <= 2
),

current_rows as (
  select stored.*
  from analytics.customers__state as stored
  left anti join appended_rows as newer
    on stored.`id` = newer.`id`
    and struct(
      newer._sequence,
      newer._image_hash is null,
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), newer._row_kind),
      to_json(struct(newer.`id`, newer.`name`, newer.`lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')),
      newer._image_hash
    ) > struct(
      stored._sequence,
      stored._image_hash is null,
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), stored._row_kind),
      to_json(struct(stored.`id`, stored.`name`, stored.`lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')),
      stored._image_hash
    )
  where stored._batch_id <= 2
  union all
  select stored.*
  from appended_rows as stored
  left anti join appended_rows as newer
    on stored.`id` = newer.`id`
    and struct(
      newer._sequence,
      newer._image_hash is null,
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), newer._row_kind),
      to_json(struct(newer.`id`, newer.`name`, newer.`lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')),
      newer._image_hash,
      -newer._batch_id,
      newer._changed_at
    ) > struct(
      stored._sequence,
      stored._image_hash is null,
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), stored._row_kind),
      to_json(struct(stored.`id`, stored.`name`, stored.`lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')),
      stored._image_hash,
      -stored._batch_id,
      stored._changed_at
    )
  left anti join kept_rows as kept
    on stored.`id` = kept.`id`
    and struct(
      kept._sequence,
      kept._image_hash is null,
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), kept._row_kind),
      to_json(struct(kept.`id`, kept.`name`, kept.`lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')),
      kept._image_hash
    ) >= struct(
      stored._sequence,
      stored._image_hash is null,
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), stored._row_kind),
      to_json(struct(stored.`id`, stored.`name`, stored.`lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')),
      stored._image_hash
    )
)

select
  `id`,
  `name`,
  `lsn`
from current_rows
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
  '{"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}' as to_position,
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
