{#- Whether two rows are the same: found by their hash, decided by all of their columns. -#}
{% macro same_row_sql(plan) -%}
{%- set terms, comparable = ['state._image_hash = batch._image_hash'], dbt_changelog.comparable_sql
-%}
{%- for column in plan.compared -%}
{%- set name = dbt_changelog.quote(column.name) -%}
{%- do terms.append(
    comparable('state.' ~ name, column) ~ ' <=> ' ~ comparable('batch.' ~ name, column)) -%}
{%- endfor -%}
{{ return(terms | join('\n  and ')) }}
{%- endmacro %}
