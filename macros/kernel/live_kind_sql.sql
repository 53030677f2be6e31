{#- Whether a change leaves a row. -#}
{% macro live_kind_sql() -%}
{{ return('_row_kind in (' ~ dbt_changelog.literals(dbt_changelog.live_kinds()) ~ ')') }}
{%- endmacro %}
