{#-
  What the state need not remember goes: rows without a key that came to nothing, tombstones that
  are old enough. After every 16th batch, because it takes as long as a merge.
-#}
{% macro purge_steps(plan, batch) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{%- set format = dbt_changelog.format_of(plan.storage.file_format) -%}
{%- set is_due = format.merges and batch.writes and not batch.creates and batch.id % 16 == 0 -%}
{{ return(dbt_changelog._forget_steps(plan, batch) if is_due and not kernel.appends else []) }}
{%- endmacro %}

{#-
  The rows that are outdated go, where batches are appended, once these are more than a share of the
  keys; and old tombstones with them: one must not go while a row that it deletes is there. Before
  the rows of the batch come. stored: the plan with the columns that the state has before it.
-#}
{% macro compact_steps(plan, batch) -%}
{%- if not batch.compacts -%}
{{ return([]) }}
{%- endif -%}
{%- set log = batch.stored.log -%}
{%- set stored = dbt_changelog.merged(plan, dbt_changelog.restricted(plan, batch.stored.state), {
  'since': log.get('since', 0),
  'compacted': log.get('compacted', log.batch.id),
}) -%}
{{ return([{'name': 'compact state',
            'sql': dbt_changelog.compact_sql(stored, checks=not batch.creates)}]
          + (dbt_changelog._forget_steps(plan, batch) if not batch.creates else [])) }}
{%- endmacro %}

{% macro _forget_steps(plan, batch) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{%- set forgets = plan.get('tombstone_retention', '0') != '0' -%}
{%- if not (kernel.counts_events or forgets) -%}
{{ return([]) }}
{%- endif -%}
{{ return(([{
  'name': 'count forgotten',
  'sql': dbt_changelog.count_forgotten_sql(plan, batch),
  'counts': true,
}] if forgets else []) + [{'name': 'purge state', 'sql': kernel.purge(plan, batch)}]) }}
{%- endmacro %}
