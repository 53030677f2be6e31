{#-
  The rows that are outdated go, where batches are appended, once these are more than a share of the
  keys; and old tombstones with them: one must not go while a row that it deletes is there. Before
  the rows of the batch come. stored: the plan with the columns that the state has before it.

  What a run that died has appended of this batch, in other columns, goes first: it is read again.
-#}
{% macro compact_steps(plan, batch) -%}
{%- set log = batch.stored.log -%}
{%- set uncommitted = [{
  'name': 'delete uncommitted rows',
  'sql': 'delete from ' ~ plan.relations.state ~ '\nwhere _batch_id = ' ~ batch.id,
}] if batch.has_rows and dbt_changelog.kernel_of(log.plan.kernel).appends else [] -%}
{%- if not batch.compacts -%}
{{ return(uncommitted) }}
{%- endif -%}
{%- set stored = dbt_changelog.merged(plan, dbt_changelog.restricted(plan, batch.stored.state), {
  'since': log.get('since', 0),
  'adopted': log.get('adopted', 0),
  'compacted': log.compacted,
}) -%}
{{ return(uncommitted + [{'name': 'compact state',
            'sql': dbt_changelog.compact_sql(stored, checks=not batch.creates)}]
          + (dbt_changelog.forget_steps(plan, batch) if not batch.creates else [])) }}
{%- endmacro %}
