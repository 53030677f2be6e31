with both_sides as (
  select
    `id` as `id`,
    array_sort(map_entries(`tags`)) as `tags`,
    1 as _dbtc_is_ours
  from (
  with last_changes as (
    select
      max_by(
        struct(*),
        struct(_sequence, _ordinal, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind))
      ) as _dbtc_last
    from (
  select
    _row_kind,
    struct(_batch_id, _sequence) as _sequence,
    _ordinal,
    `id`, `tags`
  from customers__changelog
) as changes
    group by `id`
  )

  select _dbtc_last.*
  from last_changes
  where _dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER')
) as folded
  union all
  select
    `id` as `id`,
    array_sort(map_entries(`tags`)) as `tags`,
    0
  from (
  with last_changes as (
    select
      max_by(
        struct(*),
        struct(_sequence, _ordinal, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind))
      ) as _dbtc_last
    from (
with written as (
  select *
  from (
with changes_as_rows as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `id`,
    null as `op`,
    `op` as _dbtc_other_op,
    struct(if(
      typeof(`op`) = 'void', null, cast(raise_error('Invalid \'op\' in to_changelog(...): the rows have a column \'op\' too.\nTo fix: give op another name, or set before and after.') as string)
    ) as row) as _dbtc_clash,
    struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _dbtc_row
  from (
  select
    _row_kind,
    struct(_batch_id, _sequence) as _sequence,
    _ordinal,
    `id`, `tags`
  from customers__changelog
) as changes
  where case
    when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog(...): _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
    when `id` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog(...): it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: name columns that are never NULL; or leave such rows out in the query, and the events do not have them.'))
    when _sequence is null then raise_error(concat('Invalid \'_sequence\' in to_changelog(...): it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give the changelog an order, for example with sequence_by.'))
    else true
  end
),

checked_changes as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `id`,
    struct(
      identifier(if(typeof(_dbtc_other_op) = 'void', '_dbtc_row', '_dbtc_clash')) as row,
      if(
        typeof(_dbtc_row) rlike 'map<|variant',
        if(
          typeof(_dbtc_row) rlike 'map<|variant|float|double',
          if(
            typeof(_dbtc_row) rlike 'map<(binary|struct|array)'
              or (typeof(_dbtc_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and typeof(_dbtc_row) rlike '[^A-Za-z0-9_:,<>()]'),
            raise_error(concat('Invalid input in to_changelog(...): rows of type ', typeof(_dbtc_row), ' can not be compared here, since JSON can not spell their keys, or their decimals beside such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.')),
            to_json(parse_json(if(typeof(_dbtc_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]', to_json(from_json(to_json(_dbtc_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), if(typeof(_dbtc_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and not typeof(_dbtc_row) rlike '[^A-Za-z0-9_:,<>()]', regexp_replace(regexp_replace(typeof(_dbtc_row), 'map<[^,(<]+([(][^)]*[)])?,', 'map<string,'), 'decimal[(][^)]*[)]', 'string'), 'struct<_:int>'), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), to_json(_dbtc_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')))))
          ),
          to_json(_dbtc_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
        ),
        null
      ) as equal
    ) as _dbtc_image
  from changes_as_rows
),

neighbours as (
  select
    *,
    lag(if(_row_kind = 'UPDATE_BEFORE', null, struct(_sequence, _row_kind, _dbtc_image)))
      ignore nulls over (
      partition by `id`
      order by _sequence, _row_kind <> 'UPDATE_BEFORE'
    ) as _dbtc_known,
    lag(if(_row_kind = 'UPDATE_BEFORE', _dbtc_image, null)) over (
      partition by `id`
      order by _sequence, _row_kind <> 'UPDATE_BEFORE'
    ) as _dbtc_retracted,
    lead(true) over (
      partition by `id`
      order by _sequence, _row_kind <> 'UPDATE_BEFORE'
    ) is null as _dbtc_is_last
  from checked_changes
),

before_and_after as (
  select
    *,
    identifier(if(typeof(_dbtc_known._dbtc_image.row) rlike 'map<|variant', '_dbtc_known._dbtc_image.equal', '_dbtc_known._dbtc_image.row')) <=> identifier(if(typeof(_dbtc_image.row) rlike 'map<|variant', '_dbtc_image.equal', '_dbtc_image.row'))
      as _dbtc_is_equal,
    case
      when _dbtc_known is not null
        then if(_dbtc_known._row_kind = 'DELETE', null, _dbtc_known._dbtc_image)
      when _dbtc_retracted is not null then _dbtc_retracted
      when not _row_kind in ('INSERT', 'UPDATE_AFTER') then _dbtc_image
    end as _dbtc_old,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_image, null) as _dbtc_new
  from neighbours
  where _row_kind <> 'UPDATE_BEFORE' or _dbtc_is_last
),

