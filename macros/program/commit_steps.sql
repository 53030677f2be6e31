{#-
  The step that makes the batch the last one. A state that this batch created carries the batch log
  already. Where each run writes a new one, the view is the commit.
-#}
{% macro commit_steps(plan, batch) -%}
{%- set format = dbt_changelog.format_of(plan.storage.file_format) -%}
{%- set is_done = plan.function == 'from_changelog' and (batch.creates or not format.merges) -%}
{%- if not batch.writes or is_done -%}
{{ return([]) }}
{%- endif -%}
{%- set log = dbt_changelog.batch_log(plan, batch) -%}
{{ return([{
  'name': 'commit batch',
  'guards': dbt_changelog.guards(plan, batch, 'commit'),
  'sql': dbt_changelog.set_properties_sql(
    plan.relations.batch_log, log.properties, log.comment),
}]) }}
{%- endmacro %}
