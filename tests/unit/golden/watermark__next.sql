-- buffer events
create or replace table analytics.customers__buffer_2_13d17bd3
using delta
tblproperties (
  'dbt_changelog.uid' = 'model.shop.customers'
)
as
with events as (

select * from (
  /* dbt_changelog range {"relation": "bronze.customers", "from": {"column": "seen", "type": "bigint", "value": "10"}, "to": {"column": "seen", "type": "bigint", "value": "20"}} */
  select * from bronze.customers
  where (`seen` >= cast('10' as bigint) and `seen` <= cast('20' as bigint)) or `seen` is null
)

),

arrivals as (
  select
    cast(`op` as string) as `op`,
    `id`,
    cast(`name` as string) as `name`,
    `_at`,
    `seen`
  from events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `_at` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `_at` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
    and (`_at` >= timestamp'2024-01-01 00:01:00.000000Z'
      or coalesce(`seen` > cast('10' as bigint), false))
),

waiting as (
  select
    `op`,
    `id`,
    `name`,
    `_at`,
    `seen`
  from analytics.customers__buffer_1_5b746968
  where `_at` > timestamp'2024-01-01 00:01:00.000000Z'
),

buffered as (
  select * from arrivals
  union all
  select * from waiting
  where not ( -- events that the source still has are among the arrivals
    coalesce(`seen` between cast('10' as bigint) and cast('10' as bigint), true)
    and xxhash64(isnull(`op`), `op`, isnull(`id`), `id`, isnull(`name`), `name`, isnull(`_at`), `_at`) in (
      select xxhash64(isnull(`op`), `op`, isnull(`id`), `id`, isnull(`name`), `name`, isnull(`_at`), `_at`)
      from events
      where coalesce(`seen` between cast('10' as bigint) and cast('10' as bigint), true)
    )
  )
)

select *
from buffered;

-- keep late events
create or replace table analytics.customers__late
using delta
tblproperties (
  'dbt_changelog.uid' = 'model.shop.customers'
)
as
select
  `op`,
  `id`,
  `name`,
  `_at`,
  `seen`,
  cast(2 as bigint) as _dbtc_batch_id,
  timestamp'2024-01-01 00:01:00.000000Z' as _dbtc_watermark
from analytics.customers__buffer_2_13d17bd3
where `_at` < timestamp'2024-01-01 00:01:00.000000Z';

-- count waiting events
with event_times as (
  select
    `_at` as _dbtc_time,
    cast(`_at` as timestamp) > current_timestamp() + interval '1 hour'
      as _dbtc_is_ahead
  from analytics.customers__buffer_2_13d17bd3
)

select
  count(*) filter (where _dbtc_time < timestamp'2024-01-01 00:01:00.000000Z')
    as events_dropped,
  count(*) filter (where _dbtc_time > timestamp'2024-01-01 00:02:00.000000Z')
    as events_waiting,
  if(
    bool_or(_dbtc_is_ahead),
    concat(count(*) filter (where _dbtc_is_ahead), ' events (the last one of ', max(_dbtc_time), ')'),
    null
  ) as ahead
from event_times;

-- stage changes
create or replace table analytics.customers__changes
using delta
tblproperties (
  -- log: {"batch": {"id": 2, "position": {"bronze.customers": {"column": "seen", "type": "bigint", "value": "20"}}, "watermark": {"buffer": "customers__buffer_2_13d17bd3", "mark": {"type": "timestamp", "value": "2024-01-01 00:02:00.000000Z"}}}, "creates": false, "run": "run-2", "uid": "model.shop.customers"}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20227365656e222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d2c202277617465726d61726b223a207b22627566666572223a2022637573746f6d6572735f5f6275666665725f325f3133643137626433222c20226d61726b223a207b2274797065223a202274696d657374616d70222c202276616c7565223a2022323032342d30312d30312030303a30323a30302e3030303030305a227d7d7d2c202263726561746573223a2066616c73652c202272756e223a202272756e2d32222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273227d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = 'run-2 2'
)
as
with events as (

select
  `op`,
  `id`,
  `name`,
  `_at`,
  `seen`
from analytics.customers__buffer_2_13d17bd3
where `_at` >= timestamp'2024-01-01 00:01:00.000000Z'
  and `_at` <= timestamp'2024-01-01 00:02:00.000000Z'

),

