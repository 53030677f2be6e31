{#- Whether a table is there now. -#}
{% macro table_exists(relation) -%}
{%- set found = run_query('show tables in ' ~ relation.include(identifier=false) ~ ' like '
    ~ dbt_changelog.literal(relation.identifier)) -%}
{{ return(found.rows | length > 0) }}
{%- endmacro %}
