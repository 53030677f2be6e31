{#- Keys are never NULL, so they join by plain equality. -#}
{% macro same_key_sql(plan) -%}
{%- set terms = [] -%}
{%- for name in plan.unique_key -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- do terms.append('state.' ~ column ~ ' = batch.' ~ column) -%}
{%- endfor -%}
{{ return(terms | join(' and ')) }}
{%- endmacro %}
