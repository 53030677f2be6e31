{#-
  The changelog that a full refresh emits where each event counts: how the new weights differ from
  the old. Weights, not contents: a row that waits below zero is in the changelog, too.
-#}
{% macro refresh_weights_sql(plan, batch) -%}
with {{ dbt_changelog.weights_beside_state_sql(
    plan, plan.relations.changes, dbt_changelog.old_columns_sql(plan, batch)) }}

select
  _row_kind,
  null as _sequence,
  0 as _ordinal,
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }},
  cast({{ batch.id }} as bigint) as _batch_id
from differences
lateral view explode(array_repeat(
  if(_weight > 0, 'INSERT', 'DELETE'), cast(abs(_weight) as int)
)) kinds as _row_kind
{%- endmacro %}
