{#- The decoded changes of a batch in their table. -#}
{% macro stage_changes_sql(plan, batch) -%}
{%- set rows -%}
with events as (

{{ plan.query }}

)

{{ dbt_changelog.decode_sql(dict(plan, upserts_only=plan.state_backed),
                            dbt_changelog.every_event_sql()) }}
{%- endset -%}
{{ return(dbt_changelog.stage_rows_sql(
    plan, batch, dbt_changelog.partition_checks_sql(plan, rows))) }}
{%- endmacro %}
