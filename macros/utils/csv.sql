{#- Quoted names in a row: csv(['id', 'line'], prefix='b.') gives "b.`id`, b.`line`". -#}
{% macro csv(names, prefix='', suffix='', separator=', ') -%}
{%- set items = [] -%}
{%- for name in names -%}
{%- do items.append(prefix ~ dbt_changelog.quote(name) ~ suffix) -%}
{%- endfor -%}
{{ return(items | join(separator)) }}
{%- endmacro %}
