{#- One of a few words, as it is written. -#}
{% macro parse_choice(where, argument, value, choices) -%}
{%- if value not in choices -%}
{%- do dbt_changelog.raise_invalid(where, argument,
    "'" ~ value ~ "' is not one of " ~ choices | join(', '),
    'set ' ~ argument ~ "='" ~ choices[0] ~ "'") -%}
{%- endif -%}
{{ return(value) }}
{%- endmacro %}
