{#- '10 minutes' -> '10 minutes', 0 or '0' -> '0' (for ever), none -> none. -#}
{% macro parse_duration(where, argument, value) -%}
{%- if value is none -%}
{{ return(none) }}
{%- endif -%}
{%- set text = value | string | trim | lower -%}
{%- if text == '0' or modules.re.fullmatch('0 (second|minute|hour|day|week)s?', text) -%}
{{ return('0') }}
{%- endif -%}
{%- if value is not string
    or not modules.re.fullmatch('[0-9]+ (second|minute|hour|day|week)s?', text) -%}
{%- do dbt_changelog.raise_invalid(where, argument, "'" ~ value ~ "' is not a duration",
    "write it like '10 minutes'; the units are seconds, minutes, hours, days and weeks") -%}
{%- endif -%}
{{ return(text) }}
{%- endmacro %}
