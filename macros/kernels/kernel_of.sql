{#-
  What a kernel is, and the one place that chooses one by its name. A kernel says what it is beyond
  the defaults here.

  Traits. counts_events: each event counts, so none may be read twice. compares_states: what is
  emitted is how the state changes, so events need no image of the row before. stages_batches: its
  write must be repeated on just the same changes. by_column: columns may have a sequence of their
  own. appends: a batch is appended, so the state may have several rows a key. truncates_rows: a
  truncate in a batch changes rows of the state. is_live: the condition for a row of the state to be
  shown; is_tombstone: for one that is kept for late events; is_erased: for such a one whose values
  an operation has erased. columns: those of the state beside the user's. row_counts: what a batch
  did to the contents, as aggregates of the rows that it wrote (filter, not count_if: Spark fails
  when it hands the latter down to Iceberg); or count_rows, a query of these counters, where the
  rows that it wrote do not tell.

  Verbs. changes: the changes of a batch, as CTEs; rows: of them, the state's rows (`state_rows`);
  merge: the statement that puts these into the state; merged: `merged_rows`, the state after it,
  where there is no MERGE; outcome: `outcome`, the same rows with the values that the contents
  will have, and whether the MERGE will write them (_dbtc_is_written), or none: it writes all;
  newer, late: queries that count a batch's changes beside the state, if there is something to
  count; purge: the statement that deletes what need not be remembered, or none; erased: what the
  columns of a row become whose values are erased, [{name, sql}], or none: it goes; emitted,
  refreshed: what a batch and a full refresh emit (`emitted`); contents: the query of the view;
  standing, ties: what diagnose says of a query's changes beside the state.
-#}
{% macro kernel_of(name) -%}
{{ return(dict({
  'counts_events': false, 'compares_states': false, 'stages_batches': false, 'by_column': false,
  'appends': false, 'truncates_rows': false, 'count_rows': none, 'merged': none, 'outcome': none,
  'newer': none, 'late': none, 'purge': none, 'erased': none, 'ties': none,
}, **{
  'last_write_wins': dbt_changelog.last_write_wins,
  'merge_on_read': dbt_changelog.merge_on_read,
  'partial_rows': dbt_changelog.partial_rows,
  'versions': dbt_changelog.versions,
  'partial_versions': dbt_changelog.partial_versions,
  'multiset': dbt_changelog.multiset,
  'upsert_materialize': dbt_changelog.upsert_materialize,
  'snapshot': dbt_changelog.snapshot_rows,
}[name]())) }}
{%- endmacro %}

{#-
  The changes of a batch as CTEs: `changes`, decoded from its events, or staged before.
  batch.reader: the plan by which they are decoded, if not the model's.
-#}
{% macro batch_changes_ctes(plan, batch, upserts_only=false) -%}
{%- if batch.is_staged -%}
changes as (
  select * from {{ plan.relations.staged }}
)
{%- else -%}
{%- set reader = batch.reader or plan -%}
{{ dbt_changelog.events_ctes(reader, batch.events) }},

{{ dbt_changelog.decode_ctes(reader, dbt_changelog.every_row_sql('events'), upserts_only,
                             arrived=batch.arrived) }}
{%- endif -%}
{%- endmacro %}
