{#- Commits the batch that an earlier run appended and did not commit. -#}
{% macro finish_planned(plan, last, planned) -%}
{%- set batch = dbt_changelog.describe_batch(plan, last, {
  'id': planned.batch.id, 'position': planned.batch.position, 'creates': false,
  'replaces': last.id > 0, 'refresh': planned.refresh,
}) -%}
{%- do dbt_changelog.set_log(plan, batch) -%}
{%- do dbt_changelog.record_batch(plan, batch, dbt_changelog.append_counters(plan, batch)) -%}
{%- endmacro %}
