{#-
  The names of the payload: of the image structs (after's, then what only before has), or of the
  row without its op column; a sequence column whose name starts with '_' is read, not stored.
-#}
{% macro payload_columns(plan, found, columns) -%}
{%- set payload = [] -%}
{%- if plan.images -%}
{%- for column in columns.after + columns.before
    if dbt_changelog.find_name(column.name, payload) is none -%}
{%- do payload.append(column.name) -%}
{%- endfor -%}
{%- else -%}
{%- for column in columns.input
    if column.name != found.op
    and not (column.name in found.sequence_names and column.name.startswith('_')) -%}
{%- do payload.append(column.name) -%}
{%- endfor -%}
{%- endif -%}
{{ return(payload) }}
{%- endmacro %}
