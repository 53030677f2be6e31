{#-
  One commit for all weights. Each row that it writes gets the batch's id; that of weight zero too,
  which stays until it is purged (is_written_once_sql).
-#}
{% macro merge_weights_sql(plan, rows) -%}
{{ dbt_changelog.merge_sql(plan, rows, {
  'same': dbt_changelog.same_row_sql(plan),
  'is_changed': dbt_changelog.is_written_once_sql(plan),
  'changed': dict(dbt_changelog.columns_of_change(['_batch_id', '_changed_at']),
                  _weight='state._weight + change._weight', _weight_before='state._weight'),
  'columns': plan.payload + plan.passthrough + dbt_changelog.multiset().columns,
}) }}
{%- endmacro %}
