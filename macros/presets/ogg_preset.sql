{#-
  Oracle GoldenGate for Big Data, JSON with operation modelling. An update has the columns that
  changed, and those that the source logs always.
-#}
{% macro ogg_preset() -%}
{{ return({
  'page': 'https://docs.oracle.com/en/middleware/goldengate/big-data/',
  'op': 'op_type',
  'orders': [{'needs': ['pos'], 'order': ['cast(pos as decimal(38, 0))']}],
  'op_mapping': {'I': 'INSERT', 'U': 'UPDATE_AFTER', 'D': 'DELETE', 'T': 'TRUNCATE'},
  'op_mapping_without_key': {'I': 'INSERT', 'U': 'UPDATE_BEFORE, UPDATE_AFTER', 'D': 'DELETE'},
  'columns': {
    'reads': ['op_type', 'pos', 'before', 'after'],
    'before': 'before',
    'after': 'after',
  },
  'text': {
    'value': 'op_type string, pos string, before map<string, {cells}>, after map<string, {cells}>',
    'before': {'there': 'before is not null', 'value': 'string(before[{name}])'},
    'after': {
      'there': 'after is not null',
      'value': 'string(if(map_contains_key(after, {name}), after[{name}], before[{name}]))',
    },
    'unsent': {
      'after': "if(op_type = 'U', array_except({names}, concat(map_keys(after),"
        ~ ' coalesce(map_keys(before), array()))), array())',
      'before': 'array_except({names}, map_keys(before))',
    },
    'texts': 'all',
    'orders_without_key': [],
  },
}) }}
{%- endmacro %}
