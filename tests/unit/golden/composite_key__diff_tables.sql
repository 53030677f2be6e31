select
  _row_kind,
  0 as _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  _row.*
from (
  select
    _row_kind,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _new.row, _old.row) as _row
  from (
    select
      _old,
      _new,
      explode(case
        when case
          when `order_id` is null or `line` is null then raise_error(concat('Invalid \'unique_key\' in diff_tables(...): it is NULL in a row of key ', to_json(struct(`order_id`, `line`)), '.\nTo fix: filter such rows out in a query, or name columns that are never NULL.'))
          when _old_is_second or _new_is_second then raise_error(concat('Invalid \'unique_key\' in diff_tables(...): two rows of one table have the key ', to_json(struct(`order_id`, `line`)), '.\nTo fix: add the columns that tell them apart, or leave unique_key out.'))
          else false
        end then null
        when _old is null then array('INSERT')
        when _new is null then array('DELETE')
        when not (identifier(if(typeof(_old.row) rlike 'map<|variant', '_old.text', '_old.row')) <=> identifier(if(typeof(_old.row) rlike 'map<|variant', '_new.text', '_new.row')))
          then array('UPDATE_BEFORE', 'UPDATE_AFTER')
      end) as _row_kind
    from (
      select
        `order_id`, `line`,
        struct(
          _row as row,
          if(
            typeof(_row) rlike 'map<|variant',
            to_json(parse_json(to_json(_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')))),
            null
          ) as text
        ) as _old,
        lag(true) over (partition by `order_id`, `line` order by `order_id`, `line`) as _old_is_second
      from (
        select `order_id`, `line`, struct(*) as _row
        from old_orders
      ) as rows
    ) as before_rows
    full outer join (
      select
        `order_id`, `line`,
        struct(
          _row as row,
          if(
            typeof(_row) rlike 'map<|variant',
            to_json(parse_json(to_json(_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')))),
            null
          ) as text
        ) as _new,
        lag(true) over (partition by `order_id`, `line` order by `order_id`, `line`) as _new_is_second
      from (
        select `order_id`, `line`, struct(*) as _row
        from new_orders
      ) as rows
    ) as after_rows using (`order_id`, `line`)
  ) as differences
) as changed_rows
