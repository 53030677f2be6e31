with points as (
  select
    *,
    _row_kind in ('INSERT', 'UPDATE_AFTER')
      and coalesce(_sequence > max(if(
        _image_hash is null and _upserted is not null,
        _sequence,
        null
      )) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and unbounded following
    ), true) as _dbtc_sets
  from analytics.customers__state
  where `id` is not null
),

truncates as (
  select collect_set(_sequence) as _dbtc_truncates
  from analytics.customers__state
  where `id` is null
),

followed_points as (
  select
    *,
    lead(_sequence) over (
      partition by `id`
      order by _sequence
    ) as _dbtc_next
  from points
),

reached_points as (
  select
    * except (_dbtc_truncates, _dbtc_next),
    array_min(filter(
      _dbtc_truncates,
      item -> item >= _sequence and coalesce(item < _dbtc_next, true)
    )) as _dbtc_end,
    array_max(_dbtc_truncates) as _dbtc_last_truncate
  from followed_points
  cross join truncates
),

ended_points as (
  select
    * except (_sequence, _dbtc_sets, _dbtc_end, _dbtc_point),
    _dbtc_point.*
  from reached_points
  lateral view explode(case
    when _dbtc_end > _sequence then array(
      struct(_sequence, _dbtc_sets, _dbtc_sets as _dbtc_is_live),
      struct(_dbtc_end as _sequence, false as _dbtc_sets, false as _dbtc_is_live)
    )
    else array(struct(_sequence, _dbtc_sets, _dbtc_sets and _dbtc_end is null as _dbtc_is_live))
  end) ends as _dbtc_point
),

sent_points as (
  select
    *,
    max(if(_dbtc_is_live, null, _sequence)) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and 1 preceding
    ) as _dbtc_ended,
    last_value(if(
      _dbtc_sets and _sequences.`name` is not null,
      struct(_sequence, `name` as _value),
      null
    ), true) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and current row
    ) as _dbtc_sent_1
  from ended_points
),

filled_points as (
  select
    * except (
      _dbtc_ended,
      `name`, _dbtc_sent_1
    ),
    if(
      coalesce(_dbtc_sent_1._sequence > _dbtc_ended, true),
      _dbtc_sent_1._value,
      null
    ) as `name`
  from sent_points
),

last_points as (
  select
    * except (`name`, `lsn`, `is_deleted`, _dbtc_is_live),
    not _dbtc_is_live as `is_deleted`,
    last_value(if(
      _dbtc_sets,
      struct(
        `_sequence`,
        `name`,
        `lsn`
      ),
      null
    ), true) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and current row
    ) as _dbtc_row
  from filled_points
),

kept_points as (
  select
    * except (_dbtc_row),
    _dbtc_row.`name`,
    _dbtc_row.`lsn`,
    _dbtc_row is not null as _dbtc_is_live
  from last_points
),

steps as (
  select
    *,
    _dbtc_is_live as _dbtc_shows,
    coalesce(lag(_dbtc_is_live) over (
      partition by `id`
      order by _sequence
    ), false) <> _dbtc_is_live
    or _dbtc_is_live and not lag(struct(`is_deleted`, `lsn`, `name`)) over (
      partition by `id`
      order by _sequence
    ) <=> struct(`is_deleted`, `lsn`, `name`) as _dbtc_starts
  from kept_points
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
    greatest(_dbtc_last_truncate, max(_sequence) over (
      partition by `id`
      order by _sequence
      rows between unbounded preceding and unbounded following
    )) as _dbtc_last
  from steps
),

versions as (
  select
    `id`,
    `name`,
    `lsn`,
    `is_deleted`,
    _dbtc_from as `since`,
    _dbtc_to as `valid_to`,
    _dbtc_to is null as `is_current`,
    _dbtc_last
  from spans
  where _dbtc_shows and coalesce(_dbtc_ends, true)
)

select * except (_dbtc_last)
from versions
