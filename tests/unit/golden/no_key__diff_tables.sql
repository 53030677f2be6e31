(
with both_tables as (
  select struct(*) as _dbtc_before, null as _dbtc_after
  from old_orders
  union all
  select null, struct(*)
  from new_orders
),

converted_rows as (
  select
    *,
    if(
      typeof(_dbtc_before) <> typeof(_dbtc_after) and (
        typeof(_dbtc_before) rlike 'map<(binary|struct|array)'
        or typeof(_dbtc_after) rlike 'map<(?!string,)|[^A-Za-z0-9_:,<>()]'
      ),
      raise_error(concat('Invalid input in diff_tables(...): rows of type ', concat(typeof(_dbtc_before), ' and ', typeof(_dbtc_after)), ' can not be compared here, since JSON can not spell their keys, or their decimals beside such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.')),
      from_json(
        to_json(_dbtc_before, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')),
        if(
          typeof(_dbtc_before) = typeof(_dbtc_after)
            or typeof(_dbtc_before) rlike 'map<(binary|struct|array)'
            or typeof(_dbtc_after) rlike 'map<(?!string,)|[^A-Za-z0-9_:,<>()]',
          'struct<_:int>',
          typeof(_dbtc_after)
        ),
        map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')
      )
    )
      as _dbtc_converted
  from both_tables
),

rows_of_one_type as (
  select
    *,
    identifier(if(typeof(_dbtc_before) = typeof(_dbtc_after), '_dbtc_before', '_dbtc_converted'))
      as _dbtc_before_row
  from converted_rows
),

counted_rows as (
  select
    coalesce(_dbtc_before_row, _dbtc_after) as _dbtc_row,
    count(_dbtc_after) - count(_dbtc_before) as _weight
  from rows_of_one_type
  group by coalesce(_dbtc_before_row, _dbtc_after)
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
