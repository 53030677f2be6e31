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

select
  'INSERT' as _dbtc_op,
  cast('-9223372036854775808' as bigint) as _dbtc_sequence,
  `id`,
  `name`
from analytics.customers

),

changes as (
  select
    case
      when `_dbtc_op` in ('INSERT') then 'INSERT'
    end as _row_kind,
    `_dbtc_sequence` as _sequence,
    0 as _ordinal,
    `id`,
    `name`,
    cast(null as boolean) as _dbtc_arrived
  from events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where case
    when `_dbtc_op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`_dbtc_op`, `id`)), '.\nTo fix: leave null records out in the query (where _dbtc_op is not null); any other event needs its code.'))
    when `_dbtc_op` not in ('INSERT') then
      raise_error(concat('Unknown op code \'', `_dbtc_op`, '\' in column _dbtc_op of from_changelog model \'customers\'. Known codes: INSERT.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `_dbtc_sequence` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `_dbtc_sequence` is NULL in the event ', to_json(struct(`_dbtc_op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`_dbtc_op`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
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
create or replace table analytics.customers__changelog
using delta
tblproperties (
  'dbt_changelog.born' = 'run-1',
  'dbt_changelog.uid' = 'model.shop.customers'
)
as
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

emitted as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    `id`,
    `name`,
    cast(1 as bigint) as _batch_id
  from winners
)

select
  `_row_kind`,
  `_sequence`,
  `_ordinal`,
  `id`,
  cast(`name` as string) as `name`,
  `_batch_id`
from emitted;

-- write state
create or replace table analytics.customers__state
using delta
options ('maxRecordsPerFile' = '500000')  -- a batch in a part of the keys rewrites few files
tblproperties (
  -- log: {"absent": [], "adopted": 1, "batch": {"id": 1, "position": {}}, "plan": {"after": "after", "before": "before", "changelog": true, "function": "from_changelog", "kernel": "last_write_wins", "op_mapping": {"c": "INSERT", "d": "DELETE", "r": "INSERT", "u": "UPDATE_BEFORE, UPDATE_AFTER"}, "sequence_by": ["`lsn`"], "uid": "model.shop.customers", "unique_key": ["id"], "version": 2}, "since": 2, "uncompared": []}
  'dbt_changelog.batch' = '1',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c202261646f70746564223a20312c20226261746368223a207b226964223a20312c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a20226166746572222c20226265666f7265223a20226265666f7265222c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20226c6173745f77726974655f77696e73222c20226f705f6d617070696e67223a207b2263223a2022494e53455254222c202264223a202244454c455445222c202272223a2022494e53455254222c202275223a20225550444154455f4245464f52452c205550444154455f4146544552227d2c202273657175656e63655f6279223a205b22606c736e60225d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20322c2022756e636f6d7061726564223a205b5d7d',
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
    cast(1 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from last_changes
  where if(_dbtc_last._image_hash <> ~_dbtc_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_dbtc_last.`id`, _dbtc_last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: leave them out of the images.')), true)
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
where _batch_id = 1;

-- rename table aside
alter table analytics.customers rename to analytics.customers__before_changelog;

-- contents view
create or replace view analytics.customers
as
select
  `id`,
  `name`
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
  cast(null as bigint) as truncates,
  cast(null as bigint) as values_unknown,
  cast(null as bigint) as tombstones_forgotten,
  cast(null as bigint) as rows_hidden,
  cast(null as bigint) as events_ignored,
  cast(null as bigint) as events_dropped,
  cast(null as bigint) as events_waiting;
