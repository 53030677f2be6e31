-- stage changes
create or replace table analytics.customers__changes
using delta
tblproperties (
  -- log: {"batch": {"id": 1, "position": {}}, "creates": true, "run": "run-1", "uid": "model.shop.customers"}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a20312c2022706f736974696f6e223a207b7d7d2c202263726561746573223a20747275652c202272756e223a202272756e2d31222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273227d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = 'run-1 1'
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
      when `op` in ('t') then 'TRUNCATE'
      when `op` in ('u') then 'UPDATE_AFTER'
    end as _row_kind,
    `lsn` as _sequence,
    if(`op` in ('u'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `lsn`,
    true as _dbtc_arrived
  from events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('c', 'd', 't', 'u') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, t, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `lsn` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null and `op` not in ('t') then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
),

sent_changes as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'TRUNCATE', null, `id`) as `id`,
    `name`,
    `lsn`,
    struct(
      _row_kind in ('INSERT', 'UPDATE_AFTER') and not (coalesce(`name` in ('?', base64(X'3f')), false)) as `name`
    ) as _dbtc_sent,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(
      isnull(`lsn`), `lsn`
    ), 0) as _image_hash,
    _dbtc_arrived
  from changes
)

select *
from sent_changes;

-- append changelog
create or replace table analytics.customers__changelog
using delta
tblproperties (
  'dbt_changelog.born' = 'run-1',
  'dbt_changelog.uid' = 'model.shop.customers'
)
as
with sent_changes as (
  select * from analytics.customers__changes
),

