{#- The name of one column, or none. -#}
{% macro parse_column(where, argument, value) -%}
{%- set names = dbt_changelog.parse_names(where, argument, value) -%}
{%- if names | length > 1 -%}
{%- do dbt_changelog.raise_invalid(where, argument, 'it names several columns: '
    ~ names | join(', '), 'name one column') -%}
{%- endif -%}
{{ return(names[0] if names else none) }}
{%- endmacro %}
