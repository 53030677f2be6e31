{#- What a changelog without a key folds to: every row as often as it came and did not go. -#}
{% macro fold_weights_sql(model, names) -%}
{%- set columns = dbt_changelog.described_columns(model, names) -%}
(
  select {{ dbt_changelog.csv(columns | map(attribute='name')) }}
  from (
    {{ dbt_changelog.sum_weights_sql(columns, model, dbt_changelog.weight_sql()) | indent(4) }}
  ) as weights
  lateral view explode(array_repeat(0, cast(_weight as int))) copies as _copy
  where _weight > 0
) as folded
{%- endmacro %}
