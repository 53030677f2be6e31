{#-
  The table of batches of a schema: a row per committed batch, for people. Of a run only one without
  a batch log reads it, for the ids that were given before (next_batch).
-#}
{% macro batches_relation(relation) -%}
{{ return(relation.incorporate(path={'identifier': 'dbt_changelog_batches'}, type='table')) }}
{%- endmacro %}

{#- The columns of the table of batches: [{name, type}]. -#}
{% macro batch_columns() -%}
{%- set columns = [
  {'name': 'uid', 'type': 'string'},
  {'name': 'batch_id', 'type': 'bigint'},
  {'name': 'invocation_id', 'type': 'string'},
  {'name': 'started_at', 'type': 'timestamp'},
  {'name': 'committed_at', 'type': 'timestamp'},
  {'name': 'is_full_refresh', 'type': 'boolean'},
  {'name': 'from_position', 'type': 'string'},
  {'name': 'to_position', 'type': 'string'},
] -%}
{%- for name in dbt_changelog.counter_names() -%}
{%- do columns.append({'name': name, 'type': 'bigint'}) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}

{#- The counters of a batch: rows are those of the contents, events are rows of the query. -#}
{% macro counter_names() -%}
{{ return(['rows_inserted', 'rows_updated', 'rows_deleted', 'events_late', 'events_duplicate',
           'events_invalid', 'truncates', 'values_unknown', 'tombstones_forgotten', 'rows_hidden',
           'events_ignored', 'events_dropped', 'events_waiting']) }}
{%- endmacro %}

{#- Those of them that say what there is after a batch: of several batches the last one counts. -#}
{% macro level_names() -%}
{{ return(['rows_hidden', 'events_waiting']) }}
{%- endmacro %}

{#- Rows for the table of batches: of selects (batches_row_sql), each of which would be a file. -#}
{% macro insert_batches_sql(table, rows) -%}
insert into {{ table }} (
  {{ dbt_changelog.batch_columns() | join(',\n  ', attribute='name') }}
)
{%- if rows | length == 1 %}
{{ rows[0] }}
{%- else %}
select /*+ coalesce(1) */ *
from (
{{ rows | join('\nunion all\n') }}
)
{%- endif %}
{%- endmacro %}

{#- The row of a batch, as a query. The interpreter puts the counters in place of their names. -#}
{% macro batches_row_sql(plan, batch) -%}
select
  {{ dbt_changelog.literal(plan.uid) }} as uid,
  cast({{ batch.id }} as bigint) as batch_id,
  {{ dbt_changelog.literal(batch.run) }} as invocation_id,
  timestamp{{ dbt_changelog.literal(batch.started_at) }} as started_at,
  {{ 'timestamp' ~ dbt_changelog.literal(batch.committed_at) if batch.committed_at
     else 'current_timestamp()' }} as committed_at,
  {{ batch.refreshes | lower }} as is_full_refresh,
  {{ dbt_changelog.literal(tojson({} if batch.refreshes else batch.last.position))
     ~ ' as from_position' }},
  {{ dbt_changelog.literal(tojson(batch.position)) }} as to_position,
{%- for name in dbt_changelog.counter_names() %}
  cast({{ '{' ~ name ~ '}' }} as bigint) as {{ name }}{{ ',' if not loop.last }}
{%- endfor %}
{%- endmacro %}
