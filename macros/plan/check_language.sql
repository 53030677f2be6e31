{#- The query is a part of the statements that we write. -#}
{% macro check_language(where, node) -%}
{%- if node.language | default('sql') != 'sql' -%}
{%- do dbt_changelog.raise_invalid(where, 'language', 'it is a Python model',
    'write the query in SQL, or read a Python model of yours with ref()') -%}
{%- endif -%}
{%- endmacro %}
