{#-
  The batch that this run applies: {id, position, creates, replaces, empty, rename_to}.

  The position is what the query says it read; ids go on over full refreshes.
-#}
{% macro next_batch(plan) -%}
{%- set log = dbt_changelog.read_batch_log(plan.relations.state) -%}
{%- set exists = log is not none or dbt_changelog.table_exists(plan.relations.state) -%}
{%- set refresh = should_full_refresh() and not flags.EMPTY -%}
{%- do dbt_changelog.check_state_is_ours(plan, log, exists) -%}
{%- do dbt_changelog.check_drift(plan, log) if exists and not refresh -%}
{%- set last = log.batch if log else {'id': 0, 'position': {}} -%}
{{ return({
  'id': last.id + (0 if flags.EMPTY else 1),
  'last': last,
  'position': last.position if flags.EMPTY else dict(
    {} if refresh else last.position, **dbt_changelog.read_ranges(plan.query)),
  'creates': refresh or not exists,
  'replaces': exists,
  'empty': flags.EMPTY,
  'rename_to': dbt_changelog.name_aside(plan, refresh),
  'statements': [],
  'started_at': modules.datetime.datetime.now(modules.pytz.utc).isoformat(),
}) }}
{%- endmacro %}
