{#- The values of file_format. -#}
{% macro file_formats() -%}
{{ return(['delta', 'iceberg', 'parquet']) }}
{%- endmacro %}
