{#- A row for people. Nothing depends on it: the batch is committed. -#}
{% macro record_batch(plan, batch, counters) -%}
{%- set batches = dbt_changelog.batches_relation(plan.relations.state) -%}
{%- if load_relation(batches) is none -%}
{%- do exceptions.warn('The table ' ~ batches ~ ' is missing, so batch ' ~ batch.id ~ ' of '
    ~ plan.where ~ ' has no row in it. The batch is committed.') -%}
{%- else -%}
{%- do dbt_changelog.run_statement(batch, 'batches row',
    dbt_changelog.insert_batch_sql(batches, plan, batch, counters)) -%}
{%- endif -%}
{%- endmacro %}
