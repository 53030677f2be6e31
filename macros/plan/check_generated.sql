{#- None of the names may be one that we write beside them. -#}
{% macro check_generated(where, generated, names) -%}
{%- for name in names if dbt_changelog.find_name(name, generated) is not none -%}
{%- do dbt_changelog.raise_invalid(where, 'input',
    "its column '" ~ name ~ "' has the name of a column that is generated",
    'rename or leave it out in the query') -%}
{%- endfor -%}
{%- endmacro %}
