{#- Rows with Flink's short row kinds. They carry no order: set sequence_by. -#}
{% macro flink_preset() -%}
{{ return({
  'page': 'https://nightlies.apache.org/flink/flink-docs-stable/docs/dev/table/concepts/'
    ~ 'dynamic_tables',
  'columns': {
    'reads': ['op'],
    'op': 'op',
    'leaves_out': ['op'],
    'op_mapping': {'+I': 'INSERT', '-U': 'UPDATE_BEFORE', '+U': 'UPDATE_AFTER', '-D': 'DELETE'},
  },
}) }}
{%- endmacro %}
