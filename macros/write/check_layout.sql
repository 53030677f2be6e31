{#- Refuses a layout that the format has not. -#}
{% macro check_layout(where, file_format, state, argument, buckets) -%}
{%- set format = dbt_changelog.format_features(file_format) -%}
{%- set instead = "set partition_by, for example partition_by='bucket(16, id)'"
    if format.transforms else 'set partition_by' -%}
{%- if state.cluster_by and not format.clusters -%}
{%- do dbt_changelog.raise_invalid(where, argument, format.name ~ ' tables are not clustered',
    instead ~ ', or leave it out: the first write is sorted by key') -%}
{%- elif state.partition_by and state.cluster_by -%}
{%- do dbt_changelog.raise_invalid(where, argument, 'a table is partitioned or clustered, not both',
    'set partition_by or ' ~ argument) -%}
{%- elif buckets -%}
{%- do dbt_changelog.raise_invalid(where, 'buckets', 'tables of ' ~ format.name
    ~ ' have no buckets', 'leave it out'
    ~ (': clustered_by alone clusters the state' if format.clusters else ', and ' ~ instead)) -%}
{%- endif -%}
{%- endmacro %}
