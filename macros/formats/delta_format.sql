{#- Tables of Delta Lake. -#}
{% macro delta_format() -%}
{{ return({
  'name': 'Delta',
  'merges': true,
  'create': 'create or replace table',
  'create_log': 'create or replace table',
  'clusters': true,
  'transforms': false,
  'state_options':
    "options ('maxRecordsPerFile' = '500000')  -- a batch in a part of the keys rewrites few files",
  'mapped_names': {'delta.columnMapping.mode': 'name'},
  'droppable': {'delta.columnMapping.mode': 'name'},
  'widenable': {'delta.enableTypeWidening': 'true'},
  'small_ints': true,
}) }}
{%- endmacro %}
