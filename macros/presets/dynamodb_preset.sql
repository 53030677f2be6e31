{#-
  DynamoDB's streams, and its changes in Kinesis: attributes with their types. Sets, lists and maps
  are texts. Kinesis has no number of a change: there its time orders, which may be in milliseconds
  or, of the same stream, in microseconds.
-#}
{% macro dynamodb_preset() -%}
{%- set cells = 'map<string, struct<S: string, N: string, B: string, BOOL: string, SS: string,'
  ~ ' NS: string, BS: string, L: string, M: string>>' -%}
{%- set time = 'try_cast(dynamodb.ApproximateCreationDateTime as bigint)' -%}
{%- set texts = 'transform_values(dynamodb.{0}, (name, cell) -> coalesce(cell.S, cell.N, cell.B,'
  ~ ' cell.BOOL, cell.SS, cell.NS, cell.BS, cell.L, cell.M))' -%}
{{ return({
  'page': 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/'
    ~ 'API_streams_StreamRecord.html',
  'text': {
    'value': 'eventName string, dynamodb struct<Keys: ' ~ cells ~ ', NewImage: ' ~ cells
      ~ ', OldImage: ' ~ cells ~ ', SequenceNumber: string, ApproximateCreationDateTime: string>',
    'derived': {
      '_keys': texts | replace('{0}', 'Keys'),
      '_after': texts | replace('{0}', 'NewImage'),
      '_before': texts | replace('{0}', 'OldImage'),
    },
    'op': 'eventName',
    'before': {'there': 'coalesce(_before, _keys) is not null',
               'value': 'coalesce(_before, _keys)[{name}]'},
    'after': {'there': '_after is not null', 'value': '_after[{name}]'},
    'unsent': {'before': 'if(_before is null, {names}, array())'},
    'texts': 'all',
    'orders': [{'order': [
      "lpad(coalesce(dynamodb.SequenceNumber, string(if(" ~ time ~ ' < 100000000000000, '
        ~ time ~ ' * 1000, ' ~ time ~ "))), 40, '0')"]}],
    'op_mapping': {'INSERT': 'INSERT', 'MODIFY': 'UPDATE_AFTER', 'REMOVE': 'DELETE'},
    'op_mapping_without_key': {'INSERT': 'INSERT', 'MODIFY': 'UPDATE_BEFORE, UPDATE_AFTER',
                               'REMOVE': 'DELETE'},
  },
}) }}
{%- endmacro %}
