{#- Texts as SQL string literals in a row: the inside of an "in (..)" or an array. -#}
{% macro literals(texts) -%}
{%- set items = [] -%}
{%- for text in texts -%}
{%- do items.append(dbt_changelog.literal(text)) -%}
{%- endfor -%}
{{ return(items | join(', ')) }}
{%- endmacro %}
