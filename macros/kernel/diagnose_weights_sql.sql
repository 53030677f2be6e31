{#-
  How the changes of a query stand to the state where each event counts: one row with the numbers of
  distinct rows whose weight in the state is not what the query's changes give, and of those that
  wait in the state, below zero, for their insert.
-#}
{% macro diagnose_weights_sql(plan) -%}
with {{ dbt_changelog.diagnose_changes_sql(plan) }},

{{ dbt_changelog.weights_beside_state_sql(plan, 'changes', dbt_changelog.csv(
     plan.state_columns | map(attribute='name'), separator=',\n')) }}

select
  (select count_if(_weight <> 0) from differences) as rows_that_differ,
  (select count_if(_weight < 0) from {{ plan.relations.state }}) as rows_below_zero
{%- endmacro %}
