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

changes as (
  select
    case
      when `op` in ('d') then 'DELETE'
      when `op` in ('c') then 'INSERT'
      when `op` in ('t') then 'TRUNCATE'
      when `op` in ('u') then 'UPDATE_AFTER'
    end as _row_kind,
    `lsn` as _sequence,
    if(`op` in ('u'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `lsn`,
    false as `is_deleted`,
    cast(null as boolean) as _dbtc_arrived
  from events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('c', 'd', 't', 'u') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: c, d, t, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `lsn` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null and `op` not in ('t') then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
),

sent_changes as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'TRUNCATE', null, `id`) as `id`,
    `name`,
    `lsn`,
    `is_deleted`,
    struct(
      _row_kind in ('INSERT', 'UPDATE_AFTER') and not (coalesce(`name` in ('?', base64(X'3f')), false)) as `name`
    ) as _dbtc_sent,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(
      isnull(`is_deleted`), `is_deleted`,
      isnull(`lsn`), `lsn`
    ), 0) as _image_hash,
    _dbtc_arrived
  from changes
)

select *
from sent_changes;

-- append changelog
insert into analytics.customers__changelog (
  `_row_kind`,
  `_sequence`,
  `_ordinal`,
  `id`,
  `name`,
  `lsn`,
  `is_deleted`,
  `since`,
  `valid_to`,
  `is_current`,
  `_batch_id`
)
with sent_changes as (
  select * from analytics.customers__changes
),

