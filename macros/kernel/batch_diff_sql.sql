{#- How the result of a query differs from what the state has of it; without a state all is new. -#}
{% macro batch_diff_sql(plan, batch) -%}
{%- set diff = dbt_changelog.diff_rows_sql if plan.unique_key else dbt_changelog.diff_bags_sql -%}
{%- set plan = dict(plan, sequence='cast(' ~ batch.id ~ ' as bigint)') -%}
with new_rows as (
{{ dbt_changelog.query_rows_sql(plan) }}
),

old_rows as (
  select
    {{ dbt_changelog.csv(plan.state_columns | map(attribute='name'), separator=',\n    ') }}
  from {{ 'new_rows\n  where false' if batch.creates
          else '(\n' ~ dbt_changelog.kernel_macros(plan).contents(plan) ~ '\n) as contents' }}
)

{{ diff(plan, 'old_rows', 'new_rows') }}
{%- endmacro %}
