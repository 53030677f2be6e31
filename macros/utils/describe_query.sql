{#- The columns of a query as [{name, type}], by analysis alone: nothing is read. -#}
{% macro describe_query(sql) -%}
{%- set columns = [] -%}
{%- for row in run_query('describe query ' ~ sql) -%}
{%- do columns.append({'name': row[0], 'type': row[1]}) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}
