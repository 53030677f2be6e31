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
  *,
  cast(null as string) as `name`
from (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    if(_image is null, `after`.`id`, coalesce(_image.`id`, `after`.`id`)) as `id`,
    cast(null as boolean) as _arrived
  from (
    select
      *,
      if(
        _row_kind in ('INSERT', 'UPDATE_AFTER'),
        if(`after` is null, null, named_struct('id', `after`.`id`)),
        if(`before` is null, null, named_struct('id', `before`.`id`))
      ) as _image
    from (
      select
        *,
        `lsn` as _sequence,
        explode(case
          when `op` in ('d') then array('DELETE')
          when `op` in ('c', 'r') then array('INSERT')
          when `op` in ('u') then if(coalesce(`before`.`id` <> `after`.`id`, false), array('DELETE', 'INSERT'), array('UPDATE_BEFORE', 'UPDATE_AFTER'))
        end) as _row_kind
      from events tablesample (100 percent)  -- all of them; their JSON is parsed once so
      where case
        when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
        when `op` not in ('c', 'd', 'r', 'u') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, r, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: select what came after it, and run with --full-refresh.'))
        when `lsn` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
        when `op` in ('c', 'r', 'u')
          and `after` is null then raise_error(concat('Invalid \'after\' in from_changelog model \'customers\': the after image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: mend the query if it did not parse the image (from_json then gives NULL), or op_mapping if events of this code have no row after.'))
        when `op` in ('u')
          and `before` is null then raise_error(concat('Invalid \'before\' in from_changelog model \'customers\': the before image is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: map the code to UPDATE_AFTER alone; or set state_ttl=\'0\', and the previous row comes from the state; or let the source write the row before (Postgres: replica identity full).'))
        else true
      end
    ) as row_kinds
  ) as images
  where case
    when if(_image is null, `after`.`id`, coalesce(_image.`id`, `after`.`id`)) is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `before`, `after`)), '.\nTo fix: name columns that are never NULL; if it is a delete whose images lack the key, select \'id\' beside them.'))
    else true
  end
) as decoded;

-- append changelog
insert into analytics.customers__changelog (`_row_kind`, `_sequence`, `_ordinal`, `id`, `name`, `_batch_id`)
select
  _row_kind,
  _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  `id`,
  `name`,
  cast(2 as bigint) as _batch_id
from (
  select * except (_stored)
  from (
    select
      *,
      max(if(_is_stored, struct(struct(_sequence, _row_kind <> 'UPDATE_BEFORE') as _place, _row_kind,
          _read_hash as _image_hash, _batch_id
        ), null)) over (
        partition by `id`
      ) as _stored
    from (
      select `id`, `name`, _row_kind, _sequence, _ordinal, _image_hash,
        false as _is_stored, null as _read_hash, null as _batch_id
      from (
        select * except (_following_sequence, _following_row_kind, _following_image_hash)
        from (
          select
            *,
            lead(_sequence) over (partition by `id` order by _sequence, _row_kind <> 'UPDATE_BEFORE', _image_hash) as _following_sequence,
            lead(_row_kind) over (partition by `id` order by _sequence, _row_kind <> 'UPDATE_BEFORE', _image_hash) as _following_row_kind,
            lead(_image_hash) over (partition by `id` order by _sequence, _row_kind <> 'UPDATE_BEFORE', _image_hash) as _following_image_hash
          from (
            select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`name`), `name`), 0) as _image_hash
            from (
              select * from analytics.customers__changes
            ) as changes
          ) as hashed_changes
        ) as ordered_changes
        where _following_sequence is null
          or _following_sequence <> _sequence
          or (_row_kind = 'UPDATE_BEFORE' and _following_row_kind <> 'UPDATE_BEFORE')
          or if(
            _following_sequence = _sequence and _following_image_hash <> _image_hash
              and _row_kind <> 'UPDATE_BEFORE',
            raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: leave them out of the images.')),
            false
          )
      ) as winners
      union all
      select `id`, `name`, _row_kind, _sequence,
        0 as _ordinal, if(_batch_id < 2, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`name`), `name`), 0), _image_hash) as _image_hash, true as _is_stored, if(_batch_id < 2, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(cast(null as string)), cast(null as string)), 0), _image_hash) as _read_hash, _batch_id
      from analytics.customers__state as state
      left semi join analytics.customers__changes as batch
        on state.`id` = batch.`id`
    ) as changes_and_state
  ) as placed_changes
  where _is_stored or _stored is null or if(
    _sequence = _stored._place._sequence and _image_hash <> _stored._image_hash and _row_kind <> 'UPDATE_BEFORE' and _stored._row_kind <> 'UPDATE_BEFORE' and not (_stored._batch_id < 2 and _row_kind in ('INSERT', 'UPDATE_AFTER') and _stored._row_kind in ('INSERT', 'UPDATE_AFTER')),
    raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: leave them out of the images.')),
    struct(_sequence, _row_kind <> 'UPDATE_BEFORE') > _stored._place or (_sequence = _stored._place._sequence and _image_hash <> _stored._image_hash and _stored._batch_id < 2 and _row_kind in ('INSERT', 'UPDATE_AFTER') and _stored._row_kind in ('INSERT', 'UPDATE_AFTER'))
  )
) as emitted
where not _is_stored;

-- write state
merge into analytics.customers__state as state
using (
with changes as (
  select * from analytics.customers__changes
),

last_changes as (
  select
    `id`,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE' as _place_1, _image_hash, _row_kind, `id`, `name`)) as _last,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _rival
  from (
    select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`name`), `name`), 0) as _image_hash
    from changes
  ) as hashed_changes
  group by `id`
),

rows_or_tombstones as (
  select
    *,
    if(_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _last, null) as _row
  from last_changes
  where if(_last._image_hash <> ~_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_last.`id`, _last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: leave them out of the images.')), true)
)

select
  `id`,
  _row.`name`,
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
    batch._sequence = state._sequence and batch._image_hash <> if(state._batch_id < 2, if(state._row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(cast(null as string)), cast(null as string)), 0), state._image_hash) and not (state._batch_id < 2 and batch._row_kind in ('INSERT', 'UPDATE_AFTER') and state._row_kind in ('INSERT', 'UPDATE_AFTER'))
      and batch._row_kind <> 'UPDATE_BEFORE' and state._row_kind <> 'UPDATE_BEFORE',
    raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(batch.`id`, batch._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: leave them out of the images.')),
    (batch._sequence > state._sequence
    or batch._sequence = state._sequence and struct(batch._row_kind <> 'UPDATE_BEFORE') > struct(state._row_kind <> 'UPDATE_BEFORE')
    or batch._sequence = state._sequence and batch._image_hash <> if(state._batch_id < 2, if(state._row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(cast(null as string)), cast(null as string)), 0), state._image_hash) and state._batch_id < 2 and batch._row_kind in ('INSERT', 'UPDATE_AFTER') and state._row_kind in ('INSERT', 'UPDATE_AFTER'))
  )
then update set
  `name` = batch.`name`,
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
  `id`, `name`, `_sequence`, `_row_kind`, `_image_hash`, `_batch_id`, `_was_live`, `_changed_at`
) values (
  batch.`id`, batch.`name`, batch.`_sequence`, batch.`_row_kind`, batch.`_image_hash`, batch.`_batch_id`, batch.`_was_live`, batch.`_changed_at`
);
