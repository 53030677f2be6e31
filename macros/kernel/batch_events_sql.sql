{#- The change events of a batch of to_changelog: of its staged changes, or of those it reads. -#}
{% macro batch_events_sql(plan, batch) -%}
{%- if plan.input == 'changes' and batch.refresh and not batch.creates -%}
{{ dbt_changelog.refresh_events_sql(plan, batch) }}
{%- elif plan.input == 'changes' -%}
with changes as (
{{ dbt_changelog.read_changes_sql(plan) }}
)

{{ dbt_changelog.encode_sql(dict(plan, batch_id=batch.id), 'changes') }}
{%- else -%}
{{ dbt_changelog.encode_sql(dict(plan, batch_id=batch.id, nets=false), plan.relations.changes) }}
{%- endif -%}
{%- endmacro %}
