{#- The changelog that a batch emits where each event counts: its changes, as they are. -#}
{% macro staged_changelog_sql(plan, batch) -%}
select
  _row_kind,
  _sequence,
  _ordinal,
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }},
  cast({{ batch.id }} as bigint) as _batch_id
from {{ plan.relations.changes }}
{%- endmacro %}
