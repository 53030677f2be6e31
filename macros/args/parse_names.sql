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
