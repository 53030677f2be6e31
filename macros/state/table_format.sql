{#- The file format of a table of ours, as its properties say it. -#}
{% macro table_format(properties) -%}
{{ return('delta' if 'delta.minReaderVersion' in properties
    else 'iceberg' if 'current-snapshot-id' in properties else 'parquet') }}
{%- endmacro %}
