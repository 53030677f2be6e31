{#-
  The batch that this run applies, after one that an earlier run began and left is finished.

  The position is what the query says it read; ids go on over full refreshes. Where each row is read
  once, a table and a query that do not both have positions can't go on from each other: it is built
  anew; and nothing new to read is no batch.
-#}
{% macro next_batch(plan) -%}
{%- set function, table = dbt_changelog.function_macros(plan), plan.relations.log -%}
{%- set empty = dbt_changelog.reads_nothing() -%}
{%- set refresh = should_full_refresh() and not empty -%}
{%- set log = dbt_changelog.read_batch_log(table) -%}
{%- set exists = log is not none or dbt_changelog.table_exists(table) -%}
{%- do dbt_changelog.check_state_is_ours(plan, log, exists) -%}
{%- do dbt_changelog.check_version(plan, log)
    if log and not (refresh and function.replaces) -%}
{%- set last = log.batch if log else {'id': 0, 'position': {}} -%}
{%- set staged = dbt_changelog.staged_batch(plan, last) if exists or function.replaces else none -%}
{%- do function.check_lost(plan, refresh) if not exists and not staged -%}
{%- do function.check_drift(plan, log)
    if exists and (staged or not (refresh and function.replaces)) -%}
{%- set planned = dbt_changelog.planned_batch(plan, log) -%}
{%- do dbt_changelog.finish_staged(plan, log, last, staged) if staged -%}
{%- do dbt_changelog.finish_planned(plan, last, planned) if planned -%}
{%- if staged or planned -%}
{%- set log = dbt_changelog.read_batch_log(table) -%}
{%- set last = log.batch -%}
{%- endif -%}
{%- do dbt_changelog.check_ranges(plan, last, refresh) -%}
{%- set ranges = dbt_changelog.read_ranges(plan.query) -%}
{%- set refresh = refresh
    or (plan.reads_once and not empty and not (ranges and last.position)) -%}
{%- set position = last.position if empty
    else dict({} if refresh else last.position, **ranges) -%}
{%- set id = last.id if empty else dbt_changelog.next_id(plan, last) -%}
{%- set creates = log is none or (refresh if function.replaces else last.id == 0) -%}
{%- set batch = dbt_changelog.describe_batch(plan, last, {
  'id': id,
  'position': position,
  'creates': creates,
  'refresh': refresh,
  'replaces': log is not none,
  'rename_to': function.aside(plan, should_full_refresh() and not empty)
    if function.aside else none,
  'alters': dbt_changelog.alter_statements(plan, log, id, creates),
}) -%}
{%- do batch.update({'empty': dbt_changelog.is_idle(plan, batch)}) -%}
{%- do dbt_changelog.check_staging_is_lost(plan, batch) -%}
{{ return(batch) }}
{%- endmacro %}
