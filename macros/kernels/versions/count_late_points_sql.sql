{#- What is counted of changes beside the points that the state has of their keys. -#}

{#-
  The late and the repeated changes among those that a batch brought (count_late_sql). A late one
  counts all the same: it is a point between others.
-#}
{% macro count_late_points_sql(plan, batch) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
with {{ kernel.changes(plan, batch) }},

{{ dbt_changelog._last_points_cte(plan, kernel.changes_name) }},

{{ dbt_changelog.value_places_cte(plan, kernel.changes_name,
     ['change._dbtc_arrived', 'state._batch_id'], 'last_points') }}

{{ dbt_changelog.count_arrived_sql(batch) }}
{%- endmacro %}

{#- How the changes of a query in which nothing is wrong stand to the state, as one row. -#}
{% macro count_point_places_sql(plan) -%}
with {{ dbt_changelog.sound_changes_ctes(plan) }},

{{ dbt_changelog._last_points_cte(plan, 'hashed_changes') }},

{{ dbt_changelog.value_places_cte(plan, 'hashed_changes', [], 'last_points') }}

{{ dbt_changelog.count_standing_sql() }}
{%- endmacro %}

{#- The greatest sequence that the state has of each key of some changes. -#}
{% macro _last_points_cte(plan, input) -%}
{%- set key = dbt_changelog.csv(plan.unique_key) -%}
last_points as (
  select {{ key }}, max(_sequence) as _sequence, max(_batch_id) as _batch_id
  from {{ plan.relations.state }} as state
  left semi join {{ input }} as change
    on {{ dbt_changelog.same_key_sql(plan) }}
  group by {{ key }}
)
{%- endmacro %}
