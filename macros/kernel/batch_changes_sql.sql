{#- The changes of a batch as a CTE: decoded from the query, or staged before. -#}
{% macro batch_changes_sql(plan, batch) -%}
{%- if dbt_changelog.is_staged(plan, batch) -%}
changes as (
  select * from {{ plan.relations.changes }}
)
{%- else -%}
events as (

{{ plan.query }}

),

changes as (
  {{ dbt_changelog.decode_sql(dict(plan, upserts_only=not plan.counts_events),
                              dbt_changelog.every_event_sql()) | indent(2) }}
)
{%- endif -%}
{%- endmacro %}
