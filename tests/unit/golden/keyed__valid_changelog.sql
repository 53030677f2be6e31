with neighbours as (
  select
    `id`,
    _row_kind,
    _sequence,
    _ordinal,
    lag(struct(_row_kind, _sequence)) over (
      partition by `id`
      order by _batch_id, _sequence, _ordinal, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind)
    ) as _dbtc_previous,
    lead(struct(_row_kind, _sequence)) over (
      partition by `id`
      order by _batch_id, _sequence, _ordinal, array_position(array('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER'), _row_kind)
    ) as _dbtc_next
  from customers__changelog
),

changes as (
  select
    *,
    coalesce(_dbtc_previous._row_kind, 'DELETE') <> 'DELETE' as _dbtc_is_there
  from neighbours
),

checked_changes as (
  select
    *,
    case
      when _row_kind is null or _row_kind not in ('UPDATE_BEFORE', 'DELETE', 'INSERT', 'UPDATE_AFTER')
        then 'an unknown row kind'
      when `id` is null
        or _sequence is null then 'a NULL in the key or in _sequence'
      when _row_kind = 'INSERT' and _dbtc_is_there then 'INSERT of a key that is there'
      when _row_kind <> 'INSERT' and not _dbtc_is_there then
        concat(_row_kind, ' of a key that is not there')
      when _row_kind = 'UPDATE_BEFORE' and not coalesce(
        _dbtc_next._row_kind = 'UPDATE_AFTER' and _dbtc_next._sequence = _sequence, false
      ) then 'UPDATE_BEFORE without its UPDATE_AFTER'
      when _row_kind = 'UPDATE_AFTER'
        and (select any(_row_kind = 'UPDATE_BEFORE') from customers__changelog)
        and not (_dbtc_previous._row_kind = 'UPDATE_BEFORE'
                 and _dbtc_previous._sequence = _sequence)
        then 'UPDATE_AFTER without its UPDATE_BEFORE'
    end as _broken_rule
  from changes
)

select
  _broken_rule,
  `id`,
  _row_kind,
  _sequence,
  _ordinal
from checked_changes
where _broken_rule is not null
