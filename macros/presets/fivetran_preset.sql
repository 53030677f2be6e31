{#- Fivetran's rows in history or soft delete mode, read as changes. -#}
{% macro fivetran_preset() -%}
{{ return({
  'page': 'https://fivetran.com/docs/core-concepts/system-columns-and-tables',
  'columns': {
    'reads': ['_fivetran_deleted', '_fivetran_synced'],
    'op': "if(_fivetran_deleted, 'delete', 'upsert')",
    'orders': [{'needs': ['_fivetran_synced'], 'order': ['_fivetran_synced']}],
    'leaves_out': ['_fivetran_deleted', '_fivetran_synced', '_fivetran_id'],
    'op_mapping': {'upsert': 'UPDATE_AFTER', 'delete': 'DELETE'},
  },
}) }}
{%- endmacro %}
