{#-
  The rows of a batch as the state keeps them: one per distinct row, with how much oftener it is
  there than before (_weight). A row that comes as often as it goes is none.
-#}
{% macro batch_weights_sql(plan, batch) -%}
with {{ dbt_changelog.batch_changes_sql(plan, batch) }},

weights as (
  {{ dbt_changelog.sum_weights_sql(plan.compared, 'changes', dbt_changelog.weight_sql())
     | indent(2) }}
)

select
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }},
  _weight,
  cast(0 as bigint) as _weight_before,
  {{ dbt_changelog.row_hash_sql(plan) }} as _image_hash,
  cast({{ batch.id }} as bigint) as _batch_id,
  {{ plan.now }} as _changed_at
from weights
where _weight <> 0
{%- endmacro %}
