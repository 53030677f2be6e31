{#- One of a few words, as it is written. -#}
{% macro parse_choice(where, argument, value, choices) -%}
{%- if value not in choices -%}
{%- set near = dbt_changelog.nearest_name(value | string, choices) -%}
{%- do dbt_changelog.raise_invalid(where, argument,
    "'" ~ value ~ "' is not one of " ~ choices | join(', '),
    'set ' ~ argument ~ "='" ~ near ~ "'" if near else 'set it to one of them') -%}
{%- endif -%}
{{ return(value) }}
{%- endmacro %}
