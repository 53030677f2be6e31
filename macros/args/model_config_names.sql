{#- Configs that dbt and dbt-spark own: a model of ours may have them. -#}
{% macro model_config_names() -%}
{{ return([
  'access', 'alias', 'batch_size', 'begin', 'buckets', 'clustered_by', 'column_types',
  'concurrent_batches', 'contract', 'database', 'docs', 'enabled', 'event_time', 'file_format',
  'freshness', 'full_refresh', 'grants', 'group', 'incremental_strategy', 'location_root',
  'lookback', 'materialized', 'meta', 'on_configuration_change', 'on_schema_change', 'options',
  'packages', 'partition_by', 'persist_docs', 'post-hook', 'post_hook', 'pre-hook', 'pre_hook',
  'quoting', 'schema', 'sql_header', 'static_analysis', 'tags',
  'tblproperties', 'liquid_clustered_by',
]) }}
{%- endmacro %}
