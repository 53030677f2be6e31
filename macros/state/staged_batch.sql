{#- The batch that was staged and not committed, or none: {batch, creates, invocation_id}. -#}
{% macro staged_batch(plan, last) -%}
{%- if not plan.has_staging or flags.EMPTY or flags.WHICH == 'run-operation' -%}
{{ return(none) }}
{%- endif -%}
{%- set staged = dbt_changelog.read_batch_log(plan.relations.changes) -%}
{{ return(staged if staged and staged.uid == plan.uid and staged.batch.id > last.id else none) }}
{%- endmacro %}
