{#- How and where a table of ours is stored, with the user's properties and ours. -#}
{% macro storage_sql(plan, state, table, properties) -%}
{%- set required = dbt_changelog.required_properties(
    plan.state.file_format, plan.state_columns + plan.get('events', [])) -%}
{%- set all = dict(dict(required, **state.properties), **properties) -%}
{%- if state.partition_by %}
partitioned by ({{ state.partition_by | join(', ') }})
{%- endif %}
{%- if state.cluster_by %}
cluster by ({{ dbt_changelog.csv(state.cluster_by) }})
{%- endif %}
{%- if state.location_root %}
location {{ dbt_changelog.literal(state.location_root ~ '/' ~ table.identifier) }}
{%- endif %}
tblproperties (
  {{ dbt_changelog.properties_sql(all) | indent(2) }}
)
{%- endmacro %}