last_values as (
  select
    `id`, `_sequence`,
    max(_sequence) filter (
      where not _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _removed,
    max(struct(_sequence, _image_hash, `lsn`, `is_deleted`)) filter (
      where _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _dbtc_last,
    max(struct(_sequence, ~_image_hash as _hash)) filter (
      where _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _dbtc_rival,
    max(struct(_sequence, xxhash64(isnull(`name`), `name`) as _hash, `name` as _value)) filter (
      where _dbtc_sent.`name`
    ) as _dbtc_last_1,
    max(struct(_sequence, ~xxhash64(isnull(`name`), `name`) as _hash)) filter (
      where _dbtc_sent.`name`
    ) as _dbtc_rival_1
  from sent_changes
  group by `id`, `_sequence`
),

ended_values as (
  select *, _dbtc_last._sequence as _upserted
  from last_values
),

batch_rows as (
  select
    `id`,
    _dbtc_last_1._value as `name`,
    _dbtc_last.`lsn`,
    _dbtc_last.`is_deleted`,
    _dbtc_last._image_hash,
    _upserted,
    _removed,
    struct(_dbtc_last_1._sequence as `name`) as _sequences
  from ended_values as change
  where if(
      _dbtc_last._image_hash <> ~_dbtc_rival._hash
        and coalesce(_upserted > change._removed, true)
      or _dbtc_last_1._hash <> ~_dbtc_rival_1._hash
        and coalesce(_dbtc_last_1._sequence > change._removed, true),
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(`id`, _dbtc_last._sequence as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      true
    )
),

state_rows as (
  select
    change.`id` as `id`,
    if(change._sequences.`name` <= change._removed, null, change.`name`) as `name`,
    if(change._upserted <= change._removed, null, change.`lsn`) as `lsn`,
    if(change._upserted <= change._removed, null, change.`is_deleted`) as `is_deleted`,
    greatest(change._upserted, change._removed) as `_sequence`,
    if(
      change._upserted is null or change._upserted <= change._removed,
      if(change.`id` is null, 'TRUNCATE', 'DELETE'),
      'UPDATE_AFTER'
    ) as `_row_kind`,
    change._image_hash as `_image_hash`,
    change._upserted as `_upserted`,
    change._removed as `_removed`,
    struct(
      if(change._sequences.`name` <= change._removed, null, change._sequences.`name`) as `name`
    ) as `_sequences`,
    cast(2 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from batch_rows as change
  where if(
      change._removed = change._upserted
      or change._removed = change._sequences.`name`
        and coalesce(change.`name`) is not null,
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(change.`id`, change._upserted as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      true
    )
),

fresh_truncates as (
  select change._sequence
  from state_rows as change
  left anti join analytics.customers__state as state
    on state.`id` <=> change.`id` and state.`_sequence` <=> change.`_sequence`
  where change.`id` is null
),

reached_keys as (
  select `id`
  from state_rows
  union
  select `id`
  from analytics.customers__state
  where `id` is null
    or (select count(*) from fresh_truncates) > 0
),

known_points as (
  select *
  from analytics.customers__state as state
  left semi join reached_keys as change
    on state.`id` <=> change.`id`
),

joined_rows as (
  select
    case
      when change._row_kind is null
        then struct(
          state.`id`,
          state.`name`,
          state.`lsn`,
          state.`is_deleted`,
          state.`_sequence`,
          state.`_row_kind`,
          state.`_image_hash`,
          state.`_upserted`,
          state.`_removed`,
          state.`_sequences`,
          state.`_batch_id`,
          state.`_was_live`,
          state.`_changed_at`
        )
      when state._row_kind is null
        then struct(
          change.`id`,
          change.`name`,
          change.`lsn`,
          change.`is_deleted`,
          change.`_sequence`,
          change.`_row_kind`,
          change.`_image_hash`,
          change.`_upserted`,
          change.`_removed`,
          change.`_sequences`,
          change.`_batch_id`,
          change.`_was_live`,
          change.`_changed_at`
        )
      when if(
        greatest(state._removed, change._removed) = greatest(state._upserted, change._upserted)
          and coalesce(
            greatest(state._upserted, change._upserted)
              > if(state._image_hash is null, state._upserted, null),
            true
          )
        or change._upserted = state._upserted
          and change._image_hash <> state._image_hash
          and coalesce(change._upserted > greatest(state._removed, change._removed), true)
        or change._sequences.`name` = state._sequences.`name`
          and not (change.`name` <=> state.`name`)
          and coalesce(change._sequences.`name` > greatest(state._removed, change._removed), true)
        or greatest(state._removed, change._removed)
            = greatest(state._sequences.`name`, change._sequences.`name`)
          and coalesce(
            greatest(state._sequences.`name`, change._sequences.`name`)
              > if(state._image_hash is null, state._upserted, null),
            true
          )
          and coalesce(state.`name`, change.`name`) is not null,
        raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(change.`id`, greatest(state._upserted, change._upserted) as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
        true
      )
      and (
        coalesce(change._upserted > state._upserted, change._upserted is not null)
        or coalesce(change._removed > state._removed, change._removed is not null)
        or coalesce(change._sequences.`name` > state._sequences.`name`, change._sequences.`name` is not null)
        or state._sequences.`name` <= greatest(state._removed, change._removed)
      )
        then struct(
          state.`id` as `id`,
          if(
            greatest(state._sequences.`name`, change._sequences.`name`)
              <= greatest(state._removed, change._removed),
            null,
            if(
              coalesce(change._sequences.`name` > state._sequences.`name`, change._sequences.`name` is not null),
              change.`name`,
              state.`name`
            )
          ) as `name`,
          if(
            greatest(state._upserted, change._upserted) <= greatest(state._removed, change._removed),
            null,
            if(
              coalesce(change._upserted > state._upserted, change._upserted is not null),
              change.`lsn`,
              state.`lsn`
            )
          ) as `lsn`,
          if(
            greatest(state._upserted, change._upserted) <= greatest(state._removed, change._removed),
            null,
            if(
              coalesce(change._upserted > state._upserted, change._upserted is not null),
              change.`is_deleted`,
              state.`is_deleted`
            )
          ) as `is_deleted`,
          state.`_sequence` as `_sequence`,
          if(
            greatest(state._upserted, change._upserted) is null
              or greatest(state._upserted, change._upserted) <= greatest(state._removed, change._removed),
            if(change.`id` is null, 'TRUNCATE', 'DELETE'),
            'UPDATE_AFTER'
          ) as `_row_kind`,
          if(
            coalesce(change._upserted > state._upserted, change._upserted is not null),
            change._image_hash,
            state._image_hash
          ) as `_image_hash`,
          greatest(state._upserted, change._upserted) as `_upserted`,
          greatest(state._removed, change._removed) as `_removed`,
          struct(
            if(
              greatest(state._sequences.`name`, change._sequences.`name`)
                <= greatest(state._removed, change._removed),
              null,
              greatest(state._sequences.`name`, change._sequences.`name`)
            ) as `name`
          ) as `_sequences`,
          change._batch_id as `_batch_id`,
          if(
            state._batch_id = change._batch_id and state._was_live is not null,
            state._was_live,
            state._row_kind in ('INSERT', 'UPDATE_AFTER')
          ) as `_was_live`,
          if(
            exists(
              array(greatest(state._upserted, change._upserted, state._removed, change._removed)),
              newest -> newest > state._sequence
            ),
            change._changed_at,
            state._changed_at
          ) as `_changed_at`
        )
      else struct(
          state.`id`,
          state.`name`,
          state.`lsn`,
          state.`is_deleted`,
          state.`_sequence`,
          state.`_row_kind`,
          state.`_image_hash`,
          state.`_upserted`,
          state.`_removed`,
          state.`_sequences`,
          state.`_batch_id`,
          state.`_was_live`,
          state.`_changed_at`
        )
    end as _dbtc_row
  from known_points as state
  full outer join state_rows as change
    on state.`id` <=> change.`id` and state.`_sequence` <=> change.`_sequence`
),

merged_rows as (
  select _dbtc_row.*
  from joined_rows
),

old_points as (
  select
    *,
    _row_kind in ('INSERT', 'UPDATE_AFTER')
      and coalesce(_sequence > max(if(
        _image_hash is null and _upserted is not null,
        _sequence,
        null
      )) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and unbounded following
    ), true) as _dbtc_sets
  from known_points
  where `id` is not null
),

old_truncates as (
  select collect_set(_sequence) as _dbtc_truncates
  from known_points
  where `id` is null
),

old_followed_points as (
  select
    *,
    lead(_sequence) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_next
  from old_points
),

old_reached_points as (
  select
    * except (_dbtc_truncates, _dbtc_next),
    array_min(filter(
      _dbtc_truncates,
      item -> item >= _sequence and coalesce(item < _dbtc_next, true)
    )) as _dbtc_end,
    array_max(_dbtc_truncates) as _dbtc_last_truncate
  from old_followed_points
  cross join old_truncates
),

old_ended_points as (
  select
    * except (_sequence, _dbtc_sets, _dbtc_end, _dbtc_point),
    _dbtc_point.*
  from old_reached_points
  lateral view explode(case
    when _dbtc_end > _sequence then array(
      struct(_sequence, _dbtc_sets, _dbtc_sets as _dbtc_is_live),
      struct(_dbtc_end as _sequence, false as _dbtc_sets, false as _dbtc_is_live)
    )
    else array(struct(_sequence, _dbtc_sets, _dbtc_sets and _dbtc_end is null as _dbtc_is_live))
  end) ends as _dbtc_point
),

old_sent_points as (
  select
    *,
    max(if(_dbtc_is_live, null, _sequence)) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and 1 preceding
    ) as _dbtc_ended,
    last_value(if(
      _dbtc_sets and _sequences.`name` is not null,
      struct(_sequence, `name` as _value),
      null
    ), true) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and current row
    ) as _dbtc_sent_1
  from old_ended_points
),

old_filled_points as (
  select
    * except (
      _dbtc_ended,
      `name`, _dbtc_sent_1
    ),
    if(
      coalesce(_dbtc_sent_1._sequence > _dbtc_ended, true),
      _dbtc_sent_1._value,
      null
    ) as `name`
  from old_sent_points
),

old_last_points as (
  select
    * except (`name`, `lsn`, `is_deleted`, _dbtc_is_live),
    not _dbtc_is_live as `is_deleted`,
    last_value(if(
      _dbtc_sets,
      struct(
        `_sequence`,
        `name`,
        `lsn`
      ),
      null
    ), true) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and current row
    ) as _dbtc_row
  from old_filled_points
),

old_kept_points as (
  select
    * except (_dbtc_row),
    _dbtc_row.`name`,
    _dbtc_row.`lsn`,
    _dbtc_row is not null as _dbtc_is_live
  from old_last_points
),

old_steps as (
  select
    *,
    _dbtc_is_live as _dbtc_shows,
    coalesce(lag(_dbtc_is_live) over (
      partition by `id`
      order by _sequence
    ), false) <> _dbtc_is_live
    or _dbtc_is_live and not lag(struct(`is_deleted`, `lsn`, `name`)) over (
      partition by `id`
      order by _sequence
    ) <=> struct(`is_deleted`, `lsn`, `name`) as _dbtc_starts
  from old_kept_points
),

old_spans as (
  select
    *,
    max(if(_dbtc_starts, _sequence, null)) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_from,
    lead(_sequence) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_to,
    lead(_dbtc_starts) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_ends,
    greatest(_dbtc_last_truncate, max(_sequence) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and unbounded following
    )) as _dbtc_last
  from old_steps
),

old_versions as (
  select
    `id`,
    `name`,
    `lsn`,
    `is_deleted`,
    _dbtc_from as `since`,
    _dbtc_to as `valid_to`,
    _dbtc_to is null as `is_current`,
    _dbtc_last
  from old_spans
  where _dbtc_shows and coalesce(_dbtc_ends, true)
),

new_points as (
  select
    *,
    _row_kind in ('INSERT', 'UPDATE_AFTER')
      and coalesce(_sequence > max(if(
        _image_hash is null and _upserted is not null,
        _sequence,
        null
      )) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and unbounded following
    ), true) as _dbtc_sets
  from merged_rows
  where `id` is not null
),

new_truncates as (
  select collect_set(_sequence) as _dbtc_truncates
  from merged_rows
  where `id` is null
),

new_followed_points as (
  select
    *,
    lead(_sequence) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_next
  from new_points
),

new_reached_points as (
  select
    * except (_dbtc_truncates, _dbtc_next),
    array_min(filter(
      _dbtc_truncates,
      item -> item >= _sequence and coalesce(item < _dbtc_next, true)
    )) as _dbtc_end,
    array_max(_dbtc_truncates) as _dbtc_last_truncate
  from new_followed_points
  cross join new_truncates
),

new_ended_points as (
  select
    * except (_sequence, _dbtc_sets, _dbtc_end, _dbtc_point),
    _dbtc_point.*
  from new_reached_points
  lateral view explode(case
    when _dbtc_end > _sequence then array(
      struct(_sequence, _dbtc_sets, _dbtc_sets as _dbtc_is_live),
      struct(_dbtc_end as _sequence, false as _dbtc_sets, false as _dbtc_is_live)
    )
    else array(struct(_sequence, _dbtc_sets, _dbtc_sets and _dbtc_end is null as _dbtc_is_live))
  end) ends as _dbtc_point
),

new_sent_points as (
  select
    *,
    max(if(_dbtc_is_live, null, _sequence)) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and 1 preceding
    ) as _dbtc_ended,
    last_value(if(
      _dbtc_sets and _sequences.`name` is not null,
      struct(_sequence, `name` as _value),
      null
    ), true) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and current row
    ) as _dbtc_sent_1
  from new_ended_points
),

