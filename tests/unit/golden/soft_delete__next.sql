-- write state
merge into analytics.customers__state as state
using (
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
    false as `is_deleted`
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

sent_changes as (
  select
    _row_kind,
    _sequence,
    `id`,
    `name`,
    `lsn`,
    `is_deleted`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(
      isnull(`is_deleted`), `is_deleted`,
      isnull(`lsn`), `lsn`,
      isnull(`name`), `name`
    ), 0) as _image_hash
  from changes
),

last_values as (
  select
    `id`,
    max(_sequence) filter (
      where not _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _removed,
    max(struct(_sequence, _image_hash, `name`, `lsn`)) filter (
      where _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _dbtc_last,
    max(struct(_sequence, ~_image_hash as _hash)) filter (
      where _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _dbtc_rival
  from sent_changes
  group by `id`
),

ended_values as (
  select *, _dbtc_last._sequence as _upserted
  from last_values
),

batch_rows as (
  select
    `id`,
    _dbtc_last.`name`,
    _dbtc_last.`lsn`,
    false as `is_deleted`,
    _dbtc_last._image_hash,
    _upserted,
    _removed
  from ended_values as change
  where if(
      _dbtc_last._image_hash <> ~_dbtc_rival._hash,
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(`id`, _dbtc_last._sequence as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      true
    )
),

state_rows as (
  select
    change.`id` as `id`,
    change.`name` as `name`,
    change.`lsn` as `lsn`,
    coalesce(change._removed >= change._upserted, false) as `is_deleted`,
    greatest(change._upserted, change._removed) as `_sequence`,
    if(change._image_hash is null, 'DELETE', 'UPDATE_AFTER') as `_row_kind`,
    change._image_hash as `_image_hash`,
    change._upserted as `_upserted`,
    change._removed as `_removed`,
    cast(2 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from batch_rows as change
  where if(
      change._removed = change._upserted,
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(change.`id`, change._upserted as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      true
    )
)

select *
from state_rows
) as change
on state.`id` = change.`id`
when matched
  and if(
    greatest(state._removed, change._removed) = greatest(state._upserted, change._upserted)
      and coalesce(
        greatest(state._upserted, change._upserted)
          > if(state._image_hash is null, state._upserted, null),
        true
      )
    or change._upserted = state._upserted
      and change._image_hash <> state._image_hash,
    raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(change.`id`, greatest(state._upserted, change._upserted) as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
    true
  )
  and (
    coalesce(change._upserted > state._upserted, change._upserted is not null)
    or coalesce(change._removed > state._removed, change._removed is not null)
  )
then update set
  `name` = if(
    coalesce(change._upserted > state._upserted, change._upserted is not null),
    change.`name`,
    state.`name`
  ),
  `lsn` = if(
    coalesce(change._upserted > state._upserted, change._upserted is not null),
    change.`lsn`,
    state.`lsn`
  ),
  `is_deleted` = coalesce(
    greatest(state._removed, change._removed) >= greatest(state._upserted, change._upserted),
    false
  ),
  `_sequence` = greatest(state._upserted, change._upserted, state._removed, change._removed),
  `_row_kind` = if(
    if(
      coalesce(change._upserted > state._upserted, change._upserted is not null),
      change._image_hash,
      state._image_hash
    ) is null,
    'DELETE',
    'UPDATE_AFTER'
  ),
  `_image_hash` = if(
    coalesce(change._upserted > state._upserted, change._upserted is not null),
    change._image_hash,
    state._image_hash
  ),
  `_upserted` = greatest(state._upserted, change._upserted),
  `_removed` = greatest(state._removed, change._removed),
  `_batch_id` = change._batch_id,
  `_was_live` = if(
    state._batch_id = change._batch_id and state._was_live is not null,
    state._was_live,
    state._row_kind in ('INSERT', 'UPDATE_AFTER')
  ),
  `_changed_at` = if(
    exists(
      array(greatest(state._upserted, change._upserted, state._removed, change._removed)),
      newest -> newest > state._sequence
    ),
    change._changed_at,
    state._changed_at
  )
when not matched then insert (
  `id`,
  `name`,
  `lsn`,
  `is_deleted`,
  `_sequence`,
  `_row_kind`,
  `_image_hash`,
  `_upserted`,
  `_removed`,
  `_batch_id`,
  `_was_live`,
  `_changed_at`
) values (
  change.`id`,
  change.`name`,
  change.`lsn`,
  change.`is_deleted`,
  change.`_sequence`,
  change.`_row_kind`,
  change.`_image_hash`,
  change.`_upserted`,
  change.`_removed`,
  change.`_batch_id`,
  change.`_was_live`,
  change.`_changed_at`
);

-- count rows
select
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and not _was_live) as rows_inserted,
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and _was_live) as rows_updated,
  count(*) filter (where _row_kind = 'DELETE' and _was_live) as rows_deleted,
  count(*) filter (where _row_kind = 'TRUNCATE') as truncates,
  count(*) as written
from analytics.customers__state
where _batch_id = 2;

-- commit batch
alter table analytics.customers__state set tblproperties (
  -- log: {"absent": [], "batch": {"id": 2, "position": {}}, "plan": {"after": null, "before": null, "changelog": false, "function": "from_changelog", "kernel": "partial_rows", "op_mapping": {"c": "INSERT", "d": "DELETE", "u": "UPDATE_AFTER"}, "sequence_by": ["`lsn`"], "soft_delete": "is_deleted", "uid": "model.shop.customers", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '2',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a2066616c73652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20227061727469616c5f726f7773222c20226f705f6d617070696e67223a207b2263223a2022494e53455254222c202264223a202244454c455445222c202275223a20225550444154455f4146544552227d2c202273657175656e63655f6279223a205b22606c736e60225d2c2022736f66745f64656c657465223a202269735f64656c65746564222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
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
  'model.shop.customers' as uid,
  cast(2 as bigint) as batch_id,
  'run-2' as invocation_id,
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
  cast(null as bigint) as values_unknown,
  cast(null as bigint) as tombstones_forgotten,
  cast(null as bigint) as rows_hidden,
  cast(null as bigint) as events_ignored,
  cast(null as bigint) as events_dropped,
  cast(null as bigint) as events_waiting;
