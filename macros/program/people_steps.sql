{#-
  A row for people. Nothing depends on it: the batch is committed. A stream writes the rows of
  several micro-batches at once, since an insert costs as much as a small batch.
-#}
{% macro people_steps(plan, batch) -%}
{%- if not batch.writes or not batch.batches or batch.is_micro -%}
{{ return([]) }}
{%- endif -%}
{{ return([{
  'name': 'batches row',
  'sql': dbt_changelog.insert_batches_sql(
    batch.batches, [dbt_changelog.batches_row_sql(plan, batch)]),
  'may_fail': 'Batch ' ~ batch.id ~ ' of ' ~ plan.where ~ ' has no row in ' ~ batch.batches
    ~ ': {error}. The batch is committed.',
}]) }}
{%- endmacro %}
