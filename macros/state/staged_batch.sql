{#-
  The batch that a run staged, began to write and did not commit, or none: {batch, creates,
  invocation_id}. One of which nothing was written is no batch: its range is read again.
-#}
{% macro staged_batch(plan, last) -%}
{%- if not plan.has_staging or dbt_changelog.reads_nothing() or flags.WHICH == 'run-operation' -%}
{{ return(none) }}
{%- endif -%}
{%- set staged = dbt_changelog.read_batch_log(plan.relations.changes) -%}
{%- if staged and staged.uid == plan.uid and staged.batch.id > last.id
    and (dbt_changelog.has_batch(plan.relations.changelog, staged.batch.id)
         or dbt_changelog.has_batch(plan.relations.state, staged.batch.id)) -%}
{{ return(staged) }}
{%- endif -%}
{{ return(none) }}
{%- endmacro %}
