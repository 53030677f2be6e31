{#- What a table of each file format can do: the one place where formats differ in a word. -#}
{% macro format_features(file_format) -%}
{{ return({
  'delta': {'name': 'Delta', 'merges': true, 'clusters': true, 'transforms': false},
  'iceberg': {'name': 'Iceberg', 'merges': true, 'clusters': false, 'transforms': true},
  'parquet': {'name': 'Parquet', 'merges': false, 'clusters': false, 'transforms': false},
}[file_format]) }}
{%- endmacro %}
