{#- The changelog that a batch emits: what is fresh in it, state-backed or as the events said. -#}
{% macro batch_changelog_sql(plan, batch) -%}
{%- set has_state = batch.has_state and not batch.creates -%}
{%- set fresh = dbt_changelog.fresh_changes_sql(plan, has_state) -%}
select
  _row_kind,
  _sequence,
  if(_row_kind = 'UPDATE_AFTER', 1, 0) as _ordinal,
  {{ dbt_changelog.csv(plan.payload + plan.passthrough, separator=',\n  ') }},
  cast({{ batch.id }} as bigint) as _batch_id
from (
  {{ (dbt_changelog.emit_changes_sql(plan, fresh, has_state) if plan.state_backed
      else fresh) | indent(2) }}
) as emitted
{{- '\nwhere not _is_stored' if has_state and not plan.state_backed }}
{%- endmacro %}
