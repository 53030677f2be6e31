{#-
  The changes of a batch in the staging table, with the batch itself in its properties: one commit.
  Once it is there, the batch is finished from it, whatever happens to the run or to the source. One
  that an earlier run staged is claimed: of two runs at once the last one goes on.
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

{#- The statement after which a staged batch is none: nothing of it was written. -#}
{% macro unstage_sql(plan, batch) -%}
{%- set log = dbt_changelog.staged_log(plan, batch, id=batch.last.id) -%}
{{ return(dbt_changelog.set_properties_sql(plan.relations.staged, log.properties, log.comment)) }}
{%- endmacro %}
