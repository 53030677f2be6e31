{#-
  A row of counts per model whose state is there. Parquet has another state after each run, so
  these are the current sizes: for a table, not for a view.
-#}
{% macro state_sizes_sql() -%}
{%- set queries = [] -%}
{%- for node in dbt_changelog.changelog_nodes() -%}
{%- set contents = dbt_changelog.contents_relation(node) -%}
{#- without contents even the schema of the state may be missing -#}
{%- if load_relation(contents) is not none -%}
{%- set tables = dbt_changelog.model_tables(node, contents) -%}
{%- do queries.append(dbt_changelog._state_size_sql(node, tables))
    if dbt_changelog.table_exists(tables.relations.state) -%}
{%- endif -%}
{%- endfor -%}
{{ return(queries | join('\nunion all\n') or dbt_changelog.no_rows_sql([
  {'name': 'schema_name', 'type': 'string'},
  {'name': 'model', 'type': 'string'},
  {'name': 'uid', 'type': 'string'},
  {'name': 'state_rows', 'type': 'bigint'},
  {'name': 'live_rows', 'type': 'bigint'},
  {'name': 'tombstones', 'type': 'bigint'},
  {'name': 'waiting_rows', 'type': 'bigint'},
])) }}
{%- endmacro %}

{#-
  The counts of one state. It reads the one column that says what a row is; where events count,
  what neither shows nor is a tombstone waits for its insert. Where batches are appended, a row does
  not know whether its key has a greater one. filter, not count_if: Spark fails when it hands the
  latter down to Iceberg.
-#}
{% macro _state_size_sql(node, tables) -%}
{%- set kernel = dbt_changelog.kernel_of(tables.kernel) -%}
select
  {{ dbt_changelog.literal(node.schema) }} as schema_name,
  {{ dbt_changelog.model_of_uid_sql(dbt_changelog.literal(tables.uid)) }} as model,
  {{ dbt_changelog.literal(tables.uid) }} as uid,
  count(*) as state_rows,
{%- if kernel.appends %}
  cast(null as bigint) as live_rows,
  cast(null as bigint) as tombstones,
{%- else %}
  count(*) filter (where {{ kernel.is_live }}) as live_rows,
  count(*) filter (where {{ kernel.is_tombstone }}) as tombstones,
{%- endif %}
{%- if not kernel.counts_events %}
  cast(0 as bigint) as waiting_rows
{%- else %}
  count(*) filter (where not ({{ kernel.is_live }}) and not ({{ kernel.is_tombstone }}))
    as waiting_rows
{%- endif %}
from {{ tables.relations.state }}
{%- endmacro %}
