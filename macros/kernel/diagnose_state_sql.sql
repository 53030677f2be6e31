{#- How the changes of a query in which nothing is wrong stand to the state. -#}
{% macro diagnose_state_sql(plan) -%}
with {{ dbt_changelog.diagnose_changes_sql(plan) }}

{{ dbt_changelog.places_sql(plan, 'changes') }}
{%- endmacro %}
