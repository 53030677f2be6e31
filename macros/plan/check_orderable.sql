{#- Keys and sequences are compared: maps and variants can't be. -#}
{% macro check_orderable(where, argument, name, types) -%}
{%- if modules.re.search('map<|variant|interval', types[name]) -%}
{%- do dbt_changelog.raise_invalid(where, argument, 'its type is ' ~ types[name]
    ~ ', which has no order', 'name a column of another type, or cast it in the query') -%}
{%- endif -%}
{%- endmacro %}
