{#-
  Points with all columns, as CTEs: -> `<prefix>filled_points`: what a point has not sent is the
  value of the last one that did, since the row was last ended.
-#}
{% macro filled_points_ctes(plan, input, prefix) -%}
{%- set live = '_dbtc_is_live' if plan.truncates else '_dbtc_sets' -%}
{%- set by_key = dbt_changelog.points_of_key_sql(plan) -%}
{%- set names = plan.partial | map(attribute='name') | list -%}
{{ prefix }}sent_points as (
  select
    *,
    max(if({{ live }}, null, _sequence)) over ({{ by_key }}
      rows between unbounded preceding and 1 preceding
    ) as _dbtc_ended
{%- for name in names %},
    last_value(if(
      _dbtc_sets and _sequences.{{ dbt_changelog.quote(name) }} is not null,
      struct(_sequence, {{ dbt_changelog.quote(name) }} as _value),
      null
    ), true) over ({{ by_key }}
      rows between unbounded preceding and current row
    ) as _dbtc_sent_{{ loop.index }}
{%- endfor %}
  from {{ input }}
),

{{ prefix }}filled_points as (
  select
    * except (
      _dbtc_ended,
{%- for name in names %}
      {{ dbt_changelog.quote(name) }}, _dbtc_sent_{{ loop.index }}{{ ',' if not loop.last }}
{%- endfor %}
    )
{%- for name in names %},
    if(
      coalesce(_dbtc_sent_{{ loop.index }}._sequence > _dbtc_ended, true),
      _dbtc_sent_{{ loop.index }}._value,
      null
    ) as {{ dbt_changelog.quote(name) }}
{%- endfor %}
  from {{ prefix }}sent_points
)
{%- endmacro %}

{#-
  Points whose deleted rows are kept, as CTEs: -> `<prefix>kept_points`: from a delete on, a key has
  the values of the last point that set any, and the flag. One that no event has set has no row.
-#}
{% macro kept_points_ctes(plan, input, prefix) -%}
{%- set live = '_dbtc_is_live' if plan.truncates else '_dbtc_sets' -%}
{%- set names = (plan.payload + plan.passthrough)
    | reject('in', plan.unique_key + [plan.soft_delete]) | list -%}
{{ prefix }}last_points as (
  select
    * except ({{ dbt_changelog.csv(names + [plan.soft_delete]) }}
      {{- ', _dbtc_is_live' if plan.truncates }}),
    not {{ live }} as {{ dbt_changelog.quote(plan.soft_delete) }},
    last_value(if(
      _dbtc_sets,
      struct(
        {{ dbt_changelog.csv(['_sequence'] + names, separator=',\n        ') }}
      ),
      null
    ), true) over ({{ dbt_changelog.points_of_key_sql(plan) }}
      rows between unbounded preceding and current row
    ) as _dbtc_row
  from {{ input }}
),

{{ prefix }}kept_points as (
  select
    * except (_dbtc_row),
    {{ dbt_changelog.csv(names, prefix='_dbtc_row.', separator=',\n    ') ~ ',' if names }}
    _dbtc_row is not null as _dbtc_is_live
  from {{ prefix }}last_points
)
{%- endmacro %}
