{#- The row as text, to order changes that nothing else orders. -#}
{% macro image_text_sql(plan, side='') -%}
{%- if plan.compared is none -%}
{{ return(dbt_changelog.row_text_sql(dbt_changelog.image_row_sql(plan))) }}
{%- endif -%}
{{ return(dbt_changelog.row_text_sql(
    'struct(' ~ dbt_changelog.csv(plan.payload | reject('in', plan.uncompared), prefix=side) ~ ')'
)) }}
{%- endmacro %}
