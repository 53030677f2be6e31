{#- The row of a change whose columns are not known. -#}
{% macro image_row_sql(plan) -%}
{{ return('struct(* except (' ~ dbt_changelog.csv(['_row_kind', '_sequence', '_ordinal']
          + plan.passthrough) ~ '))') }}
{%- endmacro %}
