{#- How and where a table of ours is stored: the model's own configs. -#}
{% macro storage_sql(plan, log) -%}
{%- set state = plan.state -%}
{%- if state.partition_by %}
partitioned by ({{ dbt_changelog.csv(state.partition_by) }})
{%- endif %}
{%- if state.cluster_by %}
cluster by ({{ dbt_changelog.csv(state.cluster_by) }})
{%- endif %}
{%- if state.location %}
location {{ dbt_changelog.literal(state.location) }}
{%- endif %}
tblproperties (
  {{ dbt_changelog.properties_sql(dict(state.properties, **log)) | indent(2) }}
)
{%- endmacro %}
