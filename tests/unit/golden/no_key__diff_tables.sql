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
    select _row, sum(_weight) as _count
    from (
      select struct(*) as _row, -1 as _weight
      from old_orders
      union all
      select struct(*), 1
      from new_orders
    ) as rows
    group by _row
    having _count <> 0
  ) as counted_rows
) as differences
