{#- The rows of a batch as the state keeps them: one per key. A deleted key keeps only its key. -#}
{% macro batch_rows_sql(plan, batch) -%}
{%- set live = '_last._row_kind in (' ~ dbt_changelog.literals(dbt_changelog.live_kinds()) ~ ')' -%}
with {{ dbt_changelog.batch_changes_sql(plan, batch) }},

last_changes as (
  {{ dbt_changelog.last_changes_sql(plan, 'changes') | indent(2) }}
),

rows_or_tombstones as (
  select
    *,
    if({{ live }}, _last, null) as _row
  from last_changes
  where {{ dbt_changelog.tie_check_sql(plan) }}
)

select
{%- for name in plan.payload + plan.passthrough %}
  {{ dbt_changelog.quote(name) if name in plan.unique_key
     else '_row.' ~ dbt_changelog.quote(name) }},
{%- endfor %}
  _last._sequence,
  _last._row_kind,
  _last._image_hash,
  cast({{ batch.id }} as bigint) as _batch_id,
  false as _was_live,
  {{ plan.now }} as _changed_at
from rows_or_tombstones
{%- endmacro %}
