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
        when not identifier(if(typeof(_old.row) rlike 'map<|variant', '_old.equal', '_old.row')) <=> identifier(if(typeof(_old.row) rlike 'map<|variant', '_new.equal', '_new.row'))
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
            if(
              typeof(_before_row) rlike 'map<|variant|float|double',
              if(
                typeof(_before_row) rlike 'map<(binary|struct|array)'
                  or (typeof(_before_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and typeof(_before_row) rlike '[^A-Za-z0-9_:,<>()]'),
                raise_error(concat('Invalid input in diff_tables(...): rows of type ', typeof(_before_row), ' can not be compared here, since JSON can not spell their keys, or their decimals beside such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.')),
                to_json(parse_json(if(typeof(_before_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]', to_json(from_json(to_json(_before_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), if(typeof(_before_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and not typeof(_before_row) rlike '[^A-Za-z0-9_:,<>()]', regexp_replace(regexp_replace(typeof(_before_row), 'map<[^,(<]+([(][^)]*[)])?,', 'map<string,'), 'decimal[(][^)]*[)]', 'string'), 'struct<_:int>'), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), to_json(_before_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')))))
              ),
              to_json(_before_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
            ),
            null
          ) as equal
        ) as _old,
        struct(
          _after as row,
          if(
            typeof(_after) rlike 'map<|variant',
            if(
              typeof(_after) rlike 'map<|variant|float|double',
              if(
                typeof(_after) rlike 'map<(binary|struct|array)'
                  or (typeof(_after) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and typeof(_after) rlike '[^A-Za-z0-9_:,<>()]'),
                raise_error(concat('Invalid input in diff_tables(...): rows of type ', typeof(_after), ' can not be compared here, since JSON can not spell their keys, or their decimals beside such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.')),
                to_json(parse_json(if(typeof(_after) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]', to_json(from_json(to_json(_after, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), if(typeof(_after) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and not typeof(_after) rlike '[^A-Za-z0-9_:,<>()]', regexp_replace(regexp_replace(typeof(_after), 'map<[^,(<]+([(][^)]*[)])?,', 'map<string,'), 'decimal[(][^)]*[)]', 'string'), 'struct<_:int>'), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), to_json(_after, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')))))
              ),
              to_json(_after, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
            ),
            null
          ) as equal
        ) as _new
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
