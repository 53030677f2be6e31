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
    when `op` in ('d') then 'DELETE'
    when `op` in ('c') then 'INSERT'
    when `op` in ('u') then 'UPDATE_AFTER'
  end as _row_kind,
  `lsn` as _sequence,
  if(`op` in ('u'), 1, 0) as _ordinal,
  `id`,
  `name`,
  `lsn`,
  cast(null as boolean) as _arrived
from events tablesample (100 percent)  -- all of them; their JSON is parsed once so
where case
  when `op` is null then raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
  when `op` not in ('c', 'd', 'u') then raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: select what came after it, and run with --full-refresh.'))
  when `lsn` is null then raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
  when `id` is null then raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or mend the query that lost the key.'))
  else true
end;

-- append changelog
insert into analytics.customers__changelog (`_row_kind`, `_sequence`, `_ordinal`, `id`, `name`, `lsn`, `_batch_id`)
select
  _row_kind,
  _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  `id`,
  `name`,
  `lsn`,
  cast(2 as bigint) as _batch_id
from (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    * except (_row_kind, _sequence)
  from (
    select
      * except (_row_kind, _sequence, _ordinal, _image_hash, _own_kind, _next_kind, _next_sequence,
                _part, _is_stored),
      if(_part = 0, _own_kind, _next_kind) as _row_kind,
      if(_part = 0, _sequence, _next_sequence) as _sequence
    from (
      select *, explode(array(0, 1)) as _part
      from (
        select
          * except (_is_live),
          case
            when _is_stored or not _is_live then null
            when not coalesce(lag(_is_live) over (partition by `id` order by _sequence, not _is_stored), false) then 'INSERT'
            else 'UPDATE_AFTER'
          end as _own_kind,
          case
            when not _is_live then null
            when not lead(_is_live) over (partition by `id` order by _sequence, not _is_stored) then 'DELETE'
          end as _next_kind,
          lead(_sequence) over (partition by `id` order by _sequence, not _is_stored) as _next_sequence
        from (
          select *, _row_kind in ('INSERT', 'UPDATE_AFTER') as _is_live
          from (
            select * except (_stored)
            from (
              select
                *,
                max(if(_is_stored, struct(struct(_sequence) as _place, _row_kind,
                    _image_hash
                  ), null)) over (
                  partition by `id`
                ) as _stored
              from (
                select `id`, `name`, `lsn`, _row_kind, _sequence, _ordinal, _image_hash,
                  false as _is_stored
                from (
                  select * except (_following_sequence, _following_image_hash)
                  from (
                    select
                      *,
                      lead(_sequence) over (partition by `id` order by _sequence, _image_hash) as _following_sequence,
                      lead(_image_hash) over (partition by `id` order by _sequence, _image_hash) as _following_image_hash
                    from (
                      select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`lsn`), `lsn`, isnull(`name`), `name`), 0) as _image_hash
                      from (
                        select * from analytics.customers__changes
                      ) as changes
                    ) as hashed_changes
                  ) as ordered_changes
                  where _following_sequence is null
                    or (_following_sequence <> _sequence and _row_kind <> 'UPDATE_BEFORE')
                    or if(
                      _following_sequence = _sequence and _following_image_hash <> _image_hash
                        and _row_kind <> 'UPDATE_BEFORE',
                      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
                      false
                    )
                ) as winners
                union all
                select `id`, `name`, `lsn`, if(_changed_at + interval '1 hour' <= current_timestamp(), 'DELETE', _row_kind) as _row_kind, _sequence,
                  0 as _ordinal, _image_hash as _image_hash, true as _is_stored
                from analytics.customers__state as state
                left semi join analytics.customers__changes as batch
                  on state.`id` = batch.`id`
              ) as changes_and_state
            ) as placed_changes
            where _is_stored or _stored is null or if(
              _sequence = _stored._place._sequence and _image_hash <> _stored._image_hash and _row_kind <> 'UPDATE_BEFORE' and _stored._row_kind <> 'UPDATE_BEFORE',
              raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
              struct(_sequence) > _stored._place
            )
          ) as winning_changes
        ) as live_changes
      ) as neighbours
    ) as parts
  ) as emitted_changes
  where _row_kind is not null
) as emitted;

-- write state
merge into analytics.customers__state as state
using (
with changes as (
  select * from analytics.customers__changes
),

last_changes as (
  select
    `id`,
    max(struct(_sequence, _image_hash, _row_kind, `id`, `name`, `lsn`)) as _last,
    max(struct(_sequence, ~_image_hash as _hash)) as _rival
  from (
    select *, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(isnull(`lsn`), `lsn`, isnull(`name`), `name`), 0) as _image_hash
    from changes
  ) as hashed_changes
  group by `id`
),

rows_or_tombstones as (
  select
    *,
    if(_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _last, null) as _row
  from last_changes
  where if(_last._image_hash <> ~_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_last.`id`, _last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')), true)
)

select
  `id`,
  _row.`name`,
  _row.`lsn`,
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
    batch._sequence = state._sequence and batch._image_hash <> state._image_hash,
    raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(batch.`id`, batch._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
    batch._sequence > state._sequence
  )
then update set
  `name` = batch.`name`,
  `lsn` = batch.`lsn`,
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
  `id`, `name`, `lsn`, `_sequence`, `_row_kind`, `_image_hash`, `_batch_id`, `_was_live`, `_changed_at`
) values (
  batch.`id`, batch.`name`, batch.`lsn`, batch.`_sequence`, batch.`_row_kind`, batch.`_image_hash`, batch.`_batch_id`, batch.`_was_live`, batch.`_changed_at`
);
