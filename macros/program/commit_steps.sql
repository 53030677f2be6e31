{#-
  The steps that make the batch the last one. A state that this batch created carries the batch log
  already. Where each run writes a new one, the view is the commit. Where the rows of a table can be
  put back without its properties, these note which snapshot the batch wrote.
-#}
{% macro commit_steps(plan, batch) -%}
{%- set format, of_state = dbt_changelog.format_of(plan.storage.file_format),
    plan.function == 'from_changelog' -%}
{%- if not batch.writes or (of_state and not format.merges) -%}
{{ return([]) }}
{%- endif -%}
{%- set is_done, log = of_state and batch.creates, dbt_changelog.batch_log(plan, batch) -%}
{%- set table = batch.state if of_state else plan.relations.batch_log -%}
{%- set snapshot = dbt_changelog.snapshot_property(batch.id, '{written_snapshot}')
    if format.past else {} -%}
{{ return(([{
  'name': 'snapshot of batch',
  'sql': dbt_changelog.property_sql(table, format.past.snapshot),
  'finds': {'written_snapshot': 'value'},
}] if format.past else []) + ([] if is_done else [{
  'name': 'commit batch',
  'guards': dbt_changelog.guards(plan, batch, 'commit'),
  'sql': dbt_changelog.set_properties_sql(
    table, dbt_changelog.merged(log.properties, snapshot), log.comment),
}]) + ([{
  'name': 'note snapshot',
  'sql': dbt_changelog.set_properties_sql(table, snapshot),
}] if is_done and format.past else [])) }}
{%- endmacro %}
