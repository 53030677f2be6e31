{#- What a change adds to the number of its rows. -#}
{% macro weight_sql() -%}
{{ return('if(' ~ dbt_changelog.live_kind_sql() ~ ', 1, -1)') }}
{%- endmacro %}