new_filled_points as (
  select
    * except (
      _dbtc_ended,
      `name`, _dbtc_sent_1
    ),
    if(
      coalesce(_dbtc_sent_1._sequence > _dbtc_ended, true),
      _dbtc_sent_1._value,
      null
    ) as `name`
  from new_sent_points
),

new_last_points as (
  select
    * except (`name`, `lsn`, `is_deleted`, _dbtc_is_live),
    not _dbtc_is_live as `is_deleted`,
    last_value(if(
      _dbtc_sets,
      struct(
        `_sequence`,
        `name`,
        `lsn`
      ),
      null
    ), true) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and current row
    ) as _dbtc_row
  from new_filled_points
),

new_kept_points as (
  select
    * except (_dbtc_row),
    _dbtc_row.`name`,
    _dbtc_row.`lsn`,
    _dbtc_row is not null as _dbtc_is_live
  from new_last_points
),

new_steps as (
  select
    *,
    _dbtc_is_live as _dbtc_shows,
    coalesce(lag(_dbtc_is_live) over (
      partition by `id`
      order by _sequence
    ), false) <> _dbtc_is_live
    or _dbtc_is_live and not lag(struct(`is_deleted`, `lsn`, `name`)) over (
      partition by `id`
      order by _sequence
    ) <=> struct(`is_deleted`, `lsn`, `name`) as _dbtc_starts
  from new_kept_points
),

