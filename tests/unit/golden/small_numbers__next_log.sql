-- stage changes
create or replace table analytics.customers_log__changes
using iceberg
tblproperties (
  -- batch: {"id": 2, "position": {}}
  'dbt_changelog.log.0' = '7b226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c202263726561746573223a2066616c73652c2022696e766f636174696f6e5f6964223a20227468652d696e766f636174696f6e222c2022756964223a20226d6f64656c2e73686f702e637573746f6d6572735f6c6f67227d',
  'dbt_changelog.log.chunks' = '1'
)
as
with new_rows as (
select
  `id`,
  `name`,
  cast(`size` as int) as `size`
from (

select * from analytics.customers

) as query
),

old_rows as (
  select
    `id`,
    `name`,
    `size`
  from (
    select
      `id`,
      `name`,
      `size`
    from analytics.customers_log__state
    where _row_kind in ('INSERT', 'UPDATE_AFTER')
  ) as contents
)

select
  _row_kind,
  cast(2 as bigint) as _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  _row.*
from (
  select
    _row_kind,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _new.row, _old.row) as _row
  from (
    select
      _old,
      _new,
      explode(case
        when case
          when `id` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': it is NULL in a row of key ', to_json(struct(`id`)), '.\nTo fix: name columns that are never NULL, or leave unique_key out: then rows are counted.'))
          when _is_second then raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': two rows of one table have the key ', to_json(struct(`id`)), '.\nTo fix: add the columns that tell them apart, or leave unique_key out.'))
          else false
        end then null
        when _old.row is null then array('INSERT')
        when _new.row is null then array('DELETE')
        when not _old.row <=> _new.row
          then array('UPDATE_BEFORE', 'UPDATE_AFTER')
      end) as _row_kind
    from (
      select
        `id`,
        _before_is_second or _after_is_second as _is_second,
        struct(_before as row) as _old,
        struct(_after as row) as _new
      from (
        select *
        from (
          select
            `id`,
            struct(*) as _before,
            lag(true) over (partition by `id` order by `id`) as _before_is_second
          from old_rows
        ) as before_rows
        full outer join (
          select
            `id`,
            struct(*) as _after,
            lag(true) over (partition by `id` order by `id`) as _after_is_second
          from new_rows
        ) as after_rows using (`id`)
      ) as pairs
    ) as pairs
  ) as differences
) as changed_rows;

-- append changelog
insert into analytics.customers_log (
  `op`, `id`, `name`, `size`, `_batch_id`, `_position`
)
select
  case _row_kind
    when 'DELETE' then 'DELETE'
    when 'INSERT' then 'INSERT'
    when 'UPDATE_AFTER' then 'UPDATE_AFTER'
    when 'UPDATE_BEFORE' then 'UPDATE_BEFORE'
  end as `op`,
  _row.*,
  cast(2 as bigint) as _batch_id,
  row_number() over (
    partition by `id`
    order by _sequence, _ordinal
  ) as _position
from (
  select
    *,
    _image.row as _row
  from (
    select
      `_row_kind`, `_sequence`, `_ordinal`, `id`,
      struct(_row as row) as _image
    from (
      select
        `_row_kind`, `_sequence`, `_ordinal`, `id`,
        struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _row
      from analytics.customers_log__changes
      where case
        when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog model \'customers_log\': _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
        when `id` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog model \'customers_log\': it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: name columns that are never NULL; or leave such rows out in the query, and the events do not have them.'))
        else _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
      end
    ) as checked_changes
  ) as changes
) as rows;

-- write state
merge into analytics.customers_log__state as state
using (
with changes as (
  select * from analytics.customers_log__changes
),

last_changes as (
  select
    `id`,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE' as _place_1, _image_hash, _row_kind, `id`, `name`, `size`)) as _last,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _rival
  from (
    select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`name`), `name`, isnull(`size`), `size`), 0) as _image_hash
    from changes
  ) as hashed_changes
  group by `id`
),

rows_or_tombstones as (
  select
    *,
    if(_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _last, null) as _row
  from last_changes
  where if(_last._image_hash <> ~_rival._hash, raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': two different changes of one key have one sequence, ', to_json(struct(_last.`id`, _last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')), true)
)

select
  `id`,
  _row.`name`,
  _row.`size`,
  _last._sequence,
  _last._row_kind,
  _last._image_hash,
  cast(2 as bigint) as _batch_id,
  false as _was_live,
  current_timestamp() as _changed_at
from rows_or_tombstones
) as batch
on state.`id` = batch.`id`
when matched
  and if(
    batch._sequence = state._sequence and batch._image_hash <> state._image_hash
      and batch._row_kind <> 'UPDATE_BEFORE' and state._row_kind <> 'UPDATE_BEFORE',
    raise_error(concat('Invalid \'sequence_by\' in to_changelog model \'customers_log\': two different changes of one key have one sequence, ', to_json(struct(batch.`id`, batch._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')),
    (batch._sequence > state._sequence
    or batch._sequence = state._sequence and struct(batch._row_kind <> 'UPDATE_BEFORE') > struct(state._row_kind <> 'UPDATE_BEFORE'))
  )
then update set
  `name` = batch.`name`,
  `size` = batch.`size`,
  `_sequence` = batch.`_sequence`,
  `_row_kind` = batch.`_row_kind`,
  `_image_hash` = batch.`_image_hash`,
  `_batch_id` = batch.`_batch_id`,
  `_was_live` = case
    when state._batch_id = batch._batch_id and state._was_live is not null then state._was_live
    when state._row_kind in ('INSERT', 'UPDATE_AFTER') and batch._row_kind in ('INSERT', 'UPDATE_AFTER')
      and state._image_hash = batch._image_hash then null
    else state._row_kind in ('INSERT', 'UPDATE_AFTER')
  end,
  `_changed_at` = batch.`_changed_at`
when not matched then insert (
  `id`, `name`, `size`, `_sequence`, `_row_kind`, `_image_hash`, `_batch_id`, `_was_live`, `_changed_at`
) values (
  batch.`id`, batch.`name`, batch.`size`, batch.`_sequence`, batch.`_row_kind`, batch.`_image_hash`, batch.`_batch_id`, batch.`_was_live`, batch.`_changed_at`
);
