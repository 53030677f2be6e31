{#-
  The changes of a batch in the staging table, with the batch itself in its properties: one commit.
  A batch that is only staged is read again. Once any of its rows is in the changelog or the state,
  it is finished from here, whatever happens to the source (begun_batch); the run that finishes it
  claims it first. Of two runs at once the last to stage or claim goes on: the other one stops
  before it appends or writes the state (guards).
-#}
{% macro stage_steps(plan, batch, rows) -%}
{%- if not batch.is_staged -%}
{{ return([]) }}
{%- endif -%}
{%- set table, log = plan.relations.staged, dbt_changelog.staged_log(plan, batch) -%}
{%- if batch.scenario == 'resume' -%}
{{ return([{'name': 'claim batch', 'sql': dbt_changelog.set_properties_sql(
    table, log.properties, log.comment)}]) }}
{%- endif -%}
{{ return([{
  'name': 'stage changes',
  'guards': dbt_changelog.guards(plan, batch, 'first'),
  'sql': dbt_changelog.create_table_sql(table, dbt_changelog.sibling_storage(plan.storage),
    plan.state_columns, log.properties, rows, log.comment),
}]) }}
{%- endmacro %}

{#- The statement after which what is staged is not a batch: nothing of it was written. -#}
{% macro unstage_sql(plan, batch) -%}
{%- set log = dbt_changelog.staged_log(plan, batch, id=batch.last.id) -%}
{{ return(dbt_changelog.set_properties_sql(plan.relations.staged, log.properties, log.comment)) }}
{%- endmacro %}
