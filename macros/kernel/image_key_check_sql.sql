{#- No key column of a change may be NULL. -#}
{% macro image_key_check_sql(plan) -%}
case
{%- for name in plan.unique_key %}
  when {{ dbt_changelog.image_key_sql(plan, name) }} is null then
    {{- ' ' ~ dbt_changelog.null_error_sql(plan, 'unique_key', 'key column ' ~ name,
      'name columns that are never NULL' ~ (
        "; if it is a delete whose images lack the key, select '" ~ name ~ "' beside them"
        if plan.columns is not none)) }}
{%- endfor %}
  else true
end
{%- endmacro %}
