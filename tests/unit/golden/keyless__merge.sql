-- stage changes
create or replace table analytics.customers__changes
using delta
tblproperties (
  -- batch: {"id": 2, "position": {"bronze.customers": {"column": "lsn", "type": "bigint", "value": "20"}}}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b2262726f6e7a652e637573746f6d657273223a207b22636f6c756d6e223a20226c736e222c202274797065223a2022626967696e74222c202276616c7565223a20223230227d7d7d2c202263726561746573223a2066616c73652c2022696e766f636174696f6e5f6964223a20227468652d696e766f636174696f6e222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273227d',
  'dbt_changelog.log.chunks' = '1'
)
as
with events as (

select * from bronze.customers

)

select
  case
    when `op` in ('DELETE') then 'DELETE'
    when `op` in ('INSERT') then 'INSERT'
    when `op` in ('UPDATE_AFTER') then 'UPDATE_AFTER'
    when `op` in ('UPDATE_BEFORE') then 'UPDATE_BEFORE'
  end as _row_kind,
  cast(null as bigint) as _sequence,
  if(`op` in ('UPDATE_AFTER'), 1, 0) as _ordinal,
  `id`,
  cast(`name` as string) as `name`,
  `tags`,
  `extra`
from events tablesample (100 percent)  -- all of them; their JSON is parsed once so
where case
  when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`, `name`, `tags`, `extra`)), '.\nTo fix: filter such rows out in the query, or use a column that is never NULL.'))
  when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\'.'))
  else true
end;

-- write state
merge into analytics.customers__state as state
using (
with changes as (
  select * from analytics.customers__changes
),

weights as (
  select
    any_value(`extra`) as `extra`,
    `id`,
    `name`,
    any_value(`tags`) as `tags`,
    sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
  from changes
  group by
    to_json(`extra`),
    `id`,
    `name`,
    array_sort(map_entries(`tags`))
)

select
  `id`,
  `name`,
  `tags`,
  `extra`,
  _weight,
  xxhash64(to_json(`extra`), `id`, `name`, array_sort(map_entries(`tags`))) as _image_hash,
  cast(2 as bigint) as _batch_id,
  current_timestamp() as _changed_at
from weights
where _weight <> 0
) as batch
on state._image_hash = batch._image_hash
  and to_json(state.`extra`) <=> to_json(batch.`extra`)
  and state.`id` <=> batch.`id`
  and state.`name` <=> batch.`name`
  and array_sort(map_entries(state.`tags`)) <=> array_sort(map_entries(batch.`tags`))
when matched
  and if(
    state._batch_id = batch._batch_id,
    raise_error(concat('The state of from_changelog model \'customers\' has rows of a batch that was not committed, ', batch._batch_id, ': another run works on it, or its staged changes were lost.\nTo fix: let the other run end and run again; if there is none, run with --full-refresh.')),
    true
  )
then update set
  _weight = state._weight + batch._weight,
  _batch_id = batch._batch_id,
  _changed_at = batch._changed_at
when not matched then insert (
  `id`, `name`, `tags`, `extra`, `_weight`, `_image_hash`, `_batch_id`, `_changed_at`
) values (
  batch.`id`, batch.`name`, batch.`tags`, batch.`extra`, batch.`_weight`, batch.`_image_hash`, batch.`_batch_id`, batch.`_changed_at`
);
