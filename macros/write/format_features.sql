{#- What a table of each file format can do: the one place where formats differ in a word. -#}
{% macro format_features(file_format) -%}
{{ return({
  'delta': {
    'name': 'Delta', 'merges': true, 'clusters': true, 'transforms': false, 'bounds_files': true,
  },
  'iceberg': {
    'name': 'Iceberg', 'merges': true, 'clusters': false, 'transforms': true, 'bounds_files': false,
  },
  'parquet': {
    'name': 'Parquet', 'merges': false, 'clusters': false, 'transforms': false,
    'bounds_files': false,
  },
}[file_format]) }}
{%- endmacro %}
