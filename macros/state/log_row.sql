{#- The columns that rows have in a log, [{name, type}]: of its images, or beside the op code. -#}
{% macro log_row(plan) -%}
{%- set columns = dbt_changelog.describe_types('select * from ' ~ plan.relations.log) -%}
{%- if not plan.images -%}
{{ return(columns | rejectattr('name', 'equalto', plan.op) | list) }}
{%- endif -%}
{%- set image = dbt_changelog.quote(plan.after or plan.before) -%}
{{ return(dbt_changelog.describe_types('select ' ~ image ~ '.* from ' ~ plan.relations.log)
    + columns | selectattr('name', 'in', plan.passthrough) | list) }}
{%- endmacro %}
