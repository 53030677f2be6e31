{#- How the weights of changes differ from those of the state, row by row, as CTEs. -#}
{% macro weights_beside_state_sql(plan, changes) -%}
{%- set names = dbt_changelog.csv(plan.compared | map(attribute='name')) -%}
new_and_old as (
  select {{ names }}, {{ dbt_changelog.weight_sql() }} as _weight
  from (
    {{ changes | indent(4) }}
  ) as changes
  union all
  select {{ names }}, -_weight as _weight
  from {{ plan.relations.state }}
),

differences as (
  {{ dbt_changelog.sum_weights_sql(plan.compared, 'new_and_old') | indent(2) }}
)
{%- endmacro %}
