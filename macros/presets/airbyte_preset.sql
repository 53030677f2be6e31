{#- Airbyte's raw rows of a CDC source. -#}
{% macro airbyte_preset() -%}
{{ return({
  'page': 'https://docs.airbyte.com/understanding-airbyte/cdc',
  'columns': {
    'reads': ['_ab_cdc_deleted_at', '_ab_cdc_lsn'],
    'op': "if(_ab_cdc_deleted_at is null, 'upsert', 'delete')",
    'orders': [{'needs': ['_ab_cdc_lsn'], 'order': ['cast(_ab_cdc_lsn as decimal(38, 0))']}],
    'leaves_out': ['_ab_cdc_deleted_at', '_ab_cdc_lsn', '_ab_cdc_updated_at', '_ab_cdc_cursor',
                   '_airbyte_raw_id', '_airbyte_extracted_at', '_airbyte_meta',
                   '_airbyte_generation_id'],
    'op_mapping': {'upsert': 'UPDATE_AFTER', 'delete': 'DELETE'},
  },
}) }}
{%- endmacro %}
