{#- The column as the input spells it; an error that names the columns when it is not there. -#}
{% macro require_column(where, argument, name, names) -%}
{%- set found = dbt_changelog.find_name(name, names) -%}
{%- if found is none -%}
{%- set near = dbt_changelog.nearest_name(name, names) -%}
{%- do dbt_changelog.raise_invalid(where, argument, "column '" ~ name
    ~ "' is not in the input. Its columns are: " ~ names | join(', '),
    ("write '" ~ near ~ "' instead of '" ~ name ~ "'" if near else 'name one of them')
    ~ ", or select '" ~ name ~ "' in the query") -%}
{%- endif -%}
{{ return(found) }}
{%- endmacro %}