net_changes as (
  select
    * except (_row_kind, _dbtc_image, _dbtc_known, _dbtc_is_equal, _dbtc_is_last, _dbtc_retracted),
    explode(case
      when _dbtc_known._sequence = _sequence then
        if(
          (_row_kind in ('INSERT', 'UPDATE_AFTER')) <> (_dbtc_known._row_kind in ('INSERT', 'UPDATE_AFTER'))
            or (_row_kind in ('INSERT', 'UPDATE_AFTER') and not _dbtc_is_equal),
          raise_error(concat('Invalid \'sequence_by\' in to_changelog(...): two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')),
          null
        )
      when _dbtc_old is null and _dbtc_new is not null then array(if(_dbtc_known is null, _row_kind, 'INSERT'))
      when _dbtc_old is not null and _dbtc_new is null then array('DELETE')
      when _dbtc_new is not null and not (_dbtc_known is not null and _dbtc_is_equal)
        then array('UPDATE_AFTER')
    end) as _row_kind
  from before_and_after
),

kinds_of_changes as (
  select
    * except (_row_kind, _ordinal),
    explode(if(
      _row_kind = 'UPDATE_AFTER' and _dbtc_old is not null,
      array('UPDATE_BEFORE', 'UPDATE_AFTER'),
      array(_row_kind)
    )) as _row_kind
  from net_changes
),

split_changes as (
  select
    *,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new, _dbtc_old) as _dbtc_image
  from kinds_of_changes
),

event_rows as (
  select
    *,
    _dbtc_image.row as _dbtc_row
  from split_changes
),

change_events as (
  select
    case _row_kind
      when 'DELETE' then 'DELETE'
      when 'INSERT' then 'INSERT'
      when 'UPDATE_AFTER' then 'UPDATE_AFTER'
      when 'UPDATE_BEFORE' then 'UPDATE_BEFORE'
    end as `op`,
    _dbtc_row.*,
    _sequence,
    _ordinal
  from event_rows
  where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
)

select *
from change_events
)
)

select *
from (
with changes as (
  select
    case
      when cast(`op` as string) in ('DELETE', 'UPDATE_BEFORE') then 'DELETE'
      when cast(`op` as string) in ('INSERT', 'UPDATE_AFTER') then 'UPDATE_AFTER'
    end as _row_kind,
    named_struct('_1', _sequence, '_2', _ordinal) as _sequence,
    if(cast(`op` as string) in ('INSERT', 'UPDATE_AFTER'), 1, 0) as _ordinal,
    * except (`op`, `_sequence`, `_ordinal`)
  from written
  where case
    when cast(`op` as string) is null then
      raise_error(concat('Invalid \'op\' in from_changelog(...): the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when cast(`op` as string) not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then
      raise_error(concat('Unknown op code \'', cast(`op` as string), '\' in column op of from_changelog(...). Known codes: DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when _sequence is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog(...): _sequence is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when _ordinal is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog(...): _ordinal is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog(...): key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
)

select *
from changes
)
) as again
    group by `id`
  )

  select _dbtc_last.*
  from last_changes
  where _dbtc_last._row_kind in ('INSERT', 'UPDATE_AFTER')
) as folded
),

counted_rows as (
  select
    `id`,
    `tags`,
    sum(_dbtc_is_ours) as _in_changelog,
    sum(1 - _dbtc_is_ours) as _in_round_trip
  from both_sides
  group by `id`, `tags`
)

select *
from counted_rows
where _in_changelog <> _in_round_trip