changes as (
  select
    case
      when `op` in ('DELETE') then 'DELETE'
      when `op` in ('INSERT') then 'INSERT'
      when `op` in ('UPDATE_AFTER') then 'UPDATE_AFTER'
      when `op` in ('UPDATE_BEFORE') then 'UPDATE_BEFORE'
    end as _row_kind,
    `_at` as _sequence,
    if(`op` in ('UPDATE_AFTER'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `seen`,
    `_at` > timestamp'2024-01-01 00:01:00.000000Z' or (`seen` > cast('10' as bigint)) as _dbtc_arrived
  from events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `_at` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `_at` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
),

hashed_changes as (
  select
    *,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(
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
  `seen`,
  `_batch_id`
)
with hashed_changes as (
  select * from analytics.customers__changes
),

ordered_changes as (
  select
    *,
    lead(struct(_sequence, _image_hash)) over (
      partition by `id`
      order by _sequence, _row_kind <> 'UPDATE_BEFORE', _image_hash
    ) as _dbtc_following
  from hashed_changes
),

winners as (
  select * except (_dbtc_following)
  from ordered_changes
  where _dbtc_following is null
    or (_dbtc_following._sequence <> _sequence and _row_kind <> 'UPDATE_BEFORE')
    or if(
      _dbtc_following._sequence = _sequence and _dbtc_following._image_hash <> _image_hash
        and _row_kind <> 'UPDATE_BEFORE',
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      false
    )
),

stored_rows as (
  select
    `id`, `name`, `seen`,
    _row_kind,
    _sequence,
    0 as _ordinal,
    _image_hash
  from analytics.customers__state as state
  left semi join hashed_changes as change
    on state.`id` = change.`id`
),

changes_and_state as (
  select
    false as _dbtc_is_stored,
    `id`, `name`, `seen`,
    _row_kind,
    _sequence,
    _ordinal,
    _image_hash,
    _row_kind <> 'UPDATE_BEFORE' as _dbtc_rank_1
  from winners
  union all
  select
    true,
    `id`, `name`, `seen`,
    _row_kind,
    _sequence,
    _ordinal,
    _image_hash,
    _row_kind <> 'UPDATE_BEFORE' as _dbtc_rank_1
  from stored_rows
),

placed_changes as (
  select
    *,
    max(if(
      _dbtc_is_stored,
      struct(_sequence, _dbtc_rank_1, _row_kind, _image_hash),
      null
    )) over (
      partition by `id`
    ) as _dbtc_stored
  from changes_and_state
),

fresh_changes as (
  select * except (_dbtc_stored, _dbtc_rank_1)
  from placed_changes
  where _dbtc_is_stored
    or _dbtc_stored is null
    or if(
      _sequence = _dbtc_stored._sequence
        and _image_hash <> _dbtc_stored._image_hash
        and _row_kind <> 'UPDATE_BEFORE'
        and _dbtc_stored._row_kind <> 'UPDATE_BEFORE',
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      (
        _sequence > _dbtc_stored._sequence
        or _sequence = _dbtc_stored._sequence
          and struct(_dbtc_rank_1)
            > struct(_dbtc_stored._dbtc_rank_1)
      )
    )
),

keyed_changes as (
  select
    `id`,
    _sequence,
    _dbtc_is_stored,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), struct(`id`, `name`, `seen`), null) as _dbtc_row
  from fresh_changes
),

last_changes as (
  select
    `id`,
    max(_sequence) filter (where not _dbtc_is_stored) as _sequence,
    any_value(_dbtc_row) filter (where _dbtc_is_stored) as _dbtc_old,
    max_by(_dbtc_row, _sequence) filter (where not _dbtc_is_stored) as _dbtc_new
  from keyed_changes
  group by `id`
),

net_changes as (
  select _sequence, _dbtc_old, _dbtc_new
  from last_changes
  where _sequence is not null
),

differences as (
  select
    *,
    explode(case
      when _dbtc_old is null and _dbtc_new is null then null
      when _dbtc_old is null then array('INSERT')
      when _dbtc_new is null then array('DELETE')
      when not (
        _dbtc_old.`name` <=> _dbtc_new.`name`
      ) then array('UPDATE_BEFORE', 'UPDATE_AFTER')
    end) as _row_kind
  from net_changes
),

emitted as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`id`, _dbtc_old.`id`) as `id`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`name`, _dbtc_old.`name`) as `name`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`seen`, _dbtc_old.`seen`) as `seen`,
    cast(2 as bigint) as _batch_id
  from differences
)

select *
from emitted;

-- count late changes
with hashed_changes as (
  select * from analytics.customers__changes
),

places as (
  select
    change._dbtc_arrived,
    state._batch_id,
    case
      when state._sequence is null
        or change._sequence > state._sequence then 'new'
      when change._sequence < state._sequence then 'late'
      when change._image_hash = state._image_hash
        or change._row_kind = 'UPDATE_BEFORE'
        or state._image_hash is null then 'duplicate'
      when state._row_kind = 'UPDATE_BEFORE' then 'new'
      else 'tie'
    end as place
  from hashed_changes as change
  left join analytics.customers__state as state
    on state.`id` = change.`id`
)

select
  if(
    coalesce(max(_batch_id) >= 2, false),
    null,
    sum(if(_dbtc_arrived and place = 'late', 1, 0)) filter (where _dbtc_arrived is not null)
  ) as events_late,
  if(
    coalesce(max(_batch_id) >= 2, false),
    null,
    sum(if(_dbtc_arrived and place = 'duplicate', 1, 0)) filter (where _dbtc_arrived is not null)
  ) as events_duplicate
from places;

