{#-
  Configs that dbt and dbt-spark own: a model of ours may have them. idle: those that have no effect
  here; nobody is told to use one.
-#}
{% macro model_config_names() -%}
{{ return({
  'used': [
    'access', 'alias', 'clustered_by', 'contract', 'database', 'docs', 'enabled', 'file_format',
    'full_refresh', 'grants', 'group', 'liquid_clustered_by', 'location_root', 'materialized',
    'meta', 'on_schema_change', 'partition_by', 'persist_docs', 'post-hook', 'post_hook',
    'pre-hook', 'pre_hook', 'quoting', 'schema', 'tags', 'tblproperties',
  ],
  'idle': [
    'batch_size', 'begin', 'buckets', 'column_types', 'concurrent_batches', 'event_time',
    'freshness', 'incremental_strategy', 'lookback', 'on_configuration_change', 'options',
    'packages', 'sql_header', 'static_analysis',
  ],
}) }}
{%- endmacro %}
