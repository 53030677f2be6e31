{#- Table properties as the inside of a tblproperties clause. -#}
{% macro properties_sql(properties) -%}
{%- set items = [] -%}
{%- for name, value in properties | dictsort -%}
{%- do items.append(dbt_changelog.literal(name) ~ ' = ' ~ dbt_changelog.literal(value)) -%}
{%- endfor -%}
{{ return(items | join(',\n')) }}
{%- endmacro %}
