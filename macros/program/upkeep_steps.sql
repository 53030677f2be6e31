{#-
  What the owner of a table does now and then (the operation maintain), by the runs themselves:
  after every so many batches (compact_every). The batch is committed by then, so one that fails,
  as beside another run, is a warning.
-#}
{% macro upkeep_steps(plan, batch) -%}
{%- set is_due = plan.compact_every and batch.writes and batch.id % plan.compact_every == 0 -%}
{%- set tables = {'state': batch.state} -%}
{%- do tables.update({'changelog': plan.relations.changelog}) if plan.changelog -%}
{%- set steps, upkeep = [], dbt_changelog.format_of(plan.storage.file_format).upkeep -%}
{%- for name, table in (tables if is_due else {}).items() -%}
{%- for sql in upkeep({'name': table | string, 'properties': {}, 'sorted_by': [],
    'partition_by': []}) -%}
{%- do steps.append({
  'name': 'keep up ' ~ name ~ (' ' ~ loop.index if loop.index > 1),
  'sql': sql,
  'may_fail': 'Batch ' ~ batch.id ~ ' of ' ~ plan.where ~ ' is committed, but its files were not'
    ~ ' compacted: {error}. To fix: dbt run-operation maintain does it when no run is under way.',
}) -%}
{%- endfor -%}
{%- endfor -%}
{{ return(steps) }}
{%- endmacro %}
