{#- Configs of dbt that would have no effect here: the error says where the wish belongs. -#}
{% macro check_idle_configs(where, config) -%}
{%- set refuse = dbt_changelog.raise_invalid -%}
{%- if config.get('lookback') not in [none, 1] -%}
{%- do refuse(where, 'lookback', 'it is of the microbatch strategy, and would be ignored',
    "write it into read, for example read={'column': 'ingested_at', 'lookback': '1 hour'}") -%}
{%- elif config.get('incremental_strategy') -%}
{%- do refuse(where, 'incremental_strategy', 'it would be ignored', 'leave it out') -%}
{%- elif config.get('sql_header') -%}
{%- do refuse(where, 'sql_header', 'it would be ignored', 'write it as a pre_hook') -%}
{%- elif config.get('on_schema_change') not in [none, 'ignore', 'fail'] -%}
{%- do refuse(where, 'on_schema_change', "'" ~ config.get('on_schema_change')
    ~ "' is not built yet: changed columns are an error",
    "set on_schema_change='fail', and run with --full-refresh when columns change") -%}
{%- endif -%}
{%- endmacro %}
