-- write state
merge into analytics.customers__state as state
using (
with changes as (
  select * from analytics.customers__changes
),

weights as (
  select
    `id`,
    `name`,
    sum(if(_row_kind in ('INSERT', 'UPDATE_AFTER'), 1, -1)) as _weight
  from changes
  group by
    `id`,
    `name`
)

select
  `id`,
  `name`,
  _weight,
  cast(0 as bigint) as _weight_before,
  xxhash64(`id`, `name`) as _image_hash,
  cast(2 as bigint) as _batch_id,
  current_timestamp() as _changed_at
from weights
where _weight <> 0
) as batch
on state._image_hash = batch._image_hash
  and state.`id` <=> batch.`id`
  and state.`name` <=> batch.`name`
when matched
  and if(
    state._batch_id = batch._batch_id,
    raise_error(concat('The state of from_changelog model \'customers\' has rows of a batch that was not committed, ', batch._batch_id, ': another run works on it, or its staged changes were lost.\nTo fix: let the other run end and run again; if there is none, run with --full-refresh if the source still has all events.')),
    true
  )
then update set
  _weight = state._weight + batch._weight,
  _weight_before = state._weight,
  _batch_id = batch._batch_id,
  _changed_at = batch._changed_at
when not matched then insert (
  `id`, `name`, `_weight`, `_weight_before`, `_image_hash`, `_batch_id`, `_changed_at`
) values (
  batch.`id`, batch.`name`, batch.`_weight`, batch.`_weight_before`, batch.`_image_hash`, batch.`_batch_id`, batch.`_changed_at`
);
