{#-
  What a changelog folds to, as a subquery: with a key the last change of every key, without deleted
  keys; else every row as often as it came and did not go. columns: of the rows, [{name, type,
  parts}]; order: the names of those of the changelog.
-#}
{% macro folded_sql(model, key, columns, order) -%}
(
{%- if key %}
  with last_changes as (
    select
      max_by(
        struct(*),
        struct({{ dbt_changelog.change_order_sql(order) }})
      ) as _dbtc_last
    from {{ model }}
    group by {{ dbt_changelog.csv(key) }}
  )

  select _dbtc_last.*
  from last_changes
  where {{ dbt_changelog.is_live_sql('_dbtc_last.') }}
{%- else %}
  with {{ dbt_changelog.weights_cte(columns, model, dbt_changelog.weight_sql()) | indent(2) }}

  select {{ dbt_changelog.csv(columns | map(attribute='name')) }}
  from weights
  {{ dbt_changelog.copies_sql() | indent(2) }}
{%- endif %}
) as folded
{%- endmacro %}