last_values as (
  select
    `id`,
    max(_sequence) filter (
      where not _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _removed,
    max(struct(_sequence, _image_hash, `lsn`)) filter (
      where _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _dbtc_last,
    max(struct(_sequence, ~_image_hash as _hash)) filter (
      where _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _dbtc_rival,
    max(struct(_sequence, xxhash64(isnull(`name`), `name`) as _hash, `name` as _value)) filter (
      where _dbtc_sent.`name`
    ) as _dbtc_last_1,
    max(struct(_sequence, ~xxhash64(isnull(`name`), `name`) as _hash)) filter (
      where _dbtc_sent.`name`
    ) as _dbtc_rival_1
  from sent_changes
  where _row_kind <> 'TRUNCATE'
  group by `id`
),

new_truncates as (
  select distinct _sequence
  from sent_changes
  where startswith(_row_kind, 'TRUNCATE')
),

last_truncate as (
  select max(_sequence) as _dbtc_truncated
  from new_truncates
),

ended_values as (
  select *, _dbtc_last._sequence as _upserted
  from last_values
  cross join last_truncate
),

batch_rows as (
  select
    `id`,
    _dbtc_last_1._value as `name`,
    _dbtc_last.`lsn`,
    _dbtc_last._image_hash,
    _upserted,
    _removed,
    struct(_dbtc_last_1._sequence as `name`) as _sequences,
    _dbtc_truncated
  from ended_values as change
  where if(
      _dbtc_last._image_hash <> ~_dbtc_rival._hash
        and coalesce(_upserted > greatest(change._removed, change._dbtc_truncated), true)
      or _dbtc_last_1._hash <> ~_dbtc_rival_1._hash
        and coalesce(
          _dbtc_last_1._sequence > greatest(change._removed, change._dbtc_truncated),
          true
        ),
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(`id`, _dbtc_last._sequence as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      true
    )
),

settled_rows as (
  select
    change.`id` as `id`,
    if(
      change._sequences.`name` <= greatest(change._removed, change._dbtc_truncated),
      null,
      change.`name`
    ) as `name`,
    if(
      change._upserted <= greatest(change._removed, change._dbtc_truncated),
      null,
      change.`lsn`
    ) as `lsn`,
    greatest(change._upserted, change._removed, change._dbtc_truncated) as `_sequence`,
    if(
      change._upserted is null
        or change._upserted <= greatest(change._removed, change._dbtc_truncated),
      'DELETE',
      'UPDATE_AFTER'
    ) as `_row_kind`,
    change._image_hash as `_image_hash`,
    change._upserted as `_upserted`,
    change._removed as `_removed`,
    struct(
      if(
        change._sequences.`name` <= greatest(change._removed, change._dbtc_truncated),
        null,
        change._sequences.`name`
      ) as `name`
    ) as `_sequences`,
    cast(1 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from batch_rows as change
  where if(
      change._removed = change._upserted
        and coalesce(change._upserted > change._dbtc_truncated, true)
      or change._removed = change._sequences.`name`
        and coalesce(change._sequences.`name` > change._dbtc_truncated, true)
        and coalesce(change.`name`) is not null,
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(change.`id`, change._upserted as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      true
    )
),

state_rows as (
  select *
  from settled_rows
  union all
  select
    null as `id`,
    null as `name`,
    null as `lsn`,
    _sequence as `_sequence`,
    'TRUNCATE' as `_row_kind`,
    null as `_image_hash`,
    null as `_upserted`,
    null as `_removed`,
    null as `_sequences`,
    cast(1 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from new_truncates
),

merged_rows as (
  select
    change.`id`,
    change.`name`,
    change.`lsn`,
    change.`_sequence`,
    change.`_row_kind`,
    if(false, struct(
      change.`id`,
      change.`name`,
      change.`lsn`
    ), null) as _dbtc_old
  from state_rows as change
  where change._row_kind <> 'TRUNCATE'
),

new_and_old as (
  select
    _sequence,
    _dbtc_old,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), struct(`id`, `name`, `lsn`), null) as _dbtc_new
  from merged_rows
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
    cast(1 as bigint) as _batch_id
  from differences
)

select
  `_row_kind`,
  `_sequence`,
  `_ordinal`,
  `id`,
  cast(`name` as string) as `name`,
  `lsn`,
  `_batch_id`
from emitted;

-- write state
create or replace table analytics.customers__state
using delta
options ('maxRecordsPerFile' = '500000')  -- a batch in a part of the keys rewrites few files
tblproperties (
  -- log: {"absent": [], "batch": {"id": 1, "position": {}}, "plan": {"after": null, "before": null, "changelog": true, "function": "from_changelog", "kernel": "partial_rows", "op_mapping": {"c": "INSERT", "d": "DELETE", "t": "TRUNCATE", "u": "UPDATE_AFTER"}, "sequence_by": ["`lsn`"], "soft_delete": null, "uid": "model.shop.customers", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '1',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20312c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20227061727469616c5f726f7773222c20226f705f6d617070696e67223a207b2263223a2022494e53455254222c202264223a202244454c455445222c202274223a20225452554e43415445222c202275223a20225550444154455f4146544552227d2c202273657175656e63655f6279223a205b22606c736e60225d2c2022736f66745f64656c657465223a206e756c6c2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = '',
  'delta.checkpointInterval' = '20',
  'delta.enableDeletionVectors' = 'true'
)
as
with sent_changes as (
  select * from analytics.customers__changes
),

last_values as (
  select
    `id`,
    max(_sequence) filter (
      where not _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _removed,
    max(struct(_sequence, _image_hash, `lsn`)) filter (
      where _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _dbtc_last,
    max(struct(_sequence, ~_image_hash as _hash)) filter (
      where _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _dbtc_rival,
    max(struct(_sequence, xxhash64(isnull(`name`), `name`) as _hash, `name` as _value)) filter (
      where _dbtc_sent.`name`
    ) as _dbtc_last_1,
    max(struct(_sequence, ~xxhash64(isnull(`name`), `name`) as _hash)) filter (
      where _dbtc_sent.`name`
    ) as _dbtc_rival_1
  from sent_changes
  where _row_kind <> 'TRUNCATE'
  group by `id`
),

new_truncates as (
  select distinct _sequence
  from sent_changes
  where startswith(_row_kind, 'TRUNCATE')
),

last_truncate as (
  select max(_sequence) as _dbtc_truncated
  from new_truncates
),

ended_values as (
  select *, _dbtc_last._sequence as _upserted
  from last_values
  cross join last_truncate
),

batch_rows as (
  select
    `id`,
    _dbtc_last_1._value as `name`,
    _dbtc_last.`lsn`,
    _dbtc_last._image_hash,
    _upserted,
    _removed,
    struct(_dbtc_last_1._sequence as `name`) as _sequences,
    _dbtc_truncated
  from ended_values as change
  where if(
      _dbtc_last._image_hash <> ~_dbtc_rival._hash
        and coalesce(_upserted > greatest(change._removed, change._dbtc_truncated), true)
      or _dbtc_last_1._hash <> ~_dbtc_rival_1._hash
        and coalesce(
          _dbtc_last_1._sequence > greatest(change._removed, change._dbtc_truncated),
          true
        ),
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(`id`, _dbtc_last._sequence as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      true
    )
),

settled_rows as (
  select
    change.`id` as `id`,
    if(
      change._sequences.`name` <= greatest(change._removed, change._dbtc_truncated),
      null,
      change.`name`
    ) as `name`,
    if(
      change._upserted <= greatest(change._removed, change._dbtc_truncated),
      null,
      change.`lsn`
    ) as `lsn`,
    greatest(change._upserted, change._removed, change._dbtc_truncated) as `_sequence`,
    if(
      change._upserted is null
        or change._upserted <= greatest(change._removed, change._dbtc_truncated),
      'DELETE',
      'UPDATE_AFTER'
    ) as `_row_kind`,
    change._image_hash as `_image_hash`,
    change._upserted as `_upserted`,
    change._removed as `_removed`,
    struct(
      if(
        change._sequences.`name` <= greatest(change._removed, change._dbtc_truncated),
        null,
        change._sequences.`name`
      ) as `name`
    ) as `_sequences`,
    cast(1 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from batch_rows as change
  where if(
      change._removed = change._upserted
        and coalesce(change._upserted > change._dbtc_truncated, true)
      or change._removed = change._sequences.`name`
        and coalesce(change._sequences.`name` > change._dbtc_truncated, true)
        and coalesce(change.`name`) is not null,
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(change.`id`, change._upserted as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      true
    )
),

state_rows as (
  select *
  from settled_rows
  union all
  select
    null as `id`,
    null as `name`,
    null as `lsn`,
    _sequence as `_sequence`,
    'TRUNCATE' as `_row_kind`,
    null as `_image_hash`,
    null as `_upserted`,
    null as `_removed`,
    null as `_sequences`,
    cast(1 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from new_truncates
)

select /*+ rebalance(`id`) */ *
from state_rows
order by `id`;

-- count rows
select
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and not _was_live) as rows_inserted,
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and _was_live) as rows_updated,
  count(*) filter (where _row_kind = 'DELETE' and _was_live) as rows_deleted,
  count(*) filter (where _row_kind = 'TRUNCATE') as truncates,
  coalesce(sum(int(isnull(_sequences.`name`))) filter (
    where _row_kind in ('INSERT', 'UPDATE_AFTER')
  ), 0) as values_unknown,
  count(*) as written
from analytics.customers__state
where _batch_id = 1;

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
  cast(1 as bigint) as batch_id,
  'run-1' as invocation_id,
  timestamp'2026-01-02T03:04:05+00:00' as started_at,
  current_timestamp() as committed_at,
  false as is_full_refresh,
  '{}' as from_position,
  '{}' as to_position,
  cast(0 as bigint) as rows_inserted,
  cast(0 as bigint) as rows_updated,
  cast(0 as bigint) as rows_deleted,
  cast(null as bigint) as events_late,
  cast(null as bigint) as events_duplicate,
  cast(null as bigint) as events_invalid,
  cast(0 as bigint) as truncates,
  cast(0 as bigint) as values_unknown,
  cast(null as bigint) as tombstones_forgotten,
  cast(null as bigint) as rows_hidden,
  cast(null as bigint) as events_ignored,
  cast(null as bigint) as events_dropped,
  cast(null as bigint) as events_waiting;
