{#- Each of the columns as the input spells it. -#}
{% macro require_columns(where, argument, wanted, names) -%}
{%- set found = [] -%}
{%- for name in wanted -%}
{%- do found.append(dbt_changelog.require_column(where, argument, name, names)) -%}
{%- endfor -%}
{{ return(found) }}
{%- endmacro %}
