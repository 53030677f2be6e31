{#-
  How the weights of changes differ from those of the state, row by row, as CTEs. columns: those of
  the state, as the plan has them.
-#}
{% macro weights_beside_state_sql(plan, changes, columns) -%}
new_and_old as (
  select
    {{ dbt_changelog.csv(plan.state_columns | map(attribute='name'), separator=',\n    ') }},
    {{ dbt_changelog.weight_sql() }} as _weight
  from {{ changes }}
  union all
  select
    {{ columns | indent(4) }},
    -_weight as _weight
  from {{ plan.relations.state }}
),

differences as (
  {{ dbt_changelog.sum_weights_sql(plan.compared, 'new_and_old') | indent(2) }}
)
{%- endmacro %}
