{#-
  Truncates as ends of keys, as CTEs: `<prefix>points` -> `<prefix>ended_points`, with
  _dbtc_is_live. One comes after all changes of its sequence, so such a change sets values and
  leaves no row. Of those before the next point of the key the first one counts: the others end
  nothing. The last of all has reached each key, so no change of it has a smaller sequence.
-#}
{% macro ended_points_ctes(plan, input, prefix) -%}
{%- set by_key = dbt_changelog.points_of_key_sql(plan) -%}
{{ prefix }}truncates as (
  select collect_set(_sequence) as _dbtc_truncates
  from {{ input }}
  where {{ dbt_changelog.quote(plan.unique_key[0]) }} is null
),

{{ prefix }}followed_points as (
  select
    *,
    lead(_sequence) over ({{ by_key }}
    ) as _dbtc_next
  from {{ prefix }}points
),

{{ prefix }}reached_points as (
  select
    * except (_dbtc_truncates, _dbtc_next),
    array_min(filter(
      _dbtc_truncates,
      item -> item >= _sequence and coalesce(item < _dbtc_next, true)
    )) as _dbtc_end,
    array_max(_dbtc_truncates) as _dbtc_last_truncate
  from {{ prefix }}followed_points
  cross join {{ prefix }}truncates
),

{{ prefix }}ended_points as (
  select
    * except (_sequence, _dbtc_sets, _dbtc_end, _dbtc_point),
    _dbtc_point.*
  from {{ prefix }}reached_points
  lateral view explode(case
    when _dbtc_end > _sequence then array(
      struct(_sequence, _dbtc_sets, _dbtc_sets as _dbtc_is_live),
      struct(_dbtc_end as _sequence, false as _dbtc_sets, false as _dbtc_is_live)
    )
    else array(struct(_sequence, _dbtc_sets, _dbtc_sets and _dbtc_end is null as _dbtc_is_live))
  end) ends as _dbtc_point
)
{%- endmacro %}
