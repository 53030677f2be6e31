{#-
  The steps that apply one batch to the state, in order: the whole run as data (run_program). Pure
  text of the plan and the batch.

  | batch.scenario | stage | alter | changelog | state | commit | view |
  |---|---|---|---|---|---|---|
  | first | if staged | | append | create | with the state | yes |
  | next | if staged | yes | append | merge | yes | if changed |
  | refresh | if staged | changelog | append the difference | create | with the state | yes |
  | resume | claim | as it was | unless appended | unless merged | yes | if changed |
  | empty | | | create after the state | create if there is none | | if there is none |
  | nothing_new | | | | | | if changed |

  After --empty there is a state, and with a key `first` merges into it and commits as `next` does.
  Where there is no MERGE each batch creates a state, and the view is the commit. Where a batch is
  appended instead of merged, a state that has to be compacted is, before the rest.
-#}
{% macro from_changelog_program(plan, batch) -%}
{%- set evolved = dbt_changelog.evolve_plan(plan, batch) -%}
{%- set plan, arrived = evolved.plan, batch -%}
{%- set batch = dbt_changelog.due_batch(plan, arrived) -%}
{#- after a commit Delta finds its files anew, so the count follows the last one if it may -#}
{%- set counts = dbt_changelog.count_rows_steps(plan, batch) -%}
{%- set appended = dbt_changelog._changelog_steps(plan, batch) -%}
{{ return(
  dbt_changelog.noted_moment_steps(plan, batch)
  + dbt_changelog.count_events_steps(plan, arrived)
  + dbt_changelog.compact_steps(plan, arrived)
  + dbt_changelog.buffer_steps(plan, arrived)
  + dbt_changelog.stage_steps(plan, batch, dbt_changelog._staged_changes_sql(plan, batch))
  + evolved.steps
  + dbt_changelog.first_append_steps(plan, batch)
  + (appended if batch.writes else [])
  + dbt_changelog.count_late_steps(plan, batch)
  + dbt_changelog._state_steps(plan, batch)
  + (appended if not batch.writes else [])
  + counts | selectattr('ends') | list
  + dbt_changelog.purge_steps(plan, batch)
  + dbt_changelog.commit_steps(plan, batch)
  + counts | rejectattr('ends') | list
  + dbt_changelog.contents_steps(plan, batch, evolved)
  + dbt_changelog.old_buffer_steps(plan, batch)
  + dbt_changelog.people_steps(plan, batch)
  + dbt_changelog.upkeep_steps(plan, batch)
) }}
{%- endmacro %}

{#- The decoded changes of a batch, for its staging table; with a key, with what arrived. -#}
{% macro _staged_changes_sql(plan, batch) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{%- set arrived = none if kernel.counts_events else batch.arrived or 'cast(null as boolean)' -%}
{{ return(dbt_changelog.checked_chain_sql(plan,
    [kernel.changes(plan, dict(batch, is_staged=false, arrived=arrived))], kernel.changes_name)) }}
{%- endmacro %}

{#-
  What the batch did to the contents, for whoever follows them: what it emits, or the difference.
  Without a batch the table is made, empty, behind the state, for whoever reads it.
-#}
{% macro _changelog_steps(plan, batch) -%}
{%- set is_made = batch.scenario == 'empty' and not batch.has_changelog -%}
{%- if not plan.changelog or not (is_made or (batch.writes and not batch.appended)) -%}
{{ return([]) }}
{%- endif -%}
{%- set kernel, table = dbt_changelog.kernel_of(plan.kernel), plan.relations.changelog -%}
{%- set names = ['_row_kind', '_sequence', '_ordinal'] + plan.payload + plan.passthrough
    + dbt_changelog.version_names(plan) + ['_batch_id'] -%}
{%- set refreshes = batch.creates and batch.has_state and batch.has_changelog -%}
{%- set rows = dbt_changelog.checked_chain_sql(plan, [
    kernel.changes(plan, batch),
    (kernel.refreshed if refreshes else kernel.emitted)(plan, batch),
  ], 'emitted', dbt_changelog.is_live_sql(), [] if batch.has_changelog
     else dbt_changelog.written_columns_sql(names, plan.state_columns)) -%}
{{ return([{
  'name': 'create changelog' if is_made else 'append changelog',
  'guards': dbt_changelog.guards(plan, batch, 'append') if not is_made else [],
  'sql': dbt_changelog.append_sql(table, names, rows) if batch.has_changelog
    else dbt_changelog.create_table_sql(table, dbt_changelog.sibling_storage(plan.storage),
      plan.state_columns, {'dbt_changelog.uid': plan.uid, 'dbt_changelog.born': batch.run}, rows,
      is_new=true),
}]) }}
{%- endmacro %}

{#- The rows of the batch in the state. -#}
{% macro _state_steps(plan, batch) -%}
{%- if not batch.creates and (not batch.writes or batch.merged) -%}
{{ return([]) }}
{%- endif -%}
{%- set kernel, format = dbt_changelog.kernel_of(plan.kernel),
    dbt_changelog.format_of(plan.storage.file_format) -%}
{%- set ctes = [kernel.changes(plan, dict(batch, arrived=none)), kernel.rows(plan, batch)] -%}
{%- set merges = format.merges and not batch.creates -%}
{#- the other columns of a key went through a condition, which forgets such a length -#}
{%- set typed = plan.state_columns if kernel.counts_events
    else plan.state_columns | selectattr('name', 'in', plan.unique_key + ['_sequence']) | list -%}
{%- set columns = dbt_changelog.written_columns_sql(
    plan.payload + plan.passthrough
    + kernel.columns | reject('in', [] if plan.partial else ['_sequences']) | list
    + (['_dbtc_truncated'] if plan.truncates and kernel.truncates_rows and merges else []),
    typed) -%}
{#- what the changelog has was checked before it was appended -#}
{%- set live, last = none if plan.changelog else kernel.is_live, 'state_rows' -%}
{%- if merges and live and plan.constraints and kernel.outcome -%}
{%- do ctes.append(kernel.outcome(plan)) -%}
{%- set live, last = '_dbtc_is_written and ' ~ live, 'outcome' -%}
{%- elif not (batch.creates or format.merges) -%}
{#- the whole state is written anew; what was in it before was checked then -#}
{%- set forgets = plan.tombstone_retention != '0' -%}
{%- do ctes.append(kernel.merged(plan)) -%}
{%- do ctes.append(dbt_changelog.remembered_rows_cte(plan)) if forgets -%}
{%- set last = 'remembered_rows' if forgets else 'merged_rows' -%}
{%- set live = live ~ ' and _batch_id = ' ~ batch.id if live else none -%}
{%- endif -%}
{%- set rows = dbt_changelog.checked_chain_sql(plan, ctes, last, live, columns,
    dbt_changelog.state_order(plan, batch)) -%}
{%- set log = dbt_changelog.batch_log(plan, batch) -%}
{{ return([{
  'name': 'write state',
  'guards': dbt_changelog.guards(plan, batch, 'state'),
  'sql': dbt_changelog.create_table_sql(batch.state, dbt_changelog.state_storage(plan.storage),
      plan.state_columns, log.properties, rows, log.comment,
      format.state_options if plan.unique_key else '')
    if not merges else kernel.merge(plan, rows),
}]) }}
{%- endmacro %}
