{#- The row of a change event as an image. -#}
{% macro event_row_sql(plan, row) -%}
{{ return(row if plan.produces_full_deletes
          else 'struct(' ~ dbt_changelog.event_row_columns_sql(plan, row) ~ ')') }}
{%- endmacro %}
