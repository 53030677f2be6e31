{#- What stops a diff: other columns, a NULL in a key, two rows of one key. Else false. -#}
{% macro diff_check_sql(plan) -%}
{%- set key = 'to_json(struct(' ~ dbt_changelog.csv(plan.unique_key) ~ '))' -%}
{%- set nulls = dbt_changelog.csv(plan.unique_key, suffix=' is null', separator=' or ') -%}
case
  when {{ nulls }} then
    {{- ' ' ~ dbt_changelog.raise_error_sql("Invalid 'unique_key' in " ~ plan.where
      ~ ': it is NULL in a row of key ', key,
      '.\nTo fix: name columns that are never NULL, or leave unique_key out: then rows are'
      ~ ' counted.') }}
  when _is_second then
    {{- ' ' ~ dbt_changelog.raise_error_sql("Invalid 'unique_key' in " ~ plan.where
      ~ ': two rows of one table have the key ', key,
      '.\nTo fix: add the columns that tell them apart, or leave unique_key out.') }}
  else false
end
{%- endmacro %}
