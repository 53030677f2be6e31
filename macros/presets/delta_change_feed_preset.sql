{#-
  The change data feed of a Delta table: table_changes(), or a stream with readChangeFeed. Of a
  delete and an insert in one version, as an overwrite makes them, the delete comes first.
-#}
{% macro delta_change_feed_preset() -%}
{{ return({
  'page': 'https://docs.delta.io/latest/delta-change-data-feed.html',
  'columns': {
    'reads': ['_change_type', '_commit_version'],
    'op': '_change_type',
    'orders': [{'needs': ['_commit_version'], 'order': [
      '_commit_version', "if(_change_type = 'delete', 0, 1)"]}],
    'leaves_out': ['_change_type', '_commit_version', '_commit_timestamp'],
    'op_mapping': {'insert': 'INSERT', 'update_preimage': 'UPDATE_BEFORE',
                   'update_postimage': 'UPDATE_AFTER', 'delete': 'DELETE'},
  },
}) }}
{%- endmacro %}
