{#-
  The counts of one state. It reads the one column that says what a row is; what neither shows nor
  is a tombstone waits for its insert. filter, not count_if: Spark fails when it hands the latter
  down to Iceberg.
-#}
{% macro state_size_sql(node, tables) -%}
{%- set kernel = dbt_changelog.kernel_macros({'kernel': dbt_changelog.model_kernel(node)}) -%}
select
  {{ dbt_changelog.literal(node.schema) }} as schema_name,
  {{ dbt_changelog.literal(dbt_changelog.model_name(node)) }} as model,
  {{ dbt_changelog.literal(tables.uid) }} as uid,
  count(*) as state_rows,
  count(*) filter (where {{ kernel.is_live }}) as live_rows,
  count(*) filter (where {{ kernel.is_tombstone }}) as tombstones,
  count(*) filter (where not ({{ kernel.is_live }}) and not ({{ kernel.is_tombstone }}))
    as waiting_rows
from {{ tables.relations.state }}
{%- endmacro %}
