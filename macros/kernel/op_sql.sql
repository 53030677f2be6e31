{#- The op code as a string: a boolean compares as 'true' and 'false'. -#}
{% macro op_sql(plan) -%}
{%- set column = dbt_changelog.quote(plan.op) -%}
{{ return(column if plan.op_type == 'string' else 'cast(' ~ column ~ ' as string)') }}
{%- endmacro %}
