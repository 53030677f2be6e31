{#-
  A changelog view of an Iceberg table: create_changelog_view. Without identifier columns an update
  is a delete and an insert of one ordinal: the delete comes first.
-#}
{% macro iceberg_changes_preset() -%}
{{ return({
  'page': 'https://iceberg.apache.org/docs/latest/spark-procedures/#create_changelog_view',
  'columns': {
    'reads': ['_change_type', '_change_ordinal'],
    'op': '_change_type',
    'orders': [{'needs': ['_change_ordinal'], 'order': [
      '_change_ordinal', "if(_change_type = 'DELETE', 0, 1)"]}],
    'leaves_out': ['_change_type', '_change_ordinal', '_commit_snapshot_id'],
    'op_mapping': {'INSERT': 'INSERT', 'UPDATE_BEFORE': 'UPDATE_BEFORE',
                   'UPDATE_AFTER': 'UPDATE_AFTER', 'DELETE': 'DELETE'},
  },
}) }}
{%- endmacro %}
