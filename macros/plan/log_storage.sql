{#-
  Where and how the tables of a to_changelog model lie: its configs are of its own table; the state
  lies beside it.
-#}
{% macro log_storage(plan, node) -%}
{%- set table = dbt_changelog.plan_storage(plan.where, node,
    plan.events | map(attribute='name') | list) -%}
{%- do plan.update({'state': table}) -%}
{{ return({'table': table,
           'state': dict(table, **dbt_changelog.sibling_storage(plan))}) }}
{%- endmacro %}