new_spans as (
  select
    *,
    max(if(_dbtc_starts, _sequence, null)) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_from,
    lead(_sequence) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_to,
    lead(_dbtc_starts) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_ends,
    greatest(_dbtc_last_truncate, max(_sequence) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and unbounded following
    )) as _dbtc_last
  from new_steps
),

new_versions as (
  select
    `id`,
    `name`,
    `lsn`,
    `is_deleted`,
    _dbtc_from as `since`,
    _dbtc_to as `valid_to`,
    _dbtc_to is null as `is_current`,
    _dbtc_last
  from new_spans
  where _dbtc_shows and coalesce(_dbtc_ends, true)
),

new_rows as (
  select
    `id`, `since`,
    _dbtc_last as _dbtc_new_last,
    struct(
      `id`,
      `name`,
      `lsn`,
      `is_deleted`,
      `since`,
      `valid_to`,
      `is_current`
    ) as _dbtc_new
  from new_versions
),

old_rows as (
  select
    `id`, `since`,
    _dbtc_last as _dbtc_old_last,
    struct(
      `id`,
      `name`,
      `lsn`,
      `is_deleted`,
      `since`,
      `valid_to`,
      `is_current`
    ) as _dbtc_old
  from old_versions
),

new_and_old as (
  select
    coalesce(_dbtc_new_last, _dbtc_old_last) as _sequence,
    _dbtc_old,
    _dbtc_new
  from old_rows
  full outer join new_rows using (`id`, `since`)
),

