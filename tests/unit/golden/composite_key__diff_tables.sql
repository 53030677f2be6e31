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
          when `order_id` is null or `line` is null then raise_error(concat('Invalid \'unique_key\' in diff_tables(...): it is NULL in a row of key ', to_json(struct(`order_id`, `line`)), '.\nTo fix: name columns that are never NULL, or leave unique_key out: then rows are counted.'))
          when _is_second then raise_error(concat('Invalid \'unique_key\' in diff_tables(...): two rows of one table have the key ', to_json(struct(`order_id`, `line`)), '.\nTo fix: add the columns that tell them apart, or leave unique_key out.'))
          else false
        end then null
        when _old.row is null then array('INSERT')
        when _new.row is null then array('DELETE')
        when not identifier(if(typeof(_old.row) rlike 'map<|variant', '_old.text', '_old.row')) <=> identifier(if(typeof(_old.row) rlike 'map<|variant', '_new.text', '_new.row'))
          then array('UPDATE_BEFORE', 'UPDATE_AFTER')
      end) as _row_kind
    from (
      select
        `order_id`, `line`,
        _before_is_second or _after_is_second as _is_second,
        struct(
          _before_row as row,
          if(
            typeof(_before_row) rlike 'map<|variant',
            to_json(parse_json(to_json(_before_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')))),
            null
          ) as text
        ) as _old,
        struct(
          _after as row,
          if(
            typeof(_after) rlike 'map<|variant',
            to_json(parse_json(to_json(_after, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')))),
            null
          ) as text
        ) as _new
      from (
        select
          *,
          identifier(if(typeof(_before) = typeof(_after), '_before', '_converted')) as _before_row
        from (
          select
            *,
            from_json(
              to_json(_before, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')),
              if(typeof(_before) = typeof(_after), 'struct<_:int>', typeof(_after)),
              map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS')
            ) as _converted
          from (
            select *
            from (
              select
                `order_id`, `line`,
                struct(*) as _before,
                lag(true) over (partition by `order_id`, `line` order by `order_id`, `line`) as _before_is_second
              from old_orders
            ) as before_rows
            full outer join (
              select
                `order_id`, `line`,
                struct(*) as _after,
                lag(true) over (partition by `order_id`, `line` order by `order_id`, `line`) as _after_is_second
              from new_orders
            ) as after_rows using (`order_id`, `line`)
          ) as rows_of_two_types
        ) as converted_rows
      ) as pairs
    ) as pairs
  ) as differences
) as changed_rows
