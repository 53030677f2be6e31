-- stage changes
create or replace table analytics.customers__changes
using delta
tblproperties (
  -- log: {"batch": {"id": 2, "position": {}}, "creates": false, "run": "run-2", "uid": "model.shop.customers"}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c202263726561746573223a2066616c73652c202272756e223a202272756e2d32222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273227d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = 'run-2 2'
)
as
with events as (

select * from bronze.customers

),

row_kinds as (
  select
    *,
    `lsn` as _sequence,
    explode(case
      when `op` in ('d') then array('DELETE')
      when `op` in ('c', 'r') then array('INSERT')
      when `op` in ('u') then if(
        coalesce(`before`.`id` <> `after`.`id`, false),
        array('DELETE', 'INSERT'),
        array('UPDATE_BEFORE', 'UPDATE_AFTER')
      )
    end) as _row_kind
  from events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('c', 'd', 'r', 'u') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, r, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `lsn` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `op` in ('c', 'r', 'u') and `after` is null then
      raise_error(concat('Invalid \'after\' in from_changelog model \'customers\': the after image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: correct the query if it did not parse the image (from_json then gives NULL), or op_mapping if events of this code have no row after.'))
    when `op` in ('u') and `before` is null then
      raise_error(concat('Invalid \'before\' in from_changelog model \'customers\': the before image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: map the code to UPDATE_AFTER alone; or set state_ttl=\'0\', and the previous row comes from the state; or let the source write the row before (Postgres: replica identity full).'))
    else true
  end
),

images as (
  select
    *,
    if(
      _row_kind in ('INSERT', 'UPDATE_AFTER'),
      `after`,
      `before`
    ) as _dbtc_image
  from row_kinds
),

changes as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    if(_dbtc_image is null, `after`.`id`, coalesce(_dbtc_image.`id`, `after`.`id`)) as `id`,
    _dbtc_image.`name`,
    cast(null as boolean) as _dbtc_arrived
  from images
  where case
    when if(_dbtc_image is null, `after`.`id`, coalesce(_dbtc_image.`id`, `after`.`id`)) is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: name columns that are never NULL; if it is a delete whose images lack the key, select \'id\' beside them.'))
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
  `_batch_id`
)
with hashed_changes as (
  select * from analytics.customers__changes
),

ordered_changes as (
  select
    *,
    lead(struct(_sequence, _row_kind, _image_hash)) over (
      partition by `id`
      order by _sequence, _row_kind <> 'UPDATE_BEFORE', _image_hash
    ) as _dbtc_following
  from hashed_changes
),

winners as (
  select * except (_dbtc_following)
  from ordered_changes
  where _dbtc_following is null
    or _dbtc_following._sequence <> _sequence
    or (_row_kind = 'UPDATE_BEFORE' and _dbtc_following._row_kind <> 'UPDATE_BEFORE')
    or if(
      _dbtc_following._sequence = _sequence and _dbtc_following._image_hash <> _image_hash
        and _row_kind <> 'UPDATE_BEFORE',
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: leave them out of the images.')),
      false
    )
),

stored_rows as (
  select
    `id`, `name`,
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
    `id`, `name`,
    _row_kind,
    _sequence,
    _ordinal,
    _image_hash,
    _row_kind <> 'UPDATE_BEFORE' as _dbtc_rank_1
  from winners
  union all
  select
    true,
    `id`, `name`,
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
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: leave them out of the images.')),
      (
        _sequence > _dbtc_stored._sequence
        or _sequence = _dbtc_stored._sequence
          and struct(_dbtc_rank_1)
            > struct(_dbtc_stored._dbtc_rank_1)
      )
    )
),

emitted as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    `id`,
    `name`,
    cast(2 as bigint) as _batch_id
  from fresh_changes
  where not _dbtc_is_stored
)

select *
from emitted;

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
      `name`
    )) as _dbtc_last,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _dbtc_rival
  from hashed_changes
  group by `id`
),

state_rows as (
  select
    `id`,
    if(_dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_last.`name`, null) as `name`,
    _dbtc_last._sequence,
    _dbtc_last._row_kind,
    _dbtc_last._image_hash,
    cast(2 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from last_changes
  where if(_dbtc_last._image_hash <> ~_dbtc_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_dbtc_last.`id`, _dbtc_last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: leave them out of the images.')), true)
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
    raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(change.`id`, change._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: leave them out of the images.')),
    (
      change._sequence > state._sequence
      or change._sequence = state._sequence
        and struct(change._row_kind <> 'UPDATE_BEFORE')
          > struct(state._row_kind <> 'UPDATE_BEFORE')
    )
  )
then update set
  `name` = change.`name`,
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
  `_sequence`,
  `_row_kind`,
  `_image_hash`,
  `_batch_id`,
  `_changed_at`,
  `_was_live`
) values (
  change.`id`,
  change.`name`,
  change.`_sequence`,
  change.`_row_kind`,
  change.`_image_hash`,
  change.`_batch_id`,
  change.`_changed_at`,
  change.`_was_live`
);

-- count rows
select
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and not _was_live) as rows_inserted,
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and _was_live) as rows_updated,
  count(*) filter (where not _row_kind in ('INSERT', 'UPDATE_AFTER') and _was_live) as rows_deleted,
  count(*) as written
from analytics.customers__state
where _batch_id = 2;

-- commit batch
alter table analytics.customers__state set tblproperties (
  -- log: {"absent": [], "batch": {"id": 2, "position": {}}, "plan": {"after": "after", "before": "before", "changelog": true, "function": "from_changelog", "kernel": "last_write_wins", "op_mapping": {"c": "INSERT", "d": "DELETE", "r": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER"}, "sequence_by": ["`lsn`"], "uid": "model.shop.customers", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '2',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a20226166746572222c20226265666f7265223a20226265666f7265222c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226c6173745f77726974655f77696e73222c20226f705f6d617070696e67223a207b2263223a2022494e53455254222c202264223a202244454c455445222c202272223a2022494e53455254222c202275223a20225550444154455f4245464f52452c205550444154455f4146544552227d2c202273657175656e63655f6279223a205b22606c736e60225d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
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
  cast(null as bigint) as truncates,
  cast(null as bigint) as values_unknown,
  cast(null as bigint) as tombstones_forgotten,
  cast(null as bigint) as rows_hidden,
  cast(null as bigint) as events_ignored,
  cast(null as bigint) as events_dropped,
  cast(null as bigint) as events_waiting;
