{#- One row of the batches table. -#}
{% macro insert_batch_sql(batches, plan, batch, counters) -%}
{%- set is_refresh = batch.replaces and (batch.creates or batch.refresh) -%}
insert into {{ batches }} ({{ dbt_changelog.batch_columns() | join(', ', attribute='name') }})
select
  {{ dbt_changelog.literal(plan.uid) }} as uid,
  cast({{ batch.id }} as bigint) as batch_id,
  {{ dbt_changelog.literal(invocation_id) }} as invocation_id,
  timestamp{{ dbt_changelog.literal(batch.started_at) }} as started_at,
  current_timestamp() as committed_at,
  {{ is_refresh | lower }} as is_full_refresh,
  {{ dbt_changelog.literal(tojson({} if is_refresh else batch.last.position)) }} as from_position,
  {{ dbt_changelog.literal(tojson(batch.position)) }} as to_position,
{%- for name in dbt_changelog.counter_names() %}
  cast({{ counters.get(name, 'null') }} as bigint) as {{ name }}{{ ',' if not loop.last }}
{%- endfor %}
{%- endmacro %}
