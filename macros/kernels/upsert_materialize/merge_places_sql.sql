{#-
  One commit for all lists. Each row that it writes gets the batch's id; one without a copy that is
  left too, which stays until it is purged (is_written_once_sql).
-#}
{% macro merge_places_sql(plan, rows) -%}
{%- set own = dbt_changelog.upsert_materialize().columns -%}
{{ dbt_changelog.merge_sql(plan, rows, {
  'same': dbt_changelog.same_key_sql(plan) ~ '\n  and ' ~ dbt_changelog.same_row_sql(plan),
  'is_changed': dbt_changelog.is_written_once_sql(plan),
  'changed': dbt_changelog.columns_of_change(own | reject('equalto', '_image_hash')),
  'columns': plan.payload + plan.passthrough + own,
}) }}
{%- endmacro %}
