{#- Stitch's rows of log-based replication. -#}
{% macro stitch_preset() -%}
{{ return({
  'page': 'https://www.stitchdata.com/docs/replication/loading/understanding-loading-behavior',
  'columns': {
    'reads': ['_sdc_sequence', '_sdc_deleted_at'],
    'op': "if(_sdc_deleted_at is null, 'upsert', 'delete')",
    'orders': [{'needs': ['_sdc_sequence'], 'order': ['_sdc_sequence']}],
    'leaves_out': ['_sdc_deleted_at', '_sdc_sequence', '_sdc_batched_at', '_sdc_received_at',
                   '_sdc_extracted_at', '_sdc_table_version'],
    'op_mapping': {'upsert': 'UPDATE_AFTER', 'delete': 'DELETE'},
  },
}) }}
{%- endmacro %}
