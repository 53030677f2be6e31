{#- Keys are never NULL, so they join by plain equality. -#}
{% macro same_key_sql(plan) -%}
{%- set terms = [] -%}
{%- for name in plan.unique_key -%}
{%- do terms.append('state.' ~ dbt_changelog.quote(name) ~ ' = batch.' ~ dbt_changelog.quote(name)) -%}
{%- endfor -%}
{{ return(terms | join(' and ')) }}
{%- endmacro %}
