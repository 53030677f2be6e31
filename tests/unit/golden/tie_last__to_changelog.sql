select
  case _row_kind
    when 'DELETE' then 'd'
    when 'INSERT' then 'c'
    when 'UPDATE_AFTER' then 'u'
    when 'UPDATE_BEFORE' then 'u'
  end as `op`,
  if(_old is null, null, _old_row) as `before`,
  if(_new is null, null, _new_row) as `after`,
  _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal
from (
  select
    *,
    _old.row as _old_row,
    _new.row as _new_row
  from (
    select
      * except (_row_kind, _image, _known, _is_equal, _is_last, _retracted),
      explode(case
        when _old is null and _new is not null then array('INSERT')
        when _old is not null and _new is null then array('DELETE')
        when _new is not null and not (_known is not null and _is_equal) then array('UPDATE_AFTER')
      end) as _row_kind
    from (
      select
        *,
        identifier(if(typeof(_known._image.row) rlike 'map<|variant', '_known._image.equal', '_known._image.row')) <=> identifier(if(typeof(_known._image.row) rlike 'map<|variant', '_image.equal', '_image.row')) as _is_equal,
        case
          when _known is not null then if(_known._row_kind = 'DELETE', null, _known._image)
          when _retracted is not null then _retracted
          when not _row_kind in ('INSERT', 'UPDATE_AFTER') then _image
        end as _old,
        if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _image, null) as _new
      from (
        select
          *,
          lag(if(_row_kind = 'UPDATE_BEFORE', null, struct(_sequence, _row_kind, _image)))
            ignore nulls over (partition by `id` order by _sequence, _row_kind <> 'UPDATE_BEFORE') as _known,
          lag(if(_row_kind = 'UPDATE_BEFORE', _image, null)) over (partition by `id` order by _sequence, _row_kind <> 'UPDATE_BEFORE') as _retracted,
          lead(true) over (partition by `id` order by _sequence, _row_kind <> 'UPDATE_BEFORE') is null as _is_last
        from (
          select * except (_following)
          from (
            select
              *,
              lead(struct(_sequence, _row_kind)) over (
                partition by `id`
                order by
                  _sequence,
                  array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind),
                  to_json(_image.row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
              ) as _following
            from (
              select
                `_row_kind`, `_sequence`, `_ordinal`, `id`,
                struct(
                  _row as row,
                  if(
                    typeof(_row) rlike 'map<|variant',
                    if(
                      typeof(_row) rlike 'map<|variant|float|double',
                      if(
                        typeof(_row) rlike 'map<(binary|struct|array)'
                          or (typeof(_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and typeof(_row) rlike '[^A-Za-z0-9_:,<>()]'),
                        raise_error(concat('Invalid input in to_changelog(...): rows of type ', typeof(_row), ' can not be compared here, since JSON can not spell their keys, or their decimals beside such names.\nTo fix: cast keys of maps to string, and rename columns, in the query.')),
                        to_json(parse_json(if(typeof(_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]', to_json(from_json(to_json(_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), if(typeof(_row) rlike 'decimal[(][0-9]+,([7-9]|[0-9][0-9])[)]' and not typeof(_row) rlike '[^A-Za-z0-9_:,<>()]', regexp_replace(regexp_replace(typeof(_row), 'map<[^,(<]+([(][^)]*[)])?,', 'map<string,'), 'decimal[(][^)]*[)]', 'string'), 'struct<_:int>'), map('timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')), to_json(_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC')))))
                      ),
                      to_json(_row, map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSSXXX', 'timestampNTZFormat', 'yyyy-MM-dd HH:mm:ss.SSSSSS', 'timeZone', 'UTC'))
                    ),
                    null
                  ) as equal
                ) as _image
              from (
                select
                  `_row_kind`, `_sequence`, `_ordinal`, `id`,
                  struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _row
                from changes
                where case
                  when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog(...): _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
                  when `id` is null then raise_error(concat('Invalid \'unique_key\' in to_changelog(...): it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: name columns that are never NULL; or leave such rows out in the query, and the events do not have them.'))
                  when _sequence is null then raise_error(concat('Invalid \'_sequence\' in to_changelog(...): it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`, `id`)), '.\nTo fix: give the changelog an order, for example with sequence_by.'))
                  else true
                end
              ) as checked_changes
            ) as change_images
          ) as ordered_changes
          where _following is null
            or _following._sequence <> _sequence
            or (_row_kind = 'UPDATE_BEFORE' and _following._row_kind <> 'UPDATE_BEFORE')
        ) as change_images
      ) as neighbours
      where _row_kind <> 'UPDATE_BEFORE' or _is_last
    ) as rows_before_and_after
  ) as changes
) as rows
where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
