{#- The error for rows that have a column of the name of the op column. -#}
{% macro op_clash_error_sql(plan) -%}
{{ return(dbt_changelog.raise_error_sql(
  "Invalid 'op' in " ~ plan.where ~ ": the rows have a column '" ~ plan.op ~ "' too.\n"
  ~ 'To fix: give op another name, or set before and after.')) }}
{%- endmacro %}
