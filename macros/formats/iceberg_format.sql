{#- Tables of Apache Iceberg. -#}
{% macro iceberg_format() -%}
{{ return({
  'name': 'Iceberg',
  'merges': true,
  'create': 'create or replace table',
  'create_log': 'create table',
  'clusters': false,
  'transforms': true,
  'state_options': '',
  'mapped_names': {},
  'droppable': {},
  'widenable': {},
  'small_ints': false,
}) }}
{%- endmacro %}
