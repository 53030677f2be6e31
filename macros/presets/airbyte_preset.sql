{#-
  Airbyte's raw rows of a CDC source: Postgres has a number as position, SQL Server a text, MySQL
  a file and a place in it.
-#}
{% macro airbyte_preset() -%}
{%- set lsn = ["if(string(_ab_cdc_lsn) like '%:%', string(_ab_cdc_lsn), '')",
  "if(string(_ab_cdc_lsn) like '%:%', 0, cast(_ab_cdc_lsn as decimal(38, 0)))"] -%}
{{ return({
  'page': 'https://docs.airbyte.com/understanding-airbyte/cdc',
  'unavailable_value': '__debezium_unavailable_value',
  'columns': {
    'reads': ['_ab_cdc_deleted_at'],
    'op': "if(_ab_cdc_deleted_at is null, 'upsert', 'delete')",
    'orders': [
      {'needs': ['_ab_cdc_lsn', '_ab_cdc_event_serial_no'],
       'order': lsn + ['coalesce(cast(_ab_cdc_event_serial_no as bigint), 0)']},
      {'needs': ['_ab_cdc_lsn'], 'order': lsn},
      {'needs': ['_ab_cdc_log_file', '_ab_cdc_log_pos'], 'order': [
        "lpad(substring_index(_ab_cdc_log_file, '.', -1), 20, '0')",
        'cast(_ab_cdc_log_pos as bigint)']},
    ],
    'leaves_out': ['_ab_cdc_deleted_at', '_ab_cdc_lsn', '_ab_cdc_event_serial_no',
                   '_ab_cdc_log_file', '_ab_cdc_log_pos', '_ab_cdc_updated_at', '_ab_cdc_cursor',
                   '_airbyte_raw_id', '_airbyte_extracted_at', '_airbyte_meta',
                   '_airbyte_generation_id', '_airbyte_ab_id', '_airbyte_emitted_at',
                   '_airbyte_normalized_at'],
    'op_mapping': {'upsert': 'UPDATE_AFTER', 'delete': 'DELETE'},
  },
}) }}
{%- endmacro %}
