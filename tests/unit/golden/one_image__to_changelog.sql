(
with changes_as_rows as (
  select
    `_row_kind`, `_sequence`, `_ordinal`,
    struct(* except (`_row_kind`, `_sequence`, `_ordinal`)) as _dbtc_row
  from changes
  where case
    when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog(...): _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
    else _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
  end
),

checked_changes as (
  select
    `_row_kind`, `_sequence`, `_ordinal`,
    struct(_dbtc_row as row) as _dbtc_image
  from changes_as_rows
),

event_rows as (
  select
    *,
    _dbtc_image.row as _dbtc_row
  from checked_changes
),

change_events as (
  select
    case _row_kind
      when 'DELETE' then 'DELETE'
      when 'INSERT' then 'INSERT'
      when 'UPDATE_AFTER' then 'UPDATE_AFTER'
      when 'UPDATE_BEFORE' then 'UPDATE_BEFORE'
    end as `op`,
    _dbtc_row as `row`,
    _sequence,
    _ordinal
  from event_rows
)

select *
from change_events
)
