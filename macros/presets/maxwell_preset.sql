{#-
  Maxwell. `old` has the columns that changed, and `data` the others of the row before. The binlog's
  position orders, and the place in the transaction, the last of which has `commit` in place of a
  number; it is there with output_binlog_position.
-#}
{% macro maxwell_preset() -%}
{{ return({
  'page': 'https://maxwells-daemon.io/dataformat/',
  'text': {
    'value': 'type string, position string, xoffset bigint, commit boolean, data {row},'
      ~ ' old map<string, {cells}>',
    'drops': {
      'DDL': "type rlike '^(table|database)-(create|alter|drop)$'",
      'bounds of a bootstrap': "type in ('bootstrap-start', 'bootstrap-complete')",
    },
    'op': 'type',
    'before': {
      'there': 'data is not null',
      'value': 'if(map_contains_key(old, {name}), string(old[{name}]), string(data.{column}))',
    },
    'after': 'data',
    'texts': 'all',
    'orders': [{'order': [
      "if(type = 'bootstrap-insert', '',"
        ~ " lpad(substring_index(split_part(position, ':', 1), '.', -1), 20, '0'))",
      "if(type = 'bootstrap-insert', 0, try_cast(split_part(position, ':', 2) as bigint))",
      'coalesce(xoffset, if(commit, 9223372036854775807, 0))',
    ]}],
    'orders_without_key': [],
    'op_mapping': {'insert, bootstrap-insert': 'INSERT', 'update': 'UPDATE_AFTER',
                   'delete': 'DELETE'},
    'op_mapping_without_key': {'insert, bootstrap-insert': 'INSERT',
                               'update': 'UPDATE_BEFORE, UPDATE_AFTER', 'delete': 'DELETE'},
  },
}) }}
{%- endmacro %}
