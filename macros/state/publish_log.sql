{#- A log is committed as it is: nothing is left to do. -#}
{% macro publish_log(plan, batch, committed) -%}
{{ return([plan.relations.log]
    + ([plan.relations.state, plan.relations.changes]
       if committed and dbt_changelog.is_staged(plan, batch) else [])) }}
{%- endmacro %}
