(
with _dbtc_before_rows as (
  select
    `order_id`, `line`,
    struct(*) as _dbtc_before,
    lag(true) over (partition by `order_id`, `line` order by `order_id`, `line`) as _dbtc_before_is_second
  from old_orders
),

_dbtc_after_rows as (
  select
    `order_id`, `line`,
    struct(*) as _dbtc_after,
    lag(true) over (partition by `order_id`, `line` order by `order_id`, `line`) as _dbtc_after_is_second
  from new_orders
),

pairs as (
  select *
  from _dbtc_before_rows
  full outer join _dbtc_after_rows using (`order_id`, `line`)
),

rows_beside_nothing as (
  select *, struct(0 as nothing) as _dbtc_nothing
  from pairs
),

rows_of_two_types as (
  select
    *,
    identifier(if(
      typeof(_dbtc_before) = typeof(_dbtc_after) or concat(typeof(_dbtc_before), typeof(_dbtc_after)) rlike 'map<(?!string,)|[^A-Za-z0-9_:,<>()]', '_dbtc_nothing', '_dbtc_before'
    )) as _dbtc_given,
    identifier(if(
      typeof(_dbtc_before) = typeof(_dbtc_after) or concat(typeof(_dbtc_before), typeof(_dbtc_after)) rlike 'map<(?!string,)|[^A-Za-z0-9_:,<>()]', '_dbtc_nothing', '_dbtc_after'
    )) as _dbtc_wanted
  from rows_beside_nothing
),

shared_cells as (
  select
    *,
    map_filter(
      transform_keys(cast(to_variant_object(_dbtc_given) as map<string, variant>), (name, value) -> lower(name)),
      (name, value) -> exists(
        json_object_keys(to_json(from_json('{}', typeof(_dbtc_wanted)), map('ignoreNullFields', 'false'))), other -> lower(other) = name
      )
    ) as _dbtc_cells
  from rows_of_two_types
),

read_rows as (
  select
    *,
    if(
      _dbtc_cells is null,
      null,
      try_variant_get(
        to_variant_object(map_from_arrays(
          json_object_keys(to_json(from_json('{}', typeof(_dbtc_wanted)), map('ignoreNullFields', 'false'))),
          transform(json_object_keys(to_json(from_json('{}', typeof(_dbtc_wanted)), map('ignoreNullFields', 'false'))), name -> try_element_at(_dbtc_cells, lower(name)))
        )),
        '$',
        typeof(_dbtc_wanted)
      )
    ) as _dbtc_read
  from shared_cells
),

converted_rows as (
  select
    *,
    case
      when typeof(_dbtc_before) = typeof(_dbtc_after) then null
      when concat(typeof(_dbtc_before), typeof(_dbtc_after)) rlike 'map<(?!string,)|[^A-Za-z0-9_:,<>()]' then
        raise_error(concat('Invalid input in diff_tables(...): rows of type ', concat(typeof(_dbtc_before), ' and ', typeof(_dbtc_after)), ' can not be compared here, since JSON can not spell their keys, or their decimals beside such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.'))
      when to_json(if(
  _dbtc_cells is null,
  null,
  try_variant_get(
    to_variant_object(map_from_arrays(
      json_object_keys(to_json(from_json('{}', typeof(_dbtc_given)), map('ignoreNullFields', 'false'))),
      transform(json_object_keys(to_json(from_json('{}', typeof(_dbtc_given)), map('ignoreNullFields', 'false'))), name -> try_element_at(_dbtc_cells, lower(name)))
    )),
    '$',
    typeof(_dbtc_given)
  )
), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
        <> to_json(if(
  transform_keys(cast(to_variant_object(_dbtc_read) as map<string, variant>), (name, value) -> lower(name)) is null,
  null,
  try_variant_get(
    to_variant_object(map_from_arrays(
      json_object_keys(to_json(from_json('{}', typeof(_dbtc_given)), map('ignoreNullFields', 'false'))),
      transform(json_object_keys(to_json(from_json('{}', typeof(_dbtc_given)), map('ignoreNullFields', 'false'))), name -> try_element_at(transform_keys(cast(to_variant_object(_dbtc_read) as map<string, variant>), (name, value) -> lower(name)), lower(name)))
    )),
    '$',
    typeof(_dbtc_given)
  )
), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')) then
        raise_error(concat('Invalid input in diff_tables(...): a row of the table before does not fit the columns of the one after: ', concat(to_json(_dbtc_given), ' into ', typeof(_dbtc_wanted)), '.\nTo fix: give both tables the same types, with casts in the query.'))
      else _dbtc_read
    end as _dbtc_converted
  from read_rows
),

rows_of_one_type as (
  select
    *,
    identifier(if(typeof(_dbtc_before) = typeof(_dbtc_after), '_dbtc_before', '_dbtc_converted')) as _dbtc_before_row
  from converted_rows
),

compared_pairs as (
  select
    `order_id`, `line`,
    _dbtc_before_is_second or _dbtc_after_is_second as _dbtc_is_second,
    struct(
      _dbtc_before_row as row,
      if(
        typeof(_dbtc_before_row) rlike 'map<|variant',
        if(
          typeof(_dbtc_before_row) rlike 'map<|variant|float|double',
          if(
            typeof(_dbtc_before_row) rlike 'map<(binary|struct|array)'
              or (typeof(_dbtc_before_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and typeof(_dbtc_before_row) rlike '[^A-Za-z0-9_:,<>()]'),
            raise_error(concat('Invalid input in diff_tables(...): rows of type ', typeof(_dbtc_before_row), ' can not be compared here, since JSON can not spell their keys, or their decimals beside such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.')),
            to_json(parse_json(if(typeof(_dbtc_before_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]', to_json(from_json(to_json(_dbtc_before_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), if(typeof(_dbtc_before_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and not typeof(_dbtc_before_row) rlike '[^A-Za-z0-9_:,<>()]', regexp_replace(regexp_replace(typeof(_dbtc_before_row), 'map<[^,(<]+([(][^)]*[)])?,', 'map<string,'), 'decimal[(][^)]*[)]', 'string'), 'struct<_:int>'), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), to_json(_dbtc_before_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')))))
          ),
          to_json(_dbtc_before_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
        ),
        null
      ) as equal
    ) as _dbtc_old,
    struct(
      _dbtc_after as row,
      if(
        typeof(_dbtc_after) rlike 'map<|variant',
        if(
          typeof(_dbtc_after) rlike 'map<|variant|float|double',
          if(
            typeof(_dbtc_after) rlike 'map<(binary|struct|array)'
              or (typeof(_dbtc_after) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and typeof(_dbtc_after) rlike '[^A-Za-z0-9_:,<>()]'),
            raise_error(concat('Invalid input in diff_tables(...): rows of type ', typeof(_dbtc_after), ' can not be compared here, since JSON can not spell their keys, or their decimals beside such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.')),
            to_json(parse_json(if(typeof(_dbtc_after) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]', to_json(from_json(to_json(_dbtc_after, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), if(typeof(_dbtc_after) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and not typeof(_dbtc_after) rlike '[^A-Za-z0-9_:,<>()]', regexp_replace(regexp_replace(typeof(_dbtc_after), 'map<[^,(<]+([(][^)]*[)])?,', 'map<string,'), 'decimal[(][^)]*[)]', 'string'), 'struct<_:int>'), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), to_json(_dbtc_after, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')))))
          ),
          to_json(_dbtc_after, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
        ),
        null
      ) as equal
    ) as _dbtc_new
  from rows_of_one_type
),

