{#-
  What a kernel is, and the one place that chooses one by its name.

  Traits. counts_events: each event counts, so none may be read twice. stages_batches: its write
  must be repeated on just the same changes. is_live: the condition for a row of the state to be
  shown; is_tombstone: for one that is kept for late events. columns: those of the state beside the
  user's. row_counts: what a batch did to the contents, as aggregates of the rows that it wrote
  (filter, not count_if: Spark fails when it hands the latter down to Iceberg).

  Verbs. changes: the changes of a batch, as CTEs; rows: of them, the state's rows (`state_rows`);
  merge: the statement that puts these into the state; merged: `merged_rows`, the state after it,
  where there is no MERGE; purge: the statement that deletes what need not be remembered, or none;
  emitted, refreshed: what a batch and a full refresh emit (`emitted`); contents: the query of the
  view; standing, ties: what diagnose says of a query's changes beside the state.
-#}
{% macro kernel_of(name) -%}
{{ return({
  'last_write_wins': dbt_changelog.last_write_wins,
  'multiset': dbt_changelog.multiset,
  'snapshot': dbt_changelog.snapshot_rows,
}[name]()) }}
{%- endmacro %}

{#- The events of a batch: a query, that of the model or of a micro-batch. -#}
{% macro events_cte(query) -%}
events as (

{{ query }}

)
{%- endmacro %}

{#- The changes of a batch as CTEs: `changes`, decoded from its events, or staged before. -#}
{% macro batch_changes_ctes(plan, batch, upserts_only=false) -%}
{%- if batch.is_staged -%}
changes as (
  select * from {{ plan.relations.staged }}
)
{%- else -%}
{{ dbt_changelog.events_cte(batch.events) }},

{{ dbt_changelog.decode_ctes(plan, dbt_changelog.every_event_sql(), upserts_only,
                             arrived=batch.arrived) }}
{%- endif -%}
{%- endmacro %}
