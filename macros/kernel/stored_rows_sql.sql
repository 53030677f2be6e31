{#-
  What the state has of the keys of a batch. A row whose state_ttl is over counts as deleted; its
  sequence stays, so late stays late.
-#}
{% macro stored_rows_sql(plan) -%}
{%- set kind = '_row_kind' -%}
{%- if plan.state_ttl not in [none, '0'] -%}
{%- set kind = "if(_changed_at + interval '" ~ plan.state_ttl ~ "' <= " ~ plan.now
    ~ ", 'DELETE', _row_kind) as _row_kind" -%}
{%- endif -%}
select {{ dbt_changelog.csv(plan.payload + plan.passthrough) }}, {{ kind }}, _sequence,
  0 as _ordinal, {{ dbt_changelog.stored_hash_sql(plan) }} as _image_hash, true as _is_stored
  {{- ', ' ~ dbt_changelog.stored_hash_sql(plan, '', as_read=true) ~ ' as _read_hash, _batch_id'
      if plan.since }}
from {{ plan.relations.state }} as state
left semi join {{ plan.relations.changes }} as batch
  on {{ dbt_changelog.same_key_sql(plan) }}
{%- endmacro %}
