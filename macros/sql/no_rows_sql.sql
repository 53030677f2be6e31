{#- A query without rows: columns is [{name, type}]. -#}
{% macro no_rows_sql(columns) -%}
select
{%- for column in columns %}
  cast(null as {{ column.type }}) as {{ dbt_changelog.quote(column.name) }}
{{- ',' if not loop.last }}
{%- endfor %}
where false
{%- endmacro %}
