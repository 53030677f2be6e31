{#- A row for people. Nothing depends on it: the batch is committed. -#}
{% macro people_steps(plan, batch) -%}
{%- if not batch.writes or not batch.batches -%}
{{ return([]) }}
{%- endif -%}
{{ return([{
  'name': 'batches row',
  'sql': dbt_changelog.batches_row_sql(plan, batch),
}]) }}
{%- endmacro %}
