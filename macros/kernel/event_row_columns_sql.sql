{#-
  The columns of a row of a change event. Where a deleted row keeps just its key, the row is NULL
  there and the key stands before it, since the names of its other columns are not known.
-#}
{% macro event_row_columns_sql(plan, row) -%}
{%- set key = dbt_changelog.csv(plan.unique_key | reject('in', plan.passthrough)) -%}
{%- if plan.produces_full_deletes or not key -%}
{{ return(row ~ '.*') }}
{%- endif -%}
{{ return(key ~ ', ' ~ row ~ '.* except (' ~ key ~ ')') }}
{%- endmacro %}
