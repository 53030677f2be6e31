{#- What is new in a relation is asked before the query runs: no ephemeral model is there yet. -#}
{% macro check_is_table(where, name, relation) -%}
{%- if relation is not string and relation.is_cte -%}
{%- do dbt_changelog.raise_invalid(where, name, "'" ~ relation.identifier
    | replace('__dbt__cte__', '') ~ "' is ephemeral: it is a part of this query, and what is new"
    ~ ' in it can not be asked before', "set materialized='view' for it") -%}
{%- endif -%}
{%- endmacro %}
