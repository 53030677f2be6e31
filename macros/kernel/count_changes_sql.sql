{#-
  The late and the repeated changes among those that a batch brought: NULL where nothing tells which
  these are, and where the state has the batch already, from a run that was killed.
-#}
{% macro count_changes_sql(plan, batch) -%}
{%- set plan = dict(plan, arrived=dbt_changelog.arrived_sql(plan, batch)) -%}
{%- set known = ' filter (where _arrived is not null)' -%}
with {{ dbt_changelog.batch_changes_sql(plan, batch) }},

hashed_changes as (
  select *, {{ dbt_changelog.image_hash_sql(plan) }} as _image_hash
  from changes
),

places as (
  {{ dbt_changelog.change_places_sql(
      plan, 'hashed_changes', ['batch._arrived', 'state._batch_id']) | indent(2) }}
)

select
  if(is_written, null, late) as events_late,
  if(is_written, null, duplicate) as events_duplicate
from (
  select
    coalesce(max(_batch_id) >= {{ batch.id }}, false) as is_written,
    sum(if(_arrived and place = 'late', 1, 0)){{ known }} as late,
    sum(if(_arrived and place = 'duplicate', 1, 0)){{ known }} as duplicate
  from places
) as counts
{%- endmacro %}
