{#- How the result of a query differs from what the state has of it; without a state all is new. -#}
{% macro batch_diff_sql(plan, batch) -%}
{%- set diff = dbt_changelog.diff_rows_sql if plan.unique_key else dbt_changelog.diff_bags_sql -%}
{%- set plan = dict(plan, sequence='cast(' ~ batch.id ~ ' as bigint)') -%}
with new_rows as (
{{ dbt_changelog.query_rows_sql(plan) }}
),

old_rows as (
  {{ dbt_changelog.rows_before_sql(plan, batch) | indent(2) }}
)

{{ diff(plan, 'old_rows', 'new_rows') }}
{%- endmacro %}
