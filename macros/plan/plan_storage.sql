{#- The model's configs for its table, which has these columns. -#}
{% macro plan_storage(where, node, names) -%}
{%- set config = node.config -%}
{%- set file_format = dbt_changelog.model_file_format(node) -%}
{%- set partition_by, cluster_by = [], [] -%}
{%- for item in dbt_changelog.parse_names(where, 'partition_by', config.get('partition_by')) -%}
{%- do partition_by.append(dbt_changelog.partition_sql(where, file_format, item, names)) -%}
{%- endfor -%}
{%- set argument = 'liquid_clustered_by' if config.get('liquid_clustered_by')
    else 'clustered_by' -%}
{%- for name in dbt_changelog.parse_names(where, argument, config.get(argument)) -%}
{%- do cluster_by.append(dbt_changelog.require_column(where, argument, name, names)) -%}
{%- endfor -%}
{%- set root = config.get('location_root') -%}
{%- set state = {
  'file_format': file_format,
  'partition_by': partition_by,
  'cluster_by': cluster_by,
  'location_root': root.rstrip('/') if root else none,
  'properties': config.get('tblproperties') or {},
} -%}
{%- do dbt_changelog.check_layout(where, file_format, state, argument, config.get('buckets')) -%}
{{ return(state) }}
{%- endmacro %}
