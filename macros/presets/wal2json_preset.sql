{#-
  wal2json: a transaction in a message (format version 1), or a change (version 2). A text in
  out-of-line storage that an update left as it was is not sent. The order is there with
  include-lsn, of version 1 the end of the transaction and the place in it.
-#}
{% macro wal2json_preset() -%}
{{ return({
  'page': 'https://github.com/eulerto/wal2json',
  'text': {
    'value': '`change` array<struct<kind: string, `table`: string, columnnames: array<string>,'
      ~ ' columnvalues: array<variant>, oldkeys: struct<keynames: array<string>,'
      ~ ' keyvalues: array<variant>>>>, nextlsn string, action string, lsn string,'
      ~ ' columns array<struct<name: string, value: variant>>,'
      ~ ' identity array<struct<name: string, value: variant>>',
    'explode': ['change'],
    'of_message': {'_tables': 'size(array_distinct(change.`table`))'},
    'unreadable': [{'condition': '_tables > 1',
                    'op': "'unreadable: one message has changes of several tables'"}],
    'drops': {
      'transactions': "action in ('B', 'C') or"
        ~ ' change is null and action is null and _dbtc_unread is null',
      'messages of the source': "action = 'M' or change.kind = 'message'",
    },
    'derived': {
      '_after': 'coalesce(map_from_arrays(change.columnnames, change.columnvalues),'
        ~ ' map_from_entries(columns))',
      '_before': 'coalesce(map_from_arrays(change.oldkeys.keynames, change.oldkeys.keyvalues),'
        ~ ' map_from_entries(identity))',
    },
    'op': "coalesce(action, upper(left(change.kind, 1)))",
    'before': {'there': '_before is not null', 'value': 'string(_before[{name}])'},
    'after': {
      'there': '_after is not null',
      'value': 'string(if(map_contains_key(_after, {name}), _after[{name}], _before[{name}]))',
    },
    'unsent': {
      'after': "if(coalesce(action, change.kind) in ('U', 'update'), array_except({names},"
        ~ ' concat(map_keys(_after), coalesce(map_keys(_before), array()))), array())',
      'before': 'array_except({names}, map_keys(_before))',
    },
    'texts': 'all',
    'binary': 'hex',
    'orders': [{'order': [
      "concat(lpad(split_part(coalesce(nextlsn, lsn), '/', 1), 8, '0'),"
        ~ " lpad(split_part(coalesce(nextlsn, lsn), '/', 2), 8, '0'))",
      '_place',
    ]}],
    'orders_without_key': [],
    'op_mapping': {'I': 'INSERT', 'U': 'UPDATE_AFTER', 'D': 'DELETE', 'T': 'TRUNCATE'},
    'op_mapping_without_key': {'I': 'INSERT', 'U': 'UPDATE_BEFORE, UPDATE_AFTER', 'D': 'DELETE'},
  },
}) }}
{%- endmacro %}
