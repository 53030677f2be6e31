{#-
  Finishes the batch that an earlier run staged and did not commit, from what it staged: with the
  columns of then. Where each event counts, a batch whose rows are in the state is not merged again.
-#}
{% macro finish_staged(plan, log, last, staged) -%}
{%- set function = dbt_changelog.function_macros(plan) -%}
{%- set plan = dict(plan, **dbt_changelog.restrict_columns(plan,
    dbt_changelog.describe_query('select * from ' ~ plan.relations.changes))) -%}
{%- set alters = dbt_changelog.alter_statements(plan, log, staged.batch.id, staged.creates) -%}
{%- set batch = dbt_changelog.describe_batch(plan, last, {
  'id': staged.batch.id, 'position': staged.batch.position, 'creates': staged.creates,
  'replaces': last.id > 0, 'staged': true, 'alters': alters,
  'merged': plan.counts_events and not staged.creates
            and dbt_changelog.has_batch(plan.relations.state, staged.batch.id),
}) -%}
{%- do dbt_changelog.run_statement(batch, 'claim batch', dbt_changelog.set_properties_sql(
    plan.relations.changes, dbt_changelog.staged_properties(plan, batch))) -%}
{%- set counters = dbt_changelog.run_program(plan, batch, function.program(plan, batch)) -%}
{%- do dbt_changelog.set_log(plan, batch) if not dbt_changelog.commits_itself(plan, batch) -%}
{%- do dbt_changelog.record_batch(plan, batch, counters) -%}
{%- endmacro %}
