with points as (
  select
    *,
    _row_kind in ('INSERT', 'UPDATE_AFTER')
      and coalesce(_sequence > max(if(
        _image_hash is null,
        _sequence,
        null
      )) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and unbounded following
    ), true) as _dbtc_sets
  from analytics.customers__state
),

steps as (
  select
    *,
    _dbtc_sets as _dbtc_shows,
    coalesce(lag(_dbtc_sets) over (
      partition by `id`
      order by _sequence
    ), false) <> _dbtc_sets
    or _dbtc_sets and not lag(struct(`name`)) over (
      partition by `id`
      order by _sequence
    ) <=> struct(`name`) as _dbtc_starts
  from points
),

spans as (
  select
    *,
    max(if(_dbtc_starts, _sequence, null)) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_from,
    lead(_sequence) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_to,
    lead(_dbtc_starts) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_ends,
    max(_sequence) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and unbounded following
    ) as _dbtc_last
  from steps
),

versions as (
  select
    `id`,
    `name`,
    `lsn`,
    _dbtc_from as `valid_from`,
    _dbtc_to as `valid_to`,
    _dbtc_to is null as `is_current`,
    _dbtc_last
  from spans
  where _dbtc_shows and coalesce(_dbtc_ends, true)
)

select * except (_dbtc_last)
from versions
