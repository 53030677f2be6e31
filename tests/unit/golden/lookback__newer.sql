with events as (

select * from (
  /* dbt_changelog range {"relation": "bronze.customers", "from": {"column": "lsn", "type": "bigint", "value": "10"}, "to": {"column": "lsn", "type": "bigint", "value": "10"}} */
  select * from bronze.customers
  where (`lsn` >= cast('10' as bigint) - 5 and `lsn` <= cast('10' as bigint)) or `lsn` is null
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
    `lsn` as _sequence,
    if(`op` in ('UPDATE_AFTER'), 1, 0) as _ordinal,
    `id`,
    `name`,
    `lsn`
  from events tablesample (100 percent) repeatable (0)  -- all rows, computed once for all checks
  where case
    when `op` is null then
      raise_error(concat('Invalid \'op\' in from_changelog model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when `op` not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
      raise_error(concat('Unknown op code \'', `op`, '\' in column op of from_changelog model \'customers\'. Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when `lsn` is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': `lsn` is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
),

hashed_changes as (
  select
    *,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(
      isnull(`lsn`), `lsn`,
      isnull(`name`), `name`
    ), 0) as _image_hash
  from changes
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
      `name`,
      `lsn`
    )) as _dbtc_last,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _dbtc_rival
  from hashed_changes
  group by `id`
),

state_rows as (
  select
    `id`,
    if(_dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_last.`name`, null) as `name`,
    if(_dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_last.`lsn`, null) as `lsn`,
    _dbtc_last._sequence,
    _dbtc_last._row_kind,
    _dbtc_last._image_hash,
    cast(2 as bigint) as _batch_id,
    false as _was_live,
    current_timestamp() as _changed_at
  from last_changes
  where if(_dbtc_last._image_hash <> ~_dbtc_rival._hash, raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_dbtc_last.`id`, _dbtc_last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough (lsn, by which the model reads, may be one).')), true)
),

outcome as (
  select
    change.*,
    state._row_kind is null
      or if(
        change._sequence = state._sequence
          and change._image_hash <> state._image_hash
          and change._row_kind <> 'UPDATE_BEFORE'
          and state._row_kind <> 'UPDATE_BEFORE',
        raise_error(concat('Invalid \'sequence_by\' in from_changelog model \'customers\': two different changes of one key have one sequence, ', to_json(struct(change.`id`, change._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'. If it is one event that came twice, dbt run-operation diagnose shows in which columns it differs: name them in passthrough (lsn, by which the model reads, may be one).')),
        (
          change._sequence > state._sequence
          or change._sequence = state._sequence
            and struct(change._row_kind <> 'UPDATE_BEFORE')
              > struct(state._row_kind <> 'UPDATE_BEFORE')
        )
      )
      as _dbtc_is_written
  from state_rows as change
  left join analytics.customers__state as state
    on state.`id` = change.`id`
)

select count(*) as newer_rows
from outcome
where _dbtc_is_written
