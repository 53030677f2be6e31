{#-
  The ties of a query's changes with what the state has, as tied_changes_sql gives them: up to five.
-#}
{% macro diagnose_ties_sql(plan) -%}
{%- set names = dbt_changelog.csv(plan.payload + plan.passthrough) -%}
with {{ dbt_changelog.diagnose_changes_sql(plan) }},

changes_and_state as (
  select {{ names }}, _row_kind, _sequence, _image_hash, false as _is_stored
  from changes
  union all
  select {{ names }}, _row_kind, _sequence,
    {{ dbt_changelog.stored_hash_sql(plan, as_read=true) }}, true
  from {{ plan.relations.state }}
)

{{ dbt_changelog.tied_changes_sql(plan, 'changes_and_state') }}
  and max(_is_stored)
order by example
limit 5
{%- endmacro %}
