{#-
  A column as something that can be hashed and compared: maps have neither hash nor order, and the
  hash of a struct or an array skips its NULLs.
-#}
{% macro comparable_sql(column, type) -%}
{%- if type.startswith('map<') -%}
{%- set column = 'array_sort(map_entries(' ~ column ~ '))' -%}
{%- endif -%}
{%- if modules.re.match('(map|struct|array)<|variant', type) -%}
{%- set column = "to_json(struct(" ~ column ~ "), map('ignoreNullFields', 'false'))" -%}
{%- endif -%}
{{ return(column) }}
{%- endmacro %}
