{#-
  Fivetran rows in soft delete mode, read as changes. A truncate, and what a new sync does not find
  any more, become deleted without a new time.
-#}
{% macro fivetran_preset() -%}
{{ return({
  'page': 'https://fivetran.com/docs/core-concepts/system-columns-and-tables',
  'columns': {
    'reads': ['_fivetran_deleted', '_fivetran_synced'],
    'op': "if(_fivetran_deleted, 'delete', 'upsert')",
    'orders': [{'needs': ['_fivetran_synced'], 'order': [
      '_fivetran_synced', 'if(_fivetran_deleted, 1, 0)']}],
    'leaves_out': ['_fivetran_deleted', '_fivetran_synced'],
    'op_mapping': {'upsert': 'UPDATE_AFTER', 'delete': 'DELETE'},
  },
}) }}
{%- endmacro %}
