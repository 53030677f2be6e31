{#- A plan's columns with those that the query has no more: its events leave them NULL. -#}
{% macro absent_columns(plan, absent) -%}
{{ return({
  'absent': absent,
  'orderable': plan.orderable and dbt_changelog.is_orderable(absent),
  'payload': plan.payload + absent | map(attribute='name') | list,
  'compared': (plan.compared + absent) | sort(attribute='name'),
  'state_columns': plan.state_columns + absent,
}) }}
{%- endmacro %}
