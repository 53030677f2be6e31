(
with hashed_changes as (
  select
    *,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), xxhash64(
      if(
      typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike 'map<|variant|float|double',
      if(
        typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike 'map<(binary|struct|array)'
          or (typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike '[^A-Za-z0-9_:,<>()]'),
        raise_error(concat('Invalid input in apply_changelog(...) of model \'customers\': rows of type ', typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))), ' can not be compared here, since JSON can not spell their keys, or their decimals beside such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.')),
        to_json(parse_json(if(typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]', to_json(from_json(to_json(struct(* except (`_row_kind`, `_sequence`, `_ordinal`)), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), if(typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and not typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))) rlike '[^A-Za-z0-9_:,<>()]', regexp_replace(regexp_replace(typeof(struct(* except (`_row_kind`, `_sequence`, `_ordinal`))), 'map<[^,(<]+([(][^)]*[)])?,', 'map<string,'), 'decimal[(][^)]*[)]', 'string'), 'struct<_:int>'), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), to_json(struct(* except (`_row_kind`, `_sequence`, `_ordinal`)), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')))))
      ),
      to_json(struct(* except (`_row_kind`, `_sequence`, `_ordinal`)), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
    )
    ), 0) as _image_hash
  from changes
  where case
    when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in apply_changelog(...) of model \'customers\': _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`, `order_id`, `line`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
    when `order_id` is null then raise_error(concat('Invalid \'unique_key\' in apply_changelog(...) of model \'customers\': it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `order_id`, `line`)), '.\nTo fix: name columns that are never NULL; or leave such rows out in the query, and the events do not have them.'))
    when `line` is null then raise_error(concat('Invalid \'unique_key\' in apply_changelog(...) of model \'customers\': it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `order_id`, `line`)), '.\nTo fix: name columns that are never NULL; or leave such rows out in the query, and the events do not have them.'))
    when _sequence is null then raise_error(concat('Invalid \'_sequence\' in apply_changelog(...) of model \'customers\': it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `order_id`, `line`)), '.\nTo fix: give the changelog an order, for example with sequence_by.'))
    else true
  end
),

last_changes as (
  select
    `order_id`, `line`,
    max_by(struct(*), struct(_sequence, _row_kind <> 'UPDATE_BEFORE', _image_hash)) as _dbtc_last,
    max(struct(_sequence, _row_kind <> 'UPDATE_BEFORE', ~_image_hash as _hash)) as _dbtc_rival
  from hashed_changes
  group by `order_id`, `line`
),

applied as (
  select _dbtc_last.*
  from last_changes
  where if(_dbtc_last._image_hash <> ~_dbtc_rival._hash, raise_error(concat('Invalid \'sequence_by\' in apply_changelog(...) of model \'customers\': two different changes of one key have one sequence, ', to_json(struct(_dbtc_last.`order_id`, _dbtc_last.`line`, _dbtc_last._sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')), true)
)

select * except (_row_kind, _sequence, _ordinal, _image_hash)
from applied
where _row_kind in ('INSERT', 'UPDATE_AFTER')
)
