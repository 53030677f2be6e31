{#- A plan's columns with the wider types that the table has: its events are cast to them. -#}
{% macro lifted_columns(plan, narrower) -%}
{%- set types, lifted = {}, {'lifted': []} -%}
{%- for column in narrower -%}
{%- do types.update({column.name: column.stored}) -%}
{%- do lifted.lifted.append({'name': column.name, 'type': column.stored}) -%}
{%- endfor -%}
{%- for part in ['compared', 'state_columns'] -%}
{%- set columns = [] -%}
{%- for column in plan[part] -%}
{%- do columns.append(dict(column, type=types.get(column.name, column.type))) -%}
{%- endfor -%}
{%- do lifted.update({part: columns}) -%}
{%- endfor -%}
{{ return(lifted) }}
{%- endmacro %}
