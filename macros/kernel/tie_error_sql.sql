{#- The error for two different changes of one key and sequence. -#}
{% macro tie_error_sql(plan, side, sequence) -%}
{{ return(dbt_changelog.raise_error_sql(
  "Invalid 'sequence_by' in " ~ plan.where
  ~ ': two different changes of one key have one sequence, ',
  'to_json(struct(' ~ dbt_changelog.csv(plan.unique_key, prefix=side) ~ ', ' ~ sequence
  ~ ' as _sequence))',
  ".\nTo fix: add a column to sequence_by that orders them, or set tie_handling='LAST'.")) }}
{%- endmacro %}
