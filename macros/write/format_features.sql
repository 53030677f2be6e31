{#- What a table of each file format can do: the one place where formats differ in a word. -#}
{% macro format_features(file_format) -%}
{{ return({
  'delta': {'name': 'Delta', 'clusters': true, 'transforms': false},
  'iceberg': {'name': 'Iceberg', 'clusters': false, 'transforms': true},
}[file_format]) }}
{%- endmacro %}
