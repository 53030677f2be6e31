{#- true or false. -#}
{% macro parse_flag(where, argument, value) -%}
{%- if value is not boolean -%}
{%- do dbt_changelog.raise_invalid(where, argument, "'" ~ value ~ "' is neither true nor false",
    'write ' ~ argument ~ '=true or ' ~ argument ~ '=false, without quotes') -%}
{%- endif -%}
{{ return(value) }}
{%- endmacro %}
