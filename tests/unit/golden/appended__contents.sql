with appended_rows as (
  select *
  from analytics.customers__state
  where _batch_id > 0
),

kept_rows as (
  select kept.*
  from analytics.customers__state as kept
  left semi join appended_rows as appended
    on kept.`id` = appended.`id`
    and appended._sequence <= (
      select max(_sequence) from analytics.customers__state where _batch_id <= 0
    )
  where kept._batch_id <= 0
),

current_rows as (
  select stored.*
  from analytics.customers__state as stored
  left anti join appended_rows as newer
    on stored.`id` = newer.`id`
    and struct(
      newer._sequence,
      newer._image_hash is null,
      newer._row_kind <> 'UPDATE_BEFORE',
      newer._image_hash,
      -newer._batch_id,
      newer._changed_at
    ) > struct(
      stored._sequence,
      stored._image_hash is null,
      stored._row_kind <> 'UPDATE_BEFORE',
      stored._image_hash,
      -stored._batch_id,
      stored._changed_at
    )
  where stored._batch_id <= 0
  union all
  select stored.*
  from appended_rows as stored
  left anti join appended_rows as newer
    on stored.`id` = newer.`id`
    and struct(
      newer._sequence,
      newer._image_hash is null,
      newer._row_kind <> 'UPDATE_BEFORE',
      newer._image_hash,
      -newer._batch_id,
      newer._changed_at
    ) > struct(
      stored._sequence,
      stored._image_hash is null,
      stored._row_kind <> 'UPDATE_BEFORE',
      stored._image_hash,
      -stored._batch_id,
      stored._changed_at
    )
  left anti join kept_rows as kept
    on stored.`id` = kept.`id`
    and struct(
      kept._sequence,
      kept._image_hash is null,
      kept._row_kind <> 'UPDATE_BEFORE',
      kept._image_hash,
      -kept._batch_id,
      kept._changed_at
    ) > struct(
      stored._sequence,
      stored._image_hash is null,
      stored._row_kind <> 'UPDATE_BEFORE',
      stored._image_hash,
      -stored._batch_id,
      stored._changed_at
    )
)

select
  `id`,
  `name`,
  `lsn`
from current_rows
where _row_kind in ('INSERT', 'UPDATE_AFTER')
