{#-
  The steps that append one batch to an event table, in order: the whole run as data (run_program).
  Pure text of the plan and the batch. A table's changes are staged first, and what follows reads
  only them; changes that are read have just the append, after a note of which.

  | batch.scenario | stage | alter | append | state | commit |
  |---|---|---|---|---|---|
  | first | the diff, or nothing | | create | create | yes |
  | next | the diff, or a note | yes | append | merge | yes |
  | refresh | the diff, or a note | yes | append the difference | merge | yes |
  | resume | claim, or nothing | as it was | unless appended | unless merged | yes |
  | empty | | | create if there is none | | |
  | nothing_new | | | | | |
-#}
{% macro to_changelog_program(plan, batch) -%}
{%- set evolved = dbt_changelog.evolve_plan(plan, batch) -%}
{%- set plan = evolved.plan -%}
{{ return(
  dbt_changelog._begin_steps(plan, batch)
  + (evolved.steps if batch.writes else [])
  + dbt_changelog._event_steps(plan, batch)
  + (dbt_changelog._snapshot_steps(plan, batch) if plan.stages and batch.writes else [])
  + dbt_changelog.commit_steps(plan, batch)
  + dbt_changelog.people_steps(plan, batch)
) }}
{%- endmacro %}

{#- What is to be appended: staged, or a note of what will be read. No change, no batch. -#}
{% macro _begin_steps(plan, batch) -%}
{%- if not batch.writes or batch.scenario == 'resume' or not plan.stages -%}
{%- set log = dbt_changelog.batch_log(plan, batch.last, batch) -%}
{{ return(dbt_changelog.stage_steps(plan, batch, '') if plan.stages else [{
  'name': 'plan batch',
  'guards': dbt_changelog.guards(plan, batch, 'commit'),
  'sql': dbt_changelog.set_properties_sql(
    plan.relations.batch_log, log.properties, log.comment),
}] if batch.writes and not batch.creates and batch.scenario != 'resume' else []) }}
{%- endif -%}
{%- set look = {
  'name': 'look for changes',
  'sql': 'select count(*) as written\nfrom (select 1 from ' ~ plan.relations.staged ~ ' limit 1)',
  'ends': {'without': 'written', 'sql': dbt_changelog.unstage_sql(plan, batch)},
} -%}
{{ return(dbt_changelog.stage_steps(plan, batch, dbt_changelog.diff_of_batch_sql(plan, batch))
          + ([] if batch.creates else [look])) }}
{%- endmacro %}

{#- The change events of the batch, in one commit. -#}
{% macro _event_steps(plan, batch) -%}
{%- set table = plan.relations.batch_log -%}
{%- if batch.appended or not (batch.writes or batch.creates) -%}
{{ return(dbt_changelog._count_events_steps(plan, batch) if batch.writes else []) }}
{%- endif -%}
{%- set is_empty = batch.scenario == 'empty' -%}
{%- set events = dbt_changelog.no_events_sql(plan) if is_empty
    else dbt_changelog.events_of_batch_sql(plan, batch) -%}
{#- a new table has the batch log of no batch yet: it is committed after all of it is written -#}
{%- set log = dbt_changelog.batch_log(plan, batch.last, none if plan.stages or is_empty else batch)
-%}
{%- set columns = plan.state_columns + [{'name': plan.op}] -%}
{{ return([{
  'name': 'create event table' if is_empty else 'append changelog',
  'guards': (dbt_changelog.guards(plan, batch, 'first') if not plan.stages or is_empty else [])
    + ([] if is_empty else dbt_changelog.guards(plan, batch, 'append')),
  'sql': dbt_changelog.create_table_sql(
      table, plan.storage, columns, log.properties, events, log.comment,
      is_new=not batch.has_changelog) if batch.creates
    else dbt_changelog.append_sql(table, dbt_changelog.event_names(plan), events),
}] + ([] if is_empty else dbt_changelog._count_events_steps(plan, batch))) }}
{%- endmacro %}

{#- How many change events the batch appended. -#}
{% macro _count_events_steps(plan, batch) -%}
{{ return([{
  'name': 'count events',
  'sql': 'select count(*) as rows_inserted\nfrom ' ~ plan.relations.batch_log
    ~ '\nwhere _batch_id = ' ~ batch.id,
  'counts': true,
}]) }}
{%- endmacro %}

{#- The rows of the query as the state knows them from now on. -#}
{% macro _snapshot_steps(plan, batch) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{%- set storage = dbt_changelog.state_storage(dbt_changelog.sibling_storage(plan.storage)) -%}
{%- set format = dbt_changelog.format_of(storage.file_format) -%}
{%- set rows = dbt_changelog.chain_sql(
    [kernel.changes(plan, batch), kernel.rows(plan, batch)], 'state_rows',
    dbt_changelog.written_columns_sql(
      plan.payload + plan.passthrough
      + (['_row_kind'] if plan.unique_key and not batch.creates else []) + kernel.columns,
      plan.state_columns),
    dbt_changelog.state_order(plan, batch)) -%}
{{ return(([] if batch.merged else [{
  'name': 'write state',
  'guards': dbt_changelog.guards(plan, batch, 'state'),
  'sql': dbt_changelog.create_table_sql(plan.relations.state, storage, plan.state_columns,
      {'dbt_changelog.uid': plan.uid}, rows, '', format.state_options if plan.unique_key else '')
    if batch.creates else kernel.merge(plan, rows),
}]) + dbt_changelog.purge_steps(plan, batch)) }}
{%- endmacro %}
