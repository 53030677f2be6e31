{#- Values of arguments, each checked by itself: what it may be, or an error that says so. -#}

{#- A column name or a list of them -> a list. No parsing: a name may hold commas and dots. -#}
{% macro parse_names(where, argument, value) -%}
{%- set names = [] if value is none else [value] if value is string else value -%}
{%- if names is mapping or names is not iterable -%}
{%- do dbt_changelog.raise_invalid(where, argument, 'it is neither a name nor a list of names, but '
    ~ value, 'write ' ~ argument ~ "='id', or a list of columns") -%}
{%- endif -%}
{%- for name in names if name is not string or not name -%}
{%- do dbt_changelog.raise_invalid(where, argument, "'" ~ name ~ "' is not the name of a column",
    'write every name as a string') -%}
{%- endfor -%}
{%- if names | map('lower') | unique | list | length < names | length -%}
{%- do dbt_changelog.raise_invalid(where, argument, 'it names a column twice: '
    ~ names | join(', '), 'name each column once') -%}
{%- endif -%}
{{ return(names | list) }}
{%- endmacro %}

{#- The name of one column, or none. -#}
{% macro parse_column(where, argument, value) -%}
{%- set names = dbt_changelog.parse_names(where, argument, value) -%}
{%- if names | length > 1 -%}
{%- do dbt_changelog.raise_invalid(where, argument, 'it names several columns: '
    ~ names | join(', '), 'name one column') -%}
{%- endif -%}
{{ return(names[0] if names else none) }}
{%- endmacro %}

{#- The name of a column that the contents get, or none. -#}
{% macro parse_new_column(where, argument, value, example) -%}
{%- if value is not none and (value is not string or not value) -%}
{%- do dbt_changelog.raise_invalid(where, argument, "'" ~ value ~ "' is not the name of a column"
    ~ ' that the contents get', 'write a name that no column has, for example ' ~ argument ~ "='"
    ~ example ~ "'") -%}
{%- endif -%}
{{ return(value) }}
{%- endmacro %}

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

{#- true or false. -#}
{% macro parse_flag(where, argument, value) -%}
{%- if value is not boolean -%}
{%- do dbt_changelog.raise_invalid(where, argument, "'" ~ value ~ "' is neither true nor false",
    'write true or false, without quotes') -%}
{%- endif -%}
{{ return(value) }}
{%- endmacro %}

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
