{#-
  A batch with what the program has to know of the tables: {id, position, last, creates, replaces,
  refresh, empty, idle, staged, appended, merged, has_state, has_changelog, ..}; state: the table
  that has it after the batch; statements: those that ran; wrote: whether it has rows in the state;
  result: of the statement that counts.
-#}
{% macro describe_batch(plan, last, batch) -%}
{%- set has_state = dbt_changelog.table_exists(plan.relations.state) -%}
{%- set has_changelog = plan.changelog and dbt_changelog.table_exists(plan.relations.changelog) -%}
{{ return(dict({
  'last': last,
  'staged': false,
  'appended': has_changelog and dbt_changelog.has_batch(plan.relations.changelog, batch.id),
  'merged': false,
  'has_changelog': has_changelog,
  'has_state': has_state,
  'state': dbt_changelog.written_state(plan, batch.id),
  'old_columns': dbt_changelog.describe_query('select * from ' ~ plan.relations.state)
    if has_state and has_changelog and batch.creates else [],
  'alters': [],
  'rename_to': none,
  'empty': false,
  'idle': false,
  'wrote': true,
  'result': none,
  'refresh': false,
  'invocation_id': invocation_id,
  'statements': [],
  'started_at': modules.datetime.datetime.now(modules.pytz.utc).isoformat(),
}, **batch)) }}
{%- endmacro %}
