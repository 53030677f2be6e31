{#- The model's configs for its table, as they apply to the state. -#}
{% macro plan_storage(where, node, plan) -%}
{%- set config, names = node.config, plan.payload + plan.passthrough -%}
{%- set partition_by, cluster_by = [], [] -%}
{%- for name in dbt_changelog.parse_names(where, 'partition_by', config.get('partition_by')) -%}
{%- do partition_by.append(dbt_changelog.require_column(where, 'partition_by', name, names)) -%}
{%- endfor -%}
{%- set argument = 'liquid_clustered_by' if config.get('liquid_clustered_by')
    else 'clustered_by' -%}
{%- for name in dbt_changelog.parse_names(where, argument, config.get(argument)) -%}
{%- do cluster_by.append(dbt_changelog.require_column(where, argument, name, names)) -%}
{%- endfor -%}
{%- if partition_by and cluster_by -%}
{%- do dbt_changelog.raise_invalid(where, argument, 'a table is partitioned or clustered, not both',
    'set partition_by or ' ~ argument) -%}
{%- elif config.get('buckets') -%}
{%- do dbt_changelog.raise_invalid(where, 'buckets', 'Delta has no buckets',
    'leave it out: clustered_by alone clusters the state') -%}
{%- endif -%}
{%- set root = config.get('location_root') -%}
{{ return({
  'file_format': config.get('file_format') or 'delta',
  'partition_by': partition_by,
  'cluster_by': cluster_by,
  'location_root': root.rstrip('/') if root else none,
  'location': root.rstrip('/') ~ '/'
    ~ plan.relations.state.identifier if root else none,
  'required': dbt_changelog.required_properties(names),
  'properties': config.get('tblproperties') or {},
}) }}
{%- endmacro %}
