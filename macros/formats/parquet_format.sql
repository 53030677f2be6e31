{#- Tables of plain Parquet files: each run writes the next version of the state. -#}
{% macro parquet_format() -%}
{{ return({
  'name': 'Parquet',
  'merges': false,
  'is_remembered': true,
  'create': 'create table',
  'takes_random': true,
  'create_log': 'create table',
  'clusters': false,
  'transforms': false,
  'state_options': '',
  'state_properties': none,
  'mapped_names': {},
  'droppable': {},
  'widenable': {},
  'small_ints': true,
  'drop_files': '',
  'old_files': none,
  'upkeep': none,
  'newest_version': none,
  'past': none,
}) }}
{%- endmacro %}
