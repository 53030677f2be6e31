-- stage changes
create or replace table analytics.customers__changes
using delta
tblproperties (
  -- log: {"batch": {"id": 16, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "160"}}}, "creates": false, "run": "run-16", "uid": "model.shop.customers"}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a2031362c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a2022313630227d7d7d2c202263726561746573223a2066616c73652c202272756e223a202272756e2d3136222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273227d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = 'run-16 16'
)
as
with events as (

select * from (
  /* dbt_changelog range {"relation": "bronze.customers", "from": {"column": "lsn", "type": "bigint", "value": "150"}, "to": {"column": "lsn", "type": "bigint", "value": "160"}} */
  select * from bronze.customers
  where ((`lsn` > cast('150' as bigint) and `lsn` <= cast('160' as bigint)) or `lsn` is null)
    and if(`lsn` is null, raise_error('Invalid \'read\' in from_changelog model \'customers\': lsn is NULL in a row of bronze.customers, which would be in no range.\nTo fix: read by a column that is never NULL, or from a view that gives such rows one.'), true)
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
    `_lsn` as _sequence,
    if(`op` in ('UPDATE_AFTER'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `tags`
  from events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `_lsn` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `_lsn` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
)

select *
from changes;

-- write state
merge into analytics.customers__state as state
using (
with changes as (
  select * from analytics.customers__changes
),

hashed_changes as (
  select /*+ repartition(`id`) */
    *,
    xxhash64(isnull(`name`), `name`, isnull(`tags`), xxhash64(array_size(map_keys(`tags`)), array_sort(transform(map_entries(`tags`), item -> xxhash64(isnull(item.key), item.key, isnull(item.value), item.value))))) as _dbtc_hash
  from changes
),

rival_changes as (
  select
    *,
    min(_dbtc_hash) over (partition by `id`, _sequence, _row_kind) as _dbtc_rival
  from hashed_changes
),

row_steps as (
  select
    `id`,
    `name`,
    any_value(`tags`) as `tags`,
    max(_sequence) as _sequence,
    any_value(_dbtc_hash) as _image_hash,
    sort_array(collect_list(struct(
      cast(16 as bigint) as _batch_id,
      _sequence,
      array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind) as _kind
    ))) as _dbtc_steps
  from rival_changes
  where if(
    _dbtc_hash <> _dbtc_rival and _row_kind in ('INSERT', 'UPDATE_AFTER'),
    raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')),
    true
  )
  group by
    `id`,
    `name`,
    array_sort(map_entries(`tags`))
),

stored_rows as (
  select *
  from analytics.customers__state as state
  left semi join row_steps as change
    on state.`id` = change.`id`
),

joined_rows as (
  select
    if(state._batch_id is null, change.`id`, state.`id`) as `id`,
    if(state._batch_id is null, change.`name`, state.`name`) as `name`,
    if(state._batch_id is null, change.`tags`, state.`tags`) as `tags`,
    greatest(state._sequence, change._sequence) as _sequence,
    coalesce(state._image_hash, change._image_hash) as _image_hash,
    state._places as _dbtc_stored,
    change._dbtc_steps
  from stored_rows as state
  full outer join row_steps as change
    on state.`id` = change.`id`
    and state._image_hash = change._image_hash
      and state.`name` <=> change.`name`
      and array_sort(map_entries(state.`tags`)) <=> array_sort(map_entries(change.`tags`))
),

listed_rows as (
  select
    `id`,
    `name`,
    `tags`,
    _sequence,
    _image_hash,
    _dbtc_steps,
    coalesce(_dbtc_stored, slice(_dbtc_steps, 1, 0)) as _places_before,
    if(
      _dbtc_steps is null,
      _dbtc_stored,
      aggregate(
        _dbtc_steps,
        coalesce(_dbtc_stored, slice(_dbtc_steps, 1, 0)),
        (places, step) -> if(
          step._kind > 2,
          concat(places, array(step)),
          slice(places, 2, size(places))
        )
      )
    ) as _places
  from joined_rows
),

state_rows as (
  select
    `id`,
    `name`,
    `tags`,
    _sequence,
    _places,
    _places_before,
    _image_hash,
    cast(16 as bigint) as _batch_id,
    current_timestamp() as _changed_at
  from listed_rows
  where _dbtc_steps is not null
    and (size(_places) > 0 or size(_places_before) > 0)
)

select
  `id`,
  cast(`name` as string) as `name`,
  `tags`,
  `_sequence`,
  `_places`,
  `_places_before`,
  `_image_hash`,
  `_batch_id`,
  `_changed_at`
from state_rows
) as change
on state.`id` = change.`id`
  and state._image_hash = change._image_hash
  and state.`name` <=> change.`name`
  and array_sort(map_entries(state.`tags`)) <=> array_sort(map_entries(change.`tags`))
when matched
  and if(
    state._batch_id = change._batch_id,
    raise_error(concat('The state of from_changelog model \'customers\' has rows of a batch that was not committed, ', change._batch_id, ': another run works on it, or its staged changes were lost.\nTo fix: let the other run end and run again; if there is none, run with --full-refresh if the source still has all events.')),
    true
  )
then update set
  `_sequence` = change.`_sequence`,
  `_places` = change.`_places`,
  `_places_before` = change.`_places_before`,
  `_batch_id` = change.`_batch_id`,
  `_changed_at` = change.`_changed_at`
when not matched then insert (
  `id`,
  `name`,
  `tags`,
  `_sequence`,
  `_places`,
  `_places_before`,
  `_image_hash`,
  `_batch_id`,
  `_changed_at`
) values (
  change.`id`,
  change.`name`,
  change.`tags`,
  change.`_sequence`,
  change.`_places`,
  change.`_places_before`,
  change.`_image_hash`,
  change.`_batch_id`,
  change.`_changed_at`
);

-- purge state
delete from analytics.customers__state
where size(_places) = 0
  and _batch_id < 16;

-- commit batch
alter table analytics.customers__state set tblproperties (
  -- log: {"absent": [], "batch": {"id": 16, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "160"}}}, "plan": {"after": null, "before": null, "changelog": false, "function": "from_changelog", "kernel": "upsert_materialize", "on_conflict": "DEDUPLICATE", "op_mapping": {"DELETE": "DELETE", "INSERT": "INSERT", "UPDATE_AFTER": "UPDATE_AFTER", "UPDATE_BEFORE": "UPDATE_BEFORE"}, "sequence_by": ["`_lsn`"], "uid": "model.shop.customers", "unique_key": ["id"], "version": 2}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '16',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a2031362c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a2022313630227d7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a2066616c73652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20227570736572745f6d6174657269616c697a65222c20226f6e5f636f6e666c696374223a202244454455504c4943415445222c20226f705f6d617070696e67223a207b2244454c455445223a202244454c455445222c2022494e53455254223a2022494e53455254222c20225550444154455f4146544552223a20225550444154455f4146544552222c20225550444154455f4245464f5245223a20225550444154455f4245464f5245227d2c202273657175656e63655f6279223a205b22605f6c736e60225d2c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20327d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
  'dbt_changelog.log.chunks' = '1',
  'dbt_changelog.run' = ''
);

-- count rows
with rows_and_before as (
  select
    *,
    if(_batch_id = 16, _places_before, _places) as _dbtc_before
  from analytics.customers__state
),

counted_keys as (
  select
    max(_batch_id = 16) as _dbtc_is_written,
    sum(size(_places)) as _dbtc_copies,
    max_by(_image_hash, try_element_at(_dbtc_before, -1)) as _dbtc_old,
    max_by(_image_hash, try_element_at(_places, -1)) as _dbtc_new
  from rows_and_before
  group by `id`
)

select
  count(*) filter (where _dbtc_old is null and _dbtc_new is not null) as rows_inserted,
  count(*) filter (where _dbtc_old <> _dbtc_new) as rows_updated,
  count(*) filter (where _dbtc_old is not null and _dbtc_new is null) as rows_deleted,
  coalesce(sum(greatest(_dbtc_copies - 1, 0)), 0) as rows_hidden,
  count(*) filter (where _dbtc_is_written) as written
from counted_keys;

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
  cast(16 as bigint) as batch_id,
  'run-16' as invocation_id,
  timestamp'2026-01-02T03:04:05+00:00' as started_at,
  current_timestamp() as committed_at,
  false as is_full_refresh,
  '{"bronze.customers": {"column": "lsn", "type": "bigint", "value": "150"}}' as from_position,
  '{"bronze.customers": {"column": "lsn", "type": "bigint", "value": "160"}}' as to_position,
  cast(0 as bigint) as rows_inserted,
  cast(0 as bigint) as rows_updated,
  cast(0 as bigint) as rows_deleted,
  cast(null as bigint) as events_late,
  cast(null as bigint) as events_duplicate,
  cast(null as bigint) as events_invalid,
  cast(null as bigint) as truncates,
  cast(null as bigint) as values_unknown,
  cast(null as bigint) as tombstones_forgotten,
  cast(0 as bigint) as rows_hidden,
  cast(null as bigint) as events_ignored,
  cast(null as bigint) as events_dropped,
  cast(null as bigint) as events_waiting;
