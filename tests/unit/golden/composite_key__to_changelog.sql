(
with changes_as_rows as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `order_id`, `line`,
    struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _dbtc_row
  from changes
  where case
    when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog(...): _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`, `order_id`, `line`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
    when `order_id` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog(...): it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `order_id`, `line`)), '.\nTo fix: name columns that are never NULL; or leave such rows out in the query, and the events do not have them.'))
    when `line` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog(...): it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `order_id`, `line`)), '.\nTo fix: name columns that are never NULL; or leave such rows out in the query, and the events do not have them.'))
    when _sequence is null then raise_error(concat('Invalid \'_sequence\' in to_changelog(...): it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `order_id`, `line`)), '.\nTo fix: give the changelog an order, for example with sequence_by.'))
    else true
  end
),

checked_changes as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `order_id`, `line`,
    struct(
      _dbtc_row as row,
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
      partition by `order_id`, `line`
      order by _sequence, _row_kind <> 'UPDATE_BEFORE'
    ) as _dbtc_known,
    lag(if(_row_kind = 'UPDATE_BEFORE', _dbtc_image, null)) over (
      partition by `order_id`, `line`
      order by _sequence, _row_kind <> 'UPDATE_BEFORE'
    ) as _dbtc_retracted,
    lead(true) over (
      partition by `order_id`, `line`
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
          raise_error(concat('Invalid \'sequence_by\' in to_changelog(...): two different changes of one key have one sequence, ', to_json(struct(`order_id`, `line`, _sequence as _sequence)), '.\nTo fix: add a column to sequence_by that orders them, or set tie_handling=\'LAST\'.')),
          null
        )
      when _dbtc_old is null and _dbtc_new is not null then array('INSERT')
      when _dbtc_old is not null and _dbtc_new is null then array('DELETE')
      when _dbtc_new is not null and not (_dbtc_known is not null and _dbtc_is_equal)
        then array('UPDATE_AFTER')
    end) as _row_kind
  from before_and_after
),

event_rows as (
  select
    *,
    _dbtc_old.row as _dbtc_old_row,
    _dbtc_new.row as _dbtc_new_row
  from net_changes
),

change_events as (
  select
    case _row_kind
      when 'DELETE' then 'd'
      when 'INSERT' then 'c'
      when 'UPDATE_AFTER' then 'u'
      when 'UPDATE_BEFORE' then 'u'
    end as `op`,
    if(_dbtc_old is null, null, _dbtc_old_row) as `before`,
    if(_dbtc_new is null, null, _dbtc_new_row) as `after`,
    _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal
  from event_rows
  where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
)

select *
from change_events
)
