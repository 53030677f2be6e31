(
with changes as (
  select
    case
      when cast(`op` as string) in ('d') then 'DELETE'
      when cast(`op` as string) in ('c', 'r') then 'INSERT'
      when cast(`op` as string) in ('u') then 'UPDATE_AFTER'
    end as _row_kind,
    lsn as _sequence,
    if(cast(`op` as string) in ('u'), 1, 0) as _ordinal,
    * except (`op`)
  from events
  where case
    when cast(`op` as string) is null then
      raise_error(concat('Invalid \'op\' in from_changelog(...) of model \'customers\': the op code is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: leave null records out in the query (where op is not null); any other event needs its code.'))
    when cast(`op` as string) not in ('c', 'd', 'r', 'u') then
      raise_error(concat('Unknown op code \'', cast(`op` as string), '\' in column op of from_changelog(...) of model \'customers\'. Known codes: c, d, r, u.\nTo fix: add it to op_mapping, or set invalid_op_handling=\'SKIP\' if such events change no row; a truncate does: map it to TRUNCATE.'))
    when lsn is null then
      raise_error(concat('Invalid \'sequence_by\' in from_changelog(...) of model \'customers\': lsn is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: write an expression that is never NULL, such as a coalesce that puts such events in place.'))
    when `id` is null then
      raise_error(concat('Invalid \'unique_key\' in from_changelog(...) of model \'customers\': key column id is NULL in the event ', to_json(struct(`op`, `id`)), '.\nTo fix: name columns that are never NULL, or fix the query that lost the key.'))
    else true
  end
),

hashed_changes as (
  select
    *,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(
      if(
      typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike 'map<|variant|float|double',
      if(
        typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike 'map<(binary|struct|array)'
          or (typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike '[^A-Za-z0-9_:,<>()]'),
        raise_error(concat('Invalid input in from_changelog(...) of model \'customers\': rows of type ', typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))), ' can not be compared here, since JSON can not spell their keys, or their decimals beside such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.')),
        to_json(parse_json(if(typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]', to_json(from_json(to_json(struct(* except (`_row_kind`, `_sequence`, `_ordinal`)), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), if(typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and not typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike '[^A-Za-z0-9_:,<>()]', regexp_replace(regexp_replace(typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))), 'map<[^,(<]+([(][^)]*[)])?,', 'map<string,'), 'decimal[(][^)]*[)]', 'string'), 'struct<_:int>'), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), to_json(struct(* except (`_row_kind`, `_sequence`, `_ordinal`)), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')))))
      ),
      to_json(struct(* except (`_row_kind`, `_sequence`, `_ordinal`)), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
    )
    ), 0) as _image_hash
  from changes
),

ordered_changes as (
  select
    *,
    lead(struct(_sequence, _image_hash)) over (
      partition by `id`
      order by _sequence, _image_hash
    ) as _dbtc_following
  from hashed_changes
),

winners as (
  select * except (_dbtc_following)
  from ordered_changes
  where _dbtc_following is null
    or (_dbtc_following._sequence <> _sequence and _row_kind <> 'UPDATE_BEFORE')
    or if(
      _dbtc_following._sequence = _sequence and _dbtc_following._image_hash <> _image_hash
        and _row_kind <> 'UPDATE_BEFORE',
      raise_error(concat('Invalid \'sequence_by\' in from_changelog(...) of model \'customers\': two different changes of one key have one sequence, ', to_json(struct(`id`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')),
      false
    )
),

live_changes as (
  select
    *,
    _row_kind in ('INSERT', 'UPDATE_AFTER') as _dbtc_is_live
  from winners
),

neighbours as (
  select
    *,
    case
      when not _dbtc_is_live then null
      when not coalesce(lag(_dbtc_is_live) over (
        partition by `id`
        order by _sequence
      ), false) then 'INSERT'
      when lag(_image_hash) over (
        partition by `id`
        order by _sequence
      ) <> _image_hash then 'UPDATE_AFTER'
    end as _dbtc_own_kind,
    case
      when not _dbtc_is_live then null
      when not lead(_dbtc_is_live) over (
        partition by `id`
        order by _sequence
      ) then 'DELETE'
      when lead(_image_hash) over (
        partition by `id`
        order by _sequence
      ) <> _image_hash then 'UPDATE_BEFORE'
    end as _dbtc_next_kind,
    lead(_sequence) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_next_sequence
  from live_changes
),

compared_changes as (
  select
    * except (_row_kind, _sequence, _ordinal, _image_hash, _dbtc_is_live, _dbtc_own_kind,
              _dbtc_next_kind, _dbtc_next_sequence, _dbtc_part),
    if(_dbtc_part = 0, _dbtc_own_kind, _dbtc_next_kind) as _row_kind,
    if(_dbtc_part = 0, _sequence, _dbtc_next_sequence) as _sequence
  from neighbours
  lateral view explode(array(0, 1)) parts as _dbtc_part
  where if(_dbtc_part = 0, _dbtc_own_kind, _dbtc_next_kind) is not null
)

select
  _row_kind,
  _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  * except (_row_kind, _sequence)
from compared_changes
)
