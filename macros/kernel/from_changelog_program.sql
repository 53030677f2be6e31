{#-
  The statements that apply one batch to the state, in order. Where there are several, the changes
  are staged first, and all that follows reads only them; a batch that was staged before goes on
  there. A purge is worth its time now and then.
-#}
{% macro from_changelog_program(plan, batch) -%}
{%- set statements, kernel = [], dbt_changelog.kernel_macros(plan) -%}
{%- set rows = kernel.rows(plan, batch) -%}
{%- set rows = dbt_changelog.constraint_checks_sql(plan, rows, kernel.is_live)
    if plan.constraints else rows -%}
{%- set rows = rows if dbt_changelog.is_staged(plan, batch)
    else dbt_changelog.partition_checks_sql(plan, rows) -%}
{%- if dbt_changelog.is_staged(plan, batch) and not batch.staged -%}
{%- do statements.append({'name': 'stage changes',
    'sql': dbt_changelog.stage_changes_sql(plan, batch)}) -%}
{%- endif -%}
{%- do statements.extend(batch.alters) -%}
{%- if plan.changelog and not (batch.empty or batch.appended) -%}
{%- set refreshes = batch.creates and batch.has_state and batch.has_changelog -%}
{%- set emitted = (kernel.refreshed if refreshes else kernel.changelog)(plan, batch) -%}
{%- set emitted = dbt_changelog.constraint_checks_sql(plan, emitted,
    dbt_changelog.live_kind_sql()) if plan.constraints else emitted -%}
{%- do statements.append({'name': 'append changelog',
    'sql': dbt_changelog.append_changelog_sql(plan, batch, emitted)}) -%}
{%- endif -%}
{%- do statements.append({'name': 'write state',
    'sql': dbt_changelog.write_state_sql(plan, batch, rows)})
    if batch.creates or not (batch.empty or batch.merged) -%}
{%- if kernel.purge and not (batch.creates or batch.empty) and batch.id % 16 == 0 -%}
{%- do statements.append({'name': 'purge state', 'sql': kernel.purge(plan, batch)}) -%}
{%- endif -%}
{{ return(statements) }}
{%- endmacro %}
