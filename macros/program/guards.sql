{#-
  What must hold just before a step, since another run may work on the model too: [{sql, expects,
  problem, undo}]. sql: statements; the last column of the rows of the last one must be what
  `expects` has; problem: with that column in place of {found}; undo: what to do before the error.

  first: before the first write of a run that makes the table, nobody has made or committed it.
  append: before changes are appended, what is staged or planned is ours, and the changelog has not
  this batch: the last to stage or plan goes on, unless the other has appended. state: before the
  state is written, what is staged is ours, or else as `first`; where each event counts, or rows are
  appended, nobody has committed either. commit: before that, nobody has committed since this run
  began: the first to commit goes on.
-#}
{% macro guards(plan, batch, step) -%}
{%- set free = dbt_changelog._free_guards(plan, batch, true) -%}
{%- set first = dbt_changelog._free_guards(plan, batch, batch.replaces) if batch.creates else [] -%}
{%- set staging = dbt_changelog._staging_guards(plan, batch) -%}
{%- set kernel = dbt_changelog.kernel_of(plan.kernel) -%}
{{ return({
  'first': first,
  'append': staging + dbt_changelog._append_guards(plan, batch),
  'state': (staging if batch.is_staged else first)
           + (free if (kernel.counts_events or kernel.appends) and not batch.creates else []),
  'commit': free,
}[step]) }}
{%- endmacro %}

{#- Nobody planned another batch, or appended this one. -#}
{% macro _append_guards(plan, batch) -%}
{%- set guards = [] -%}
{%- if not batch.is_staged and not batch.creates -%}
{%- do guards.append({
  'sql': dbt_changelog._property_sql(plan, plan.relations.batch_log, 'dbt_changelog.run'),
  'expects': [dbt_changelog.run_of(batch)],
  'problem': 'Another run of ' ~ plan.where ~ ' began batch ' ~ batch.id
    ~ ' while this one did. Nothing is lost: that run goes on, or the next one',
}) -%}
{%- endif -%}
{%- if batch.has_changelog and batch.scenario != 'resume' -%}
{%- do guards.append({
  'sql': ['refresh table ' ~ plan.relations.changelog, 'select 1 from '
    ~ plan.relations.changelog ~ ' where _batch_id = ' ~ batch.id ~ ' limit 1'],
  'expects': [],
  'undo': dbt_changelog.unstage_sql(plan, batch) if batch.is_staged,
  'problem': 'Another run of ' ~ plan.where ~ ' appended batch ' ~ batch.id
    ~ ' to the changelog while this one staged it',
}) -%}
{%- endif -%}
{{ return(guards) }}
{%- endmacro %}

{#-
  Nobody has committed a batch since this run began, or made the table, if it is not there. Where
  each run writes a new state, the view says which is the last.
-#}
{% macro _free_guards(plan, batch, is_there) -%}
{%- set table, contents = plan.relations.batch_log, plan.relations.contents -%}
{%- set by_view = not dbt_changelog.format_of(plan.storage.file_format).merges -%}
{%- if by_view -%}
{%- set sql = ['show create table ' ~ contents] if batch.stored.view_text
    else [dbt_changelog._like_sql('views', contents)] -%}
{%- else -%}
{%- set sql = dbt_changelog._property_sql(plan, table, 'dbt_changelog.batch') if is_there
    else [dbt_changelog._like_sql('tables', table)] -%}
{%- endif -%}
{{ return([{
  'sql': sql,
  'expects': [batch.stored.view_text] | select | list if by_view
    else [batch.last.id | string] if is_there else [],
  'problem': 'Another run of ' ~ plan.where ~ ' committed '
    ~ ('batch {found}' if is_there and not by_view else 'a batch')
    ~ ' while this one worked on batch ' ~ batch.id
    ~ '. Nothing is lost: the next run reads the range of this one again',
}]) }}
{%- endmacro %}

{#- The staging table is that of this run. -#}
{% macro _staging_guards(plan, batch) -%}
{{ return([{
  'sql': dbt_changelog._property_sql(plan, plan.relations.staged, 'dbt_changelog.run'),
  'expects': [dbt_changelog.run_of(batch)],
  'problem': 'Another run of ' ~ plan.where ~ ' staged its changes while this one worked on batch '
    ~ batch.id ~ '. Nothing is lost: that run goes on, or the next one',
}] if batch.is_staged else []) }}
{%- endmacro %}

{#- A property of a table, now: Spark may remember the table as it was before. -#}
{% macro _property_sql(plan, relation, name) -%}
{{ return((['refresh table ' ~ relation]
           if dbt_changelog.is_remembered(plan.storage.file_format) else [])
          + [dbt_changelog.property_sql(relation, name)]) }}
{%- endmacro %}

{#- The tables or views of a name: no rows, and no error, where there is none. -#}
{% macro _like_sql(kind, relation) -%}
{{ return('show ' ~ kind ~ ' in ' ~ relation.include(identifier=false) ~ ' like '
          ~ dbt_changelog.literal(relation.identifier)) }}
{%- endmacro %}
