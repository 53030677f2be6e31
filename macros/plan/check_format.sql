{#- Refuses what a format without transactions can't do: the reason, and the way out. -#}
{% macro check_format(where, file_format, config) -%}
{%- set format, refuse = dbt_changelog.format_features(file_format), dbt_changelog.raise_invalid -%}
{%- set other = "leave it out, or set file_format='delta' or file_format='iceberg'" -%}
{%- if format.merges -%}
{{ return(none) }}
{%- elif not config.get('unique_key') -%}
{%- do refuse(where, 'unique_key',
    'without it changes are staged and counted once, which a table of ' ~ format.name
    ~ ' can not do',
    "name the key columns, or set file_format='delta' or file_format='iceberg'") -%}
{%- elif config.get('changelog') -%}
{%- do refuse(where, 'changelog', 'a table of ' ~ format.name
    ~ ' has no append that happens as a whole or not at all', other) -%}
{%- elif config.get('location_root') -%}
{%- do refuse(where, 'location_root', 'each run writes a new table of ' ~ format.name
    ~ ', and one that is dropped would leave its files there', other) -%}
{%- elif config.get('partition_by') -%}
{%- do refuse(where, 'partition_by', 'a partition of ' ~ format.name
    ~ " can not tell '' from NULL", other) -%}
{%- elif config.get('on_schema_change') not in [none, 'ignore', 'fail'] -%}
{%- do refuse(where, 'on_schema_change', "'" ~ config.get('on_schema_change')
    ~ "' changes a table in place, and a table of " ~ format.name ~ ' is never changed',
    "set on_schema_change='fail', and run with --full-refresh when columns change") -%}
{%- endif -%}
{%- endmacro %}
