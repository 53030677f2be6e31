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
  -- log: {"batch": {"id": 3, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "30"}}}, "creates": false, "run": "run-3", "uid": "model.shop.customers"}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a20332c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a20223330227d7d7d2c202263726561746573223a2066616c73652c202272756e223a202272756e2d33222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273227d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = 'run-3 3'
)
as
with events as (

select * from (
  /* dbt_changelog range {"relation": "bronze.customers", "from": {"column": "lsn", "type": "bigint", "value": "20"}, "to": {"column": "lsn", "type": "bigint", "value": "30"}} */
  select * from bronze.customers
  where (`lsn` >= cast('20' as bigint) and `lsn` <= cast('30' as bigint)) or `lsn` is null
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
    `lsn` > cast('20' as bigint) as _dbtc_arrived
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

ordered_changes as (
  select
    *,
    lead(struct(_sequence, _row_kind)) over (
      partition by `id`
      order by _sequence, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind), to_json(struct(`id`, `name`, `lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
    ) as _dbtc_following
  from hashed_changes
),

winners as (
  select * except (_dbtc_following)
  from ordered_changes
  where _dbtc_following is null
    or _dbtc_following._sequence <> _sequence
    or (_row_kind = 'UPDATE_BEFORE' and _dbtc_following._row_kind <> 'UPDATE_BEFORE')
),

appended_rows as (
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
),

stored_rows as (
  select
    `id`, `name`, `lsn`,
    _row_kind,
    _sequence,
    0 as _ordinal,
    _image_hash
  from current_rows as state
  left semi join hashed_changes as change
    on state.`id` = change.`id`
),

changes_and_state as (
  select
    false as _dbtc_is_stored,
    `id`, `name`, `lsn`,
    _row_kind,
    _sequence,
    _ordinal,
    _image_hash,
    array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind) as _dbtc_rank_1,
    to_json(struct(`id`, `name`, `lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')) as _dbtc_rank_2
  from winners
  union all
  select
    true,
    `id`, `name`, `lsn`,
    _row_kind,
    _sequence,
    _ordinal,
    _image_hash,
    array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind) as _dbtc_rank_1,
    to_json(struct(`id`, `name`, `lsn`), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')) as _dbtc_rank_2
  from stored_rows
),

placed_changes as (
  select
    *,
    max(if(
      _dbtc_is_stored,
      struct(_sequence, _dbtc_rank_1, _dbtc_rank_2, _row_kind, _image_hash),
      null
    )) over (
      partition by `id`
    ) as _dbtc_stored
  from changes_and_state
),

fresh_changes as (
  select * except (_dbtc_stored, _dbtc_rank_1, _dbtc_rank_2)
  from placed_changes
  where _dbtc_is_stored
    or _dbtc_stored is null
    or (
        _sequence > _dbtc_stored._sequence
        or _sequence = _dbtc_stored._sequence
          and struct(_dbtc_rank_1, _dbtc_rank_2)
            > struct(_dbtc_stored._dbtc_rank_1, _dbtc_stored._dbtc_rank_2)
          and _image_hash <> _dbtc_stored._image_hash
      )
),

emitted as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    `id`,
    `name`,
    `lsn`,
    cast(3 as bigint) as _batch_id
  from fresh_changes
  where not _dbtc_is_stored
)

select *
from emitted;

-- count late changes
with hashed_changes as (
  select * from analytics.customers__changes
),

appended_rows as (
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
  left join current_rows as state
    on state.`id` = change.`id`
)

select
  if(
    coalesce(max(_batch_id) >= 3, false),
    null,
    sum(if(_dbtc_arrived and place = 'late', 1, 0)) filter (where _dbtc_arrived is not null)
  ) as events_late,
  if(
    coalesce(max(_batch_id) >= 3, false),
    null,
    sum(if(_dbtc_arrived and place = 'duplicate', 1, 0)) filter (where _dbtc_arrived is not null)
  ) as events_duplicate
from places;

-- write state
insert into analytics.customers__state (
  `id`,
  `name`,
  `lsn`,
  `_sequence`,
  `_row_kind`,
  `_image_hash`,
  `_batch_id`,
  `_was_live`,
  `_changed_at`
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

last_rows as (
  select
    `id`,
    if(_dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_last.`name`, null) as `name`,
    if(_dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_last.`lsn`, null) as `lsn`,
    _dbtc_last._sequence,
    _dbtc_last._row_kind,
    _dbtc_last._image_hash,
    cast(3 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from last_changes
),

state_rows as (
  select *
  from last_rows as change
  left anti join analytics.customers__state as state
    on state.`id` = change.`id`
    and if(
      state._image_hash is null,  -- erased
      change._sequence <= state._sequence,
      change._sequence = state._sequence
      and change._image_hash = state._image_hash
    )
    and state._batch_id > 1
)

select *
from state_rows;

-- commit batch
alter table analytics.customers__state set tblproperties (
  -- log: {"absent": [], "batch": {"id": 3, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "30"}}}, "compacted": 2, "plan": {"after": null, "before": null, "changelog": true, "function": "from_changelog", "kernel": "merge_on_read", "op_mapping": {"DELETE": "DELETE", "INSERT": "INSERT", "UPDATE_AFTER": "UPDATE_AFTER", "UPDATE_BEFORE": "UPDATE_BEFORE"}, "sequence_by": ["`lsn`"], "uid": "model.shop.customers", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '3',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20332c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a20223330227d7d7d2c2022636f6d706163746564223a20322c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226d657267655f6f6e5f72656164222c20226f705f6d617070696e67223a207b2244454c455445223a202244454c455445222c2022494e53455254223a2022494e53455254222c20225550444154455f4146544552223a20225550444154455f4146544552222c20225550444154455f4245464f5245223a20225550444154455f4245464f5245227d2c202273657175656e63655f6279223a205b22606c736e60225d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = ''
);

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
  cast(3 as bigint) as batch_id,
  'run-3' as invocation_id,
  timestamp'2026-01-02T03:04:05+00:00' as started_at,
  current_timestamp() as committed_at,
  false as is_full_refresh,
  '{"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}' as from_position,
  '{"bronze.customers": {"column": "lsn", "type": "bigint", "value": "30"}}' as to_position,
  cast(null as bigint) as rows_inserted,
  cast(null as bigint) as rows_updated,
  cast(null as bigint) as rows_deleted,
  cast(0 as bigint) as events_late,
  cast(0 as bigint) as events_duplicate,
  cast(null as bigint) as events_invalid,
  cast(null as bigint) as truncates,
  cast(null as bigint) as values_unknown,
  cast(null as bigint) as tombstones_forgotten,
  cast(null as bigint) as rows_hidden,
  cast(null as bigint) as events_ignored,
  cast(null as bigint) as events_dropped,
  cast(null as bigint) as events_waiting;
