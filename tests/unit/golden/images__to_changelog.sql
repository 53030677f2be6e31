select
  case _row_kind
    when 'DELETE' then 'd'
    when 'INSERT' then 'c'
    when 'UPDATE_AFTER' then 'u'
    when 'UPDATE_BEFORE' then 'u'
  end as `op`,
  `ts_ms`,
  if(_old is null, null, _old_row) as `before`,
  if(_new is null, null, _new_row) as `after`,
  _sequence,
  _ordinal
from (
  select
    *,
    _old.row as _old_row,
    _new.row as _new_row
  from (
    select
      * except (_row_kind, _image, _is_pair, _before),
      case when _row_kind = 'UPDATE_BEFORE' and not _is_pair then 'DELETE' when _row_kind = 'UPDATE_AFTER' and not _is_pair then 'INSERT' else _row_kind end as _row_kind,
      case
        when not _row_kind in ('INSERT', 'UPDATE_AFTER') then _image
        when _row_kind = 'UPDATE_AFTER' and _is_pair then _before
      end as _old,
      if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _image, null) as _new
    from (
      select
        *,
        coalesce(case _row_kind
          when 'UPDATE_BEFORE' then
            lead(_row_kind) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') = 'UPDATE_AFTER'
            and lead(_row_kind, 2) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') is null
            and not lag(_row_kind) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') <=> 'UPDATE_BEFORE'
          when 'UPDATE_AFTER' then
            lag(_row_kind) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') = 'UPDATE_BEFORE'
            and not lag(_row_kind, 2) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') <=> 'UPDATE_BEFORE'
            and lead(_row_kind) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') is null
        end, false) as _is_pair,
        lag(_image) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _before
      from (
        select
          `_row_kind`, `_sequence`, `_ordinal`, `ts_ms`,
          struct(_row as row) as _image
        from (
          select
            `_row_kind`, `_sequence`, `_ordinal`, `ts_ms`,
            struct(* except (`_row_kind`, `_sequence`, `_ordinal`, `ts_ms`)) as _row
          from changes
          where case
            when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog(...): _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
            when _sequence is null then raise_error(concat('Invalid \'_sequence\' in to_changelog(...): it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`)), '.\nTo fix: give the changelog an order, for example with sequence_by.'))
            else true
          end
        ) as checked_changes
      ) as change_images
    ) as halves
    where _row_kind <> 'UPDATE_BEFORE' or not _is_pair
  ) as changes
) as rows
where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
