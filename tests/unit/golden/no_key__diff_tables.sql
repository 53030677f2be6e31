(
with both_tables as (
  select struct(*) as _dbtc_before, null as _dbtc_after
  from old_orders
  union all
  select null, struct(*)
  from new_orders
),

rows_beside_nothing as (
  select *, struct(0 as nothing) as _dbtc_nothing
  from both_tables
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

all_rows as (
  select
    if(_dbtc_after is null, -1, 1) as _weight,
    coalesce(_dbtc_before_row, _dbtc_after) as _dbtc_row
  from rows_of_one_type
),

known_rows as (
  select
    _weight,
    struct(
      _dbtc_row as row,
      if(
        typeof(_dbtc_row) rlike 'map<|variant',
        if(
          typeof(_dbtc_row) rlike 'map<|variant|float|double',
          if(
            typeof(_dbtc_row) rlike 'map<(binary|struct|array)'
              or (typeof(_dbtc_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and typeof(_dbtc_row) rlike '[^A-Za-z0-9_:,<>()]'),
            raise_error(concat('Invalid input in diff_tables(...): rows of type ', typeof(_dbtc_row), ' can not be compared here, since JSON can not spell their keys, or their decimals beside such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.')),
            to_json(parse_json(if(typeof(_dbtc_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]', to_json(from_json(to_json(_dbtc_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), if(typeof(_dbtc_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and not typeof(_dbtc_row) rlike '[^A-Za-z0-9_:,<>()]', regexp_replace(regexp_replace(typeof(_dbtc_row), 'map<[^,(<]+([(][^)]*[)])?,', 'map<string,'), 'decimal[(][^)]*[)]', 'string'), 'struct<_:int>'), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), to_json(_dbtc_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')))))
          ),
          to_json(_dbtc_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
        ),
        null
      ) as equal
    ) as _dbtc_known
  from all_rows
),

counted_rows as (
  select
    any_value(_dbtc_known.row) as _dbtc_row,
    sum(_weight) as _weight
  from known_rows
  group by identifier(if(typeof(_dbtc_known.row) rlike 'map<|variant', '_dbtc_known.equal', '_dbtc_known.row'))
),

differences as (
  select
    if(_weight > 0, 'INSERT', 'DELETE') as _row_kind,
    0 as _sequence,
    0 as _ordinal,
    _dbtc_row.*
  from counted_rows
  lateral view explode(array_repeat(0, cast(abs(_weight) as int))) copies as _dbtc_copy
)

select *
from differences
)