changed_pairs as (
  select
    _dbtc_old,
    _dbtc_new,
    explode(case
      when case
        when `order_id` is null or `line` is null then
          raise_error(concat('Invalid \'unique_key\' in diff_tables(...): it is NULL in the row ', left(to_json(coalesce(_dbtc_new.row, _dbtc_old.row)), 200), '.\nTo fix: name columns that are never NULL, or leave unique_key out: then rows are counted.'))
        when _dbtc_is_second then
          raise_error(concat('Invalid \'unique_key\' in diff_tables(...): two rows of one table have the key ', to_json(struct(`order_id`, `line`)), '.\nTo fix: add the columns that tell them apart, or leave unique_key out.'))
        else false
      end then null
      when _dbtc_old.row is null then array('INSERT')
      when _dbtc_new.row is null then array('DELETE')
      when not identifier(if(typeof(_dbtc_old.row) rlike 'map<|variant', '_dbtc_old.equal', '_dbtc_old.row')) <=> identifier(if(typeof(_dbtc_new.row) rlike 'map<|variant', '_dbtc_new.equal', '_dbtc_new.row'))
        then array('UPDATE_BEFORE', 'UPDATE_AFTER')
    end) as _row_kind
  from compared_pairs
),

changed_rows as (
  select _row_kind, if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_new.row, _dbtc_old.row) as _dbtc_row
  from changed_pairs
),

differences as (
  select
    _row_kind,
    0 as _sequence,
    if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
    _dbtc_row.*
  from changed_rows
)

select *
from differences
)
