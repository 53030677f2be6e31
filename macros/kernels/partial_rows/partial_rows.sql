{#-
  The kernel of models with a key whose events are not the whole of their row: columns that were not
  sent, truncates, soft deletes. Each column takes the value of the last event that set it, so the
  state has a sequence per such column, and those of the last upsert and delete. Its traits, and its
  verbs (kernel_of).

  A truncate is a row of the state without a key: none is ever forgotten.
-#}
{% macro partial_rows() -%}
{%- set live = dbt_changelog.is_live_sql() -%}
{%- set rows = 'count(*) filter (where ' -%}
{{ return({
  'compares_states': true,
  'by_column': true,
  'truncates_rows': true,
  'is_live': live,
  'is_tombstone': "_row_kind = 'DELETE'",
  'is_erased': '_image_hash is null and _upserted is not null',
  'columns': ['_sequence', '_row_kind', '_image_hash', '_upserted', '_removed', '_sequences',
              '_batch_id', '_was_live', '_changed_at'],
  'row_counts': {
    'rows_inserted': rows ~ live ~ ' and not _was_live)',
    'rows_updated': rows ~ live ~ ' and _was_live)',
    'rows_deleted': rows ~ "_row_kind = 'DELETE' and _was_live)",
    'truncates': rows ~ "_row_kind = 'TRUNCATE')",
  },
  'changes': dbt_changelog.sent_changes_ctes,
  'changes_name': 'sent_changes',
  'rows': dbt_changelog.settled_rows_ctes,
  'merge': dbt_changelog.merge_values_sql,
  'merged': dbt_changelog.merged_values_ctes,
  'outcome': dbt_changelog.outcome_of_values_cte,
  'newer': dbt_changelog.count_newer_values_sql,
  'late': dbt_changelog.count_late_values_sql,
  'purge': dbt_changelog.purge_tombstones_sql,
  'erased': dbt_changelog.erased_values,
  'emitted': dbt_changelog.emitted_rows_ctes,
  'refreshed': dbt_changelog.refreshed_ctes,
  'contents': dbt_changelog.contents_sql,
  'standing': dbt_changelog.count_value_places_sql,
}) }}
{%- endmacro %}

{#-
  The changes of a batch, with what each has sent, as CTEs: -> `sent_changes`. Every group of kinds
  is an upsert. An UPDATE_BEFORE is a delete, unless another change of its key has its sequence.
-#}
{% macro sent_changes_ctes(plan, batch) -%}
{%- if batch.is_staged -%}
sent_changes as (
  select * from {{ plan.relations.staged }}
)
{%- else -%}
{{ dbt_changelog.batch_changes_ctes(plan, batch, upserts_only=true) }},

{{ dbt_changelog.sent_values_ctes(plan, batch.arrived, batch.creates
    or dbt_changelog.format_of(plan.storage.file_format).takes_random) }}
{%- endif -%}
{%- endmacro %}

{#-
  `changes` -> `sent_changes`: _dbtc_sent says of each column that may not be sent whether it was.
  The image hash is of the columns that always are.

  Rows, deletes and truncates each read all of it. Spark computes a CTE anew for each reader, unless
  something in it is random: to parse messages costs more than to shuffle what was read of them. The
  hint says where the changes go in that shuffle, so that the rows need no other one.
  takes_random: not so in Iceberg's MERGE, which takes nothing that is random.
-#}
{% macro sent_values_ctes(plan, arrived, takes_random) -%}
{%- set columns, sent, live = [], [], dbt_changelog.is_live_sql() -%}
{%- set is_once = takes_random and plan.wire and plan.wire.schema -%}
{%- set hint = ' /*+ repartition(' ~ dbt_changelog.csv(plan.unique_key) ~ ') */' if is_once
    else '' -%}
{%- set once = 'rand(0) >= 0  -- all rows; keeps Spark from reading the messages more than once'
    if is_once -%}
{%- for name in plan.payload + plan.passthrough -%}
{%- set column = dbt_changelog.quote(name) -%}
{%- do columns.append("if(_row_kind = 'TRUNCATE', null, " ~ column ~ ') as ' ~ column
    if (plan.truncates or plan.get('truncates_are_rows')) and name in plan.unique_key
    else column) -%}
{%- endfor -%}
{%- for column in plan.partial -%}
{%- do sent.append(live ~ ' and not (' ~ column.unsent ~ ') as '
    ~ dbt_changelog.quote(column.name)) -%}
{%- endfor -%}
{{ 'all_changes' if plan.has_update_before else 'sent_changes' }} as (
  select{{ hint if not plan.has_update_before }}
    _row_kind,
    _sequence,
    {{ columns | join(',\n    ') }},
{%- if sent %}
    {{ dbt_changelog.call_sql('struct', sent) | indent(4) }} as _dbtc_sent,
{%- endif %}
    {{ dbt_changelog.image_hash_sql(dbt_changelog.whole_plan(plan)) | indent(4) }} as _image_hash
{{- ',\n    _dbtc_arrived' if arrived }}
  from changes
{{- '\n  where ' ~ once if once and not plan.has_update_before }}
)
{%- if plan.has_update_before %},

accompanied_changes as (
  select
    *,
    max(_row_kind <> 'UPDATE_BEFORE') over (
      partition by {{ dbt_changelog.csv(plan.unique_key) }}, _sequence
    ) as _dbtc_is_accompanied
  from all_changes
),

sent_changes as (
  select{{ hint }} * except (_dbtc_is_accompanied)
  from accompanied_changes
  where (_row_kind <> 'UPDATE_BEFORE' or not _dbtc_is_accompanied)
{{- '\n    and ' ~ once if once }}
)
{%- endif -%}
{%- endmacro %}

{#- A plan whose compared columns are those that every event sends. -#}
{% macro whole_plan(plan) -%}
{{ return(dict(plan, compared=plan.compared | rejectattr(
    'name', 'in', plan.partial | map(attribute='name') | list) | list)) }}
{%- endmacro %}
