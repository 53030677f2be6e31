{#-
  Change tables of SQL Server: cdc.fn_cdc_get_all_changes_.. with 'all update old', or 'all'. Of a
  delete and an insert in one place the delete comes first.
-#}
{% macro sqlserver_cdc_preset() -%}
{%- set last = 'if(`__$operation` = 1, 0, 1)' -%}
{{ return({
  'page': 'https://learn.microsoft.com/en-us/sql/relational-databases/system-tables/'
    ~ 'cdc-capture-instance-ct-transact-sql',
  'columns': {
    'reads': ['__$operation', '__$start_lsn', '__$seqval'],
    'op': 'cast(`__$operation` as string)',
    'orders': [
      {'needs': ['__$command_id'],
       'order': ['hex(`__$start_lsn`)', 'coalesce(`__$command_id`, 0)', 'hex(`__$seqval`)',
                 last]},
      {'needs': [], 'order': ['hex(`__$start_lsn`)', 'hex(`__$seqval`)', last]},
    ],
    'leaves_out': ['__$operation', '__$start_lsn', '__$seqval', '__$end_lsn', '__$update_mask',
                   '__$command_id'],
    'op_mapping': {'1': 'DELETE', '2': 'INSERT', '3': 'UPDATE_BEFORE', '4': 'UPDATE_AFTER'},
  },
}) }}
{%- endmacro %}
