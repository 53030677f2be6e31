select
  if(_count > 0, 'INSERT', 'DELETE') as _row_kind,
  0 as _sequence,
  0 as _ordinal,
  _row.*
from (
  select
    _row,
    _count,
    explode(sequence(1, abs(_count))) as _copy
  from (
    select _row, count(_after) - count(_before) as _count
    from (
      select
        _before,
        _after,
        coalesce(_before_row, _after) as _row
      from (
        select
          *,
          identifier(if(typeof(_before) = typeof(_after), '_before', '_converted')) as _before_row
        from (
          select
            *,
            from_json(
              to_json(_before, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')),
              if(typeof(_before) = typeof(_after), 'struct<_:int>', typeof(_after)),
              map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')
            ) as _converted
          from (
            select struct(*) as _before, null as _after
            from old_orders
            union all
            select null, struct(*)
            from new_orders
          ) as rows_of_two_types
        ) as converted_rows
      ) as both_tables
    ) as all_rows
    group by _row
    having _count <> 0
  ) as counted_rows
) as differences
