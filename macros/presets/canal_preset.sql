{#-
  Canal's flat messages, an event for each of their rows. `old` has the columns that changed, and
  `data` the others of the row before. They carry no order: set sequence_by, for example
  ['offset', '_place'].
-#}
{% macro canal_preset() -%}
{{ return({
  'page': 'https://github.com/alibaba/canal/wiki',
  'text': {
    'value': 'type string, isDdl boolean, es bigint, data array<{row}>,'
      ~ ' old array<map<string, {cells}>>',
    'explode': ['data', 'old'],
    'drops': {
      'DDL': "isDdl and type <> 'TRUNCATE'",
      'statements and transactions': "type in ('QUERY', 'GTID', 'XACOMMIT', 'XAROLLBACK')",
    },
    'op': 'type',
    'before': {
      'there': 'data is not null',
      'value': 'if(map_contains_key(old, {name}), string(old[{name}]), string(data.{column}))',
    },
    'after': 'data',
    'texts': 'all',
    'binary': 'latin1',
    'op_mapping': {'INSERT': 'INSERT', 'UPDATE': 'UPDATE_AFTER', 'DELETE': 'DELETE',
                   'TRUNCATE': 'TRUNCATE'},
    'op_mapping_without_key': {'INSERT': 'INSERT', 'UPDATE': 'UPDATE_BEFORE, UPDATE_AFTER',
                               'DELETE': 'DELETE'},
  },
}) }}
{%- endmacro %}
