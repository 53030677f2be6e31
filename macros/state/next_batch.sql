{#-
  The batch that this run applies, after one that an earlier run staged and left is finished.

  The position is what the query says it read; ids go on over full refreshes. Where each event
  counts, a state and a query that do not both have positions can't go on from each other: the state
  is built anew; and nothing new to read is no batch.
-#}
{% macro next_batch(plan) -%}
{%- set refresh = should_full_refresh() and not flags.EMPTY -%}
{%- set log = dbt_changelog.read_batch_log(plan.relations.state) -%}
{%- set exists = log is not none or dbt_changelog.table_exists(plan.relations.state) -%}
{%- do dbt_changelog.check_state_is_ours(plan, log, exists) -%}
{%- do dbt_changelog.check_version(plan, log) if log and not refresh -%}
{%- set last = log.batch if log else {'id': 0, 'position': {}} -%}
{%- set staged = dbt_changelog.staged_batch(plan, last) -%}
{%- do dbt_changelog.check_state_is_lost(plan, refresh) if not exists and not staged -%}
{%- do dbt_changelog.check_drift(plan, log) if exists and (staged or not refresh) -%}
{%- if staged -%}
{%- do dbt_changelog.finish_staged(plan, log, last, staged) -%}
{%- set log = dbt_changelog.read_batch_log(plan.relations.state) -%}
{%- set last = log.batch -%}
{%- endif -%}
{%- do dbt_changelog.check_ranges(plan, last, refresh) -%}
{%- set ranges = dbt_changelog.read_ranges(plan.query) -%}
{%- set refresh = refresh
    or (plan.counts_events and not flags.EMPTY and not (ranges and last.position)) -%}
{%- set position = last.position if flags.EMPTY
    else dict({} if refresh else last.position, **ranges) -%}
{%- set creates = refresh or log is none -%}
{%- set batch = dbt_changelog.describe_batch(plan, last, {
  'id': last.id + (0 if flags.EMPTY else 1),
  'position': position,
  'creates': creates,
  'replaces': log is not none,
  'rename_to': dbt_changelog.name_aside(plan, should_full_refresh() and not flags.EMPTY),
  'alters': dbt_changelog.alter_statements(plan, log, last.id + 1, creates),
}) -%}
{%- do dbt_changelog.check_staging_is_lost(plan, batch) -%}
{%- do batch.update({'empty': dbt_changelog.is_idle(plan, batch)}) -%}
{{ return(batch) }}
{%- endmacro %}