-- write state
merge into analytics.customers__state as state
using (
with hashed_changes as (
  select * from analytics.customers__changes
),

last_changes as (
  select
    `id`,
    max(struct(
      _sequence,
      _row_kind <> 'UPDATE_BEFORE' as _dbtc_rank_1,
      _image_hash,
      _row_kind,
      `id`,
      `name`,
      `seen`
    )) as _dbtc_last,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _dbtc_rival
  from hashed_changes
  group by `id`
),

state_rows as (
  select
    `id`,
    if(_dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_last.`name`, null) as `name`,
    if(_dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_last.`seen`, null) as `seen`,
    _dbtc_last._sequence,
    _dbtc_last._row_kind,
    _dbtc_last._image_hash,
    cast(2 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from last_changes
  where if(_dbtc_last._image_hash <> ~_dbtc_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_dbtc_last.`id`, _dbtc_last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')), true)
)

select *
from state_rows
) as change
on state.`id` = change.`id`
when matched
  and if(
    change._sequence = state._sequence
      and change._image_hash <> state._image_hash
      and change._row_kind <> 'UPDATE_BEFORE'
      and state._row_kind <> 'UPDATE_BEFORE',
    raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(change.`id`, change._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
    (
      change._sequence > state._sequence
      or change._sequence = state._sequence
        and struct(change._row_kind <> 'UPDATE_BEFORE')
          > struct(state._row_kind <> 'UPDATE_BEFORE')
    )
  )
then update set
  `name` = change.`name`,
  `seen` = change.`seen`,
  `_sequence` = change.`_sequence`,
  `_row_kind` = change.`_row_kind`,
  `_image_hash` = change.`_image_hash`,
  `_batch_id` = change.`_batch_id`,
  `_changed_at` = change.`_changed_at`,
  `_was_live` = case
    when state._batch_id = change._batch_id and state._was_live is not null then state._was_live
    when state._row_kind in ('INSERT', 'UPDATE_AFTER') and change._row_kind in ('INSERT', 'UPDATE_AFTER')
      and state._image_hash = change._image_hash then null
    else state._row_kind in ('INSERT', 'UPDATE_AFTER')
  end
when not matched then insert (
  `id`,
  `name`,
  `seen`,
  `_sequence`,
  `_row_kind`,
  `_image_hash`,
  `_batch_id`,
  `_changed_at`,
  `_was_live`
) values (
  change.`id`,
  change.`name`,
  change.`seen`,
  change.`_sequence`,
  change.`_row_kind`,
  change.`_image_hash`,
  change.`_batch_id`,
  change.`_changed_at`,
  change.`_was_live`
);

-- commit batch
alter table analytics.customers__state set tblproperties (
  -- log: {"absent": [], "batch": {"id": 2, "position": {"bronze.customers": {"column": "seen", "type": "bigint", "value": "20"}}, "watermark": {"buffer": "customers__buffer_2_13d17bd3", "mark": {"type": "timestamp", "value": "2024-01-01 00:02:00.000000Z"}}}, "plan": {"after": null, "before": null, "changelog": true, "function": "from_changelog", "kernel": "last_write_wins", "op_mapping": {"DELETE": "DELETE", "INSERT": "INSERT", "UPDATE_AFTER": "UPDATE_AFTER", "UPDATE_BEFORE": "UPDATE_BEFORE"}, "sequence_by": ["`_at`"], "uid": "model.shop.customers", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": ["seen"]}
  'dbt_changelog.batch' = '2',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20227365656e222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d2c202277617465726d61726b223a207b22627566666572223a2022637573746f6d6572735f5f6275666665725f325f3133643137626433222c20226d61726b223a207b2274797065223a202274696d657374616d70222c202276616c7565223a2022323032342d30312d30312030303a30323a30302e3030303030305a227d7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226c6173745f77726974655f77696e73222c20226f705f6d617070696e67223a207b2244454c455445223a202244454c455445222c2022494e53455254223a2022494e53455254222c20225550444154455f4146544552223a20225550444154455f4146544552222c20225550444154455f4245464f5245223a20225550444154455f4245464f5245227d2c202273657175656e63655f6279223a205b22605f617460225d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b227365656e225d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = ''
);

-- count rows
select
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and not _was_live) as rows_inserted,
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and _was_live) as rows_updated,
  count(*) filter (where not _row_kind in ('INSERT', 'UPDATE_AFTER') and _was_live) as rows_deleted,
  count(*) as written
from analytics.customers__state
where _batch_id = 2;

-- drop old buffer
drop table if exists analytics.customers__buffer_1_5b746968;

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
  '{"bronze.customers": {"column": "seen", "type": "bigint", "value": "10"}}' as from_position,
  '{"bronze.customers": {"column": "seen", "type": "bigint", "value": "20"}}' as to_position,
  cast(0 as bigint) as rows_inserted,
  cast(0 as bigint) as rows_updated,
  cast(0 as bigint) as rows_deleted,
  cast(0 as bigint) as events_late,
  cast(0 as bigint) as events_duplicate,
  cast(null as bigint) as events_invalid,
  cast(null as bigint) as truncates,
  cast(null as bigint) as values_unknown,
  cast(null as bigint) as tombstones_forgotten,
  cast(null as bigint) as rows_hidden,
  cast(null as bigint) as events_ignored,
  cast(0 as bigint) as events_dropped,
  cast(0 as bigint) as events_waiting;
