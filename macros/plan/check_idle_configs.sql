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
{%- endif -%}
{%- endmacro %}
