{#- An unknown argument is an error that names the nearest valid one: it is a typing error. -#}
{% macro check_argument_names(where, given, valid) -%}
{%- for name, value in given | dictsort if name not in valid and value is not none -%}
{%- set near = dbt_changelog.nearest_name(name, valid) -%}
{%- do dbt_changelog.raise_invalid(where, name, 'there is no such argument',
    ("use '" ~ near ~ "'") if near
    else ('use one of ' ~ valid | sort | join(', ') ~ '; a config of your own belongs in meta'))
-%}
{%- endfor -%}
{%- endmacro %}