differences as (
  select
    *,
    explode(case
      when _dbtc_old is null and _dbtc_new is null then null
      when _dbtc_old is null then array('INSERT')
      when _dbtc_new is null then array('DELETE')
      when not (
        _dbtc_old.`is_deleted` <=> _dbtc_new.`is_deleted`
        and _dbtc_old.`lsn` <=> _dbtc_new.`lsn`
        and _dbtc_old.`name` <=> _dbtc_new.`name`
        and _dbtc_old.`valid_to` <=> _dbtc_new.`valid_to`
      ) then array('UPDATE_AFTER')
    end) as _row_kind
  from new_and_old
),

emitted as (
  select
    _row_kind,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`id`, _dbtc_old.`id`) as `id`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`name`, _dbtc_old.`name`) as `name`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`lsn`, _dbtc_old.`lsn`) as `lsn`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`is_deleted`, _dbtc_old.`is_deleted`) as `is_deleted`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`since`, _dbtc_old.`since`) as `since`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`valid_to`, _dbtc_old.`valid_to`) as `valid_to`,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.`is_current`, _dbtc_old.`is_current`) as `is_current`,
    cast(2 as bigint) as _batch_id
  from differences
)

select *
from emitted;

-- write state
merge into analytics.customers__state as state
using (
with sent_changes as (
  select * from analytics.customers__changes
),

last_values as (
  select
    `id`, `_sequence`,
    max(_sequence) filter (
      where not _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _removed,
    max(struct(_sequence, _image_hash, `lsn`, `is_deleted`)) filter (
      where _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _dbtc_last,
    max(struct(_sequence, ~_image_hash as _hash)) filter (
      where _row_kind in ('INSERT', 'UPDATE_AFTER')
    ) as _dbtc_rival,
    max(struct(_sequence, xxhash64(isnull(`name`), `name`) as _hash, `name` as _value)) filter (
      where _dbtc_sent.`name`
    ) as _dbtc_last_1,
    max(struct(_sequence, ~xxhash64(isnull(`name`), `name`) as _hash)) filter (
      where _dbtc_sent.`name`
    ) as _dbtc_rival_1
  from sent_changes
  group by `id`, `_sequence`
),

ended_values as (
  select *, _dbtc_last._sequence as _upserted
  from last_values
),

batch_rows as (
  select
    `id`,
    _dbtc_last_1._value as `name`,
    _dbtc_last.`lsn`,
    _dbtc_last.`is_deleted`,
    _dbtc_last._image_hash,
    _upserted,
    _removed,
    struct(_dbtc_last_1._sequence as `name`) as _sequences
  from ended_values as change
  where if(
      _dbtc_last._image_hash <> ~_dbtc_rival._hash
        and coalesce(_upserted > change._removed, true)
      or _dbtc_last_1._hash <> ~_dbtc_rival_1._hash
        and coalesce(_dbtc_last_1._sequence > change._removed, true),
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(`id`, _dbtc_last._sequence as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      true
    )
),

state_rows as (
  select
    change.`id` as `id`,
    if(change._sequences.`name` <= change._removed, null, change.`name`) as `name`,
    if(change._upserted <= change._removed, null, change.`lsn`) as `lsn`,
    if(change._upserted <= change._removed, null, change.`is_deleted`) as `is_deleted`,
    greatest(change._upserted, change._removed) as `_sequence`,
    if(
      change._upserted is null or change._upserted <= change._removed,
      if(change.`id` is null, 'TRUNCATE', 'DELETE'),
      'UPDATE_AFTER'
    ) as `_row_kind`,
    change._image_hash as `_image_hash`,
    change._upserted as `_upserted`,
    change._removed as `_removed`,
    struct(
      if(change._sequences.`name` <= change._removed, null, change._sequences.`name`) as `name`
    ) as `_sequences`,
    cast(2 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from batch_rows as change
  where if(
      change._removed = change._upserted
      or change._removed = change._sequences.`name`
        and coalesce(change.`name`) is not null,
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(change.`id`, change._upserted as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
      true
    )
)

select *
from state_rows
) as change
on state.`id` <=> change.`id` and state.`_sequence` <=> change.`_sequence`
when matched
  and if(
    greatest(state._removed, change._removed) = greatest(state._upserted, change._upserted)
      and coalesce(
        greatest(state._upserted, change._upserted)
          > if(state._image_hash is null, state._upserted, null),
        true
      )
    or change._upserted = state._upserted
      and change._image_hash <> state._image_hash
      and coalesce(change._upserted > greatest(state._removed, change._removed), true)
    or change._sequences.`name` = state._sequences.`name`
      and not (change.`name` <=> state.`name`)
      and coalesce(change._sequences.`name` > greatest(state._removed, change._removed), true)
    or greatest(state._removed, change._removed)
        = greatest(state._sequences.`name`, change._sequences.`name`)
      and coalesce(
        greatest(state._sequences.`name`, change._sequences.`name`)
          > if(state._image_hash is null, state._upserted, null),
        true
      )
      and coalesce(state.`name`, change.`name`) is not null,
    raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', array_join(array_compact(array(to_json(struct(change.`id`, greatest(state._upserted, change._upserted) as _sequence)))), ''), '.\nTo fix: add a column to sequence_by that orders them. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough.')),
    true
  )
  and (
    coalesce(change._upserted > state._upserted, change._upserted is not null)
    or coalesce(change._removed > state._removed, change._removed is not null)
    or coalesce(change._sequences.`name` > state._sequences.`name`, change._sequences.`name` is not null)
    or state._sequences.`name` <= greatest(state._removed, change._removed)
  )
then update set
  `name` = if(
    greatest(state._sequences.`name`, change._sequences.`name`)
      <= greatest(state._removed, change._removed),
    null,
    if(
      coalesce(change._sequences.`name` > state._sequences.`name`, change._sequences.`name` is not null),
      change.`name`,
      state.`name`
    )
  ),
  `lsn` = if(
    greatest(state._upserted, change._upserted) <= greatest(state._removed, change._removed),
    null,
    if(
      coalesce(change._upserted > state._upserted, change._upserted is not null),
      change.`lsn`,
      state.`lsn`
    )
  ),
  `is_deleted` = if(
    greatest(state._upserted, change._upserted) <= greatest(state._removed, change._removed),
    null,
    if(
      coalesce(change._upserted > state._upserted, change._upserted is not null),
      change.`is_deleted`,
      state.`is_deleted`
    )
  ),
  `_row_kind` = if(
    greatest(state._upserted, change._upserted) is null
      or greatest(state._upserted, change._upserted) <= greatest(state._removed, change._removed),
    if(change.`id` is null, 'TRUNCATE', 'DELETE'),
    'UPDATE_AFTER'
  ),
  `_image_hash` = if(
    coalesce(change._upserted > state._upserted, change._upserted is not null),
    change._image_hash,
    state._image_hash
  ),
  `_upserted` = greatest(state._upserted, change._upserted),
  `_removed` = greatest(state._removed, change._removed),
  `_sequences` = struct(
    if(
      greatest(state._sequences.`name`, change._sequences.`name`)
        <= greatest(state._removed, change._removed),
      null,
      greatest(state._sequences.`name`, change._sequences.`name`)
    ) as `name`
  ),
  `_batch_id` = change._batch_id,
  `_was_live` = if(
    state._batch_id = change._batch_id and state._was_live is not null,
    state._was_live,
    state._row_kind in ('INSERT', 'UPDATE_AFTER')
  ),
  `_changed_at` = if(
    exists(
      array(greatest(state._upserted, change._upserted, state._removed, change._removed)),
      newest -> newest > state._sequence
    ),
    change._changed_at,
    state._changed_at
  )
when not matched then insert (
  `id`,
  `name`,
  `lsn`,
  `is_deleted`,
  `_sequence`,
  `_row_kind`,
  `_image_hash`,
  `_upserted`,
  `_removed`,
  `_sequences`,
  `_batch_id`,
  `_was_live`,
  `_changed_at`
) values (
  change.`id`,
  change.`name`,
  change.`lsn`,
  change.`is_deleted`,
  change.`_sequence`,
  change.`_row_kind`,
  change.`_image_hash`,
  change.`_upserted`,
  change.`_removed`,
  change.`_sequences`,
  change.`_batch_id`,
  change.`_was_live`,
  change.`_changed_at`
);

-- count rows
select
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and not _was_live) as rows_inserted,
  count(*) filter (where _row_kind in ('INSERT', 'UPDATE_AFTER') and _was_live) as rows_updated,
  count(*) filter (where _row_kind in ('DELETE', 'UPDATE_BEFORE')) as rows_deleted,
  count(*) filter (where _row_kind = 'TRUNCATE') as truncates,
  count(*) as written
from analytics.customers__state
where _batch_id = 2;

-- commit batch
alter table analytics.customers__state set tblproperties (
  -- log: {"absent": [], "batch": {"id": 2, "position": {}}, "plan": {"after": null, "before": null, "changelog": true, "function": "from_changelog", "kernel": "partial_versions", "op_mapping": {"c": "INSERT", "d": "DELETE", "t": "TRUNCATE", "u": "UPDATE_AFTER"}, "sequence_by": ["`lsn`"], "soft_delete": "is_deleted", "uid": "model.shop.customers", "unique_key": ["id"], "version": 2, "versions": {"is_current": "is_current", "track_history_columns": null, "track_history_columns_except": null, "valid_from": "since", "valid_to": "valid_to"}}, "since": 0, "uncompared": []}
  'dbt_changelog.batch' = '2',
  'dbt_changelog.log.0' = '7b22616273656e74223a205b5d2c20226261746368223a207b226964223a20322c2022706f736974696f6e223a207b7d7d2c2022706c616e223a207b226166746572223a206e756c6c2c20226265666f7265223a206e756c6c2c20226368616e67656c6f67223a20747275652c202266756e6374696f6e223a202266726f6d5f6368616e67656c6f67222c20226b65726e656c223a20227061727469616c5f76657273696f6e73222c20226f705f6d617070696e67223a207b2263223a2022494e53455254222c202264223a202244454c455445222c202274223a20225452554e43415445222c202275223a20225550444154455f4146544552227d2c202273657175656e63655f6279223a205b22606c736e60225d2c2022736f66745f64656c657465223a202269735f64656c65746564222c2022756964223a20226d6f64656c2e73686f702e637573746f6d657273222c2022756e697175655f6b6579223a205b226964225d2c202276657273696f6e223a20322c202276657273696f6e73223a207b2269735f63757272656e74223a202269735f63757272656e74222c2022747261636b5f686973746f72795f636f6c756d6e73223a206e756c6c2c2022747261636b5f686973746f72795f636f6c756d6e735f657863657074223a206e756c6c2c202276616c69645f66726f6d223a202273696e6365222c202276616c69645f746f223a202276616c69645f746f227d7d2c202273696e6365223a20302c2022756e636f6d7061726564223a205b5d7d',
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
  cast(0 as bigint) as truncates,
  cast(null as bigint) as values_unknown,
  cast(null as bigint) as tombstones_forgotten,
  cast(null as bigint) as rows_hidden,
  cast(null as bigint) as events_ignored,
  cast(null as bigint) as events_dropped,
  cast(null as bigint) as events_waiting;
