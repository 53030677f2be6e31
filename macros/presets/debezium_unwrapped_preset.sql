{#-
  Debezium's events after its transformation ExtractNewRecordState, with __op and, of deletes,
  __deleted (delete.handling.mode=rewrite). The position is there with add.fields, for example
  op,source.lsn or op,source.file,source.pos,source.row.
-#}
{% macro debezium_unwrapped_preset() -%}
{%- set row = "if(__op = 'r', 0, 1)" -%}
{%- set lsn_order = [dbt_changelog.lsn_sql('__source_commit_lsn'), row,
  dbt_changelog.lsn_sql("coalesce(__source_change_lsn, '')")] -%}
{{ return({
  'page': 'https://debezium.io/documentation/reference/stable/transformations/'
    ~ 'event-flattening.html',
  'unavailable_value': '__debezium_unavailable_value',
  'columns': {
    'reads': ['__op'],
    'op': '__op',
    'orders': [
      {'needs': ['__source_lsn'], 'order': ['__source_lsn', row]},
      {'needs': ['__lsn'], 'order': ['__lsn', row]},
      {'needs': ['__source_file', '__source_pos', '__source_row'], 'order': [
        "lpad(substring_index(__source_file, '.', -1), 20, '0')", '__source_pos', row,
        '__source_row']},
      {'needs': ['__file', '__pos', '__row'], 'order': [
        "lpad(substring_index(__file, '.', -1), 20, '0')", '__pos', row, '__row']},
      {'needs': ['__source_commit_lsn', '__source_change_lsn', '__source_event_serial_no'],
       'order': lsn_order + ['coalesce(cast(__source_event_serial_no as bigint), 0)']},
      {'needs': ['__source_commit_lsn', '__source_change_lsn'], 'order': lsn_order},
    ],
    'leaves_out': ['__op', '__deleted', '__table', '__lsn', '__source_lsn', '__source_ts_ms',
                   '__ts_ms', '__db', '__schema', '__source_file', '__source_pos',
                   '__source_row', '__source_commit_lsn', '__source_change_lsn',
                   '__source_event_serial_no', '__file', '__pos', '__row'],
    'op_mapping': {'c, r': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'},
  },
}) }}
{%- endmacro %}
