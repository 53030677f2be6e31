{#- What a change adds to the number of its rows. -#}
{% macro weight_sql() -%}
{{ return('if(_row_kind in (' ~ dbt_changelog.literals(dbt_changelog.live_kinds()) ~ '), 1, -1)') }}
{%- endmacro %}
