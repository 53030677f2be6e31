{#- The decoded changes of a batch in their table; where they are counted, with what arrived. -#}
{% macro stage_changes_sql(plan, batch) -%}
{%- set arrived = none if plan.counts_events
    else dbt_changelog.arrived_sql(plan, batch) or 'cast(null as boolean)' -%}
{%- set rows -%}
with events as (

{{ plan.query }}

)

{{ dbt_changelog.decode_sql(dict(plan, upserts_only=plan.state_backed, arrived=arrived),
                            dbt_changelog.every_event_sql()) }}
{%- endset -%}
{{ return(dbt_changelog.stage_rows_sql(plan, batch, rows)) }}
{%- endmacro %}
