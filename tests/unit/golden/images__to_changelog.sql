(
with changes_as_rows as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `ts_ms`,
    struct(* except (`_row_kind`, `_sequence`, `_ordinal`, `ts_ms`)) as _dbtc_row
  from changes
  where case
    when _row_kind is null or _row_kind not in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE') then raise_error(concat('Unknown row kind in to_changelog(...): _row_kind is not one of DELETE, INSERT, UPDATE_AFTER, UPDATE_BEFORE in the change ', to_json(struct(`_row_kind`, `_sequence`)), '.\nTo fix: give a changelog, for example from from_changelog or diff_tables.'))
    when _sequence is null then raise_error(concat('Invalid \'_sequence\' in to_changelog(...): it is NULL in the change ', to_json(struct(`_row_kind`, `_sequence`)), '.\nTo fix: give the changelog an order, for example with sequence_by.'))
    else true
  end
),

checked_changes as (
  select
    `_row_kind`, `_sequence`, `_ordinal`, `ts_ms`,
    struct(_dbtc_row as row) as _dbtc_image
  from changes_as_rows
),

neighbours as (
  select
    *,
    lag(_row_kind, 2) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_kind_before_last,
    lag(struct(_row_kind, _dbtc_image)) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_last,
    lead(_row_kind) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_next_kind,
    lead(_row_kind, 2) over (partition by _sequence order by _row_kind = 'UPDATE_AFTER', _row_kind = 'UPDATE_BEFORE') as _dbtc_kind_after_next
  from checked_changes
),

halves as (
  select
    * except (_dbtc_kind_before_last, _dbtc_last, _dbtc_next_kind, _dbtc_kind_after_next),
    case _row_kind
      when 'UPDATE_BEFORE' then
        not _dbtc_last._row_kind <=> 'UPDATE_BEFORE'
        and _dbtc_next_kind <=> 'UPDATE_AFTER'
        and _dbtc_kind_after_next is null
      when 'UPDATE_AFTER' then
        not _dbtc_kind_before_last <=> 'UPDATE_BEFORE'
        and _dbtc_last._row_kind <=> 'UPDATE_BEFORE'
        and _dbtc_next_kind is null
      else false
    end as _dbtc_is_pair,
    _dbtc_last._dbtc_image as _dbtc_before
  from neighbours
),

joined_changes as (
  select
    * except (_row_kind, _dbtc_image, _dbtc_is_pair, _dbtc_before),
    case
      when _row_kind = 'UPDATE_BEFORE' and not _dbtc_is_pair then 'DELETE'
      when _row_kind = 'UPDATE_AFTER' and not _dbtc_is_pair then 'INSERT'
      else _row_kind
    end as _row_kind,
    case
      when not _row_kind in ('INSERT', 'UPDATE_AFTER') then _dbtc_image
      when _row_kind = 'UPDATE_AFTER' and _dbtc_is_pair then _dbtc_before
    end as _dbtc_old,
    if(_row_kind in ('INSERT', 'UPDATE_AFTER'), _dbtc_image, null) as _dbtc_new
  from halves
  where _row_kind <> 'UPDATE_BEFORE' or not _dbtc_is_pair
),

event_rows as (
  select
    *,
    _dbtc_old.row as _dbtc_old_row,
    _dbtc_new.row as _dbtc_new_row
  from joined_changes
),

change_events as (
  select
    case _row_kind
      when 'DELETE' then 'd'
      when 'INSERT' then 'c'
      when 'UPDATE_AFTER' then 'u'
      when 'UPDATE_BEFORE' then 'u'
    end as `op`,
    `ts_ms`,
    if(_dbtc_old is null, null, _dbtc_old_row) as `before`,
    if(_dbtc_new is null, null, _dbtc_new_row) as `after`,
    _sequence,
    _ordinal
  from event_rows
  where _row_kind in ('DELETE', 'INSERT', 'UPDATE_AFTER', 'UPDATE_BEFORE')
)

select *
from change_events
)
