{#- Whether a change leaves a row. side: where it stands, with a dot. -#}
{% macro live_kind_sql(side='') -%}
{{ return(side ~ '_row_kind in (' ~ dbt_changelog.literals(dbt_changelog.live_kinds()) ~ ')') }}
{%- endmacro %}
