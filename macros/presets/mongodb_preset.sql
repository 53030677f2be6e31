{#-
  MongoDB: Debezium's envelopes, whose documents are texts in the JSON, and documents of a change
  stream. The columns of the row are the fields of the document; a nested one is a text. The resume
  token orders, in Debezium's the time of the cluster. Debezium has the key beside the envelope.
-#}
{% macro mongodb_preset() -%}
{{ return({
  'page': 'https://www.mongodb.com/docs/manual/reference/change-events/',
  'text': {
    'value': 'op string, before string, after string, source struct<ts_ms: bigint, ord: bigint>,'
      ~ ' ts_ms string, status string, operationType string, _id struct<_data: string>,'
      ~ ' fullDocument {row}, fullDocumentBeforeChange {row}, documentKey map<string, string>,'
      ~ ' updateDescription struct<updatedFields: string, removedFields: array<string>,'
      ~ ' truncatedArrays: string>',
    'inside': 'payload',
    'documents': ['before', 'after'],
    'drops': {
      'transactions': "op is null and status in ('BEGIN', 'END')",
      'heartbeats': 'op is null and operationType is null and ts_ms is not null',
      'indexes, shards and options': "operationType in ('create', 'createIndexes', 'dropIndexes',"
        ~ " 'modify', 'shardCollection', 'reshardCollection', 'refineCollectionShardKey')",
    },
    'derived': {
      '_changed': 'if(after is null and fullDocument is null, from_json('
        ~ "updateDescription.updatedFields, 'map<string, string>'), null)",
    },
    'op': 'coalesce(op, operationType)',
    'before': {
      'there': 'before is not null or fullDocumentBeforeChange is not null or'
        ~ ' documentKey is not null',
      'value': 'coalesce(string(before.{column}), string(fullDocumentBeforeChange.{column}),'
        ~ ' documentKey[{name}])',
    },
    'after': {
      'there': 'after is not null or fullDocument is not null or _changed is not null',
      'value': 'coalesce(string(after.{column}), string(fullDocument.{column}), _changed[{name}],'
        ~ ' documentKey[{name}]{or_key})',
    },
    'cell': "if(left({0}, 1) = '{', coalesce(nullif(regexp_extract({0}, '^[{] *\"[$](?:oid|date"
      ~ '|binary|numberLong|numberInt|numberDouble|numberDecimal)" *: *(?:[{] *"[$]?(?:numberLong'
      ~ "|base64)\" *: *)?\"?([^\",}]*)', 1), ''), {0}), {0})",
    'key': "trim(both '\"' from coalesce(get_json_object(cast(key as string), '$.payload.id'),"
      ~ " get_json_object(cast(key as string), '$.id')))",
    'unsent': {'after': "if(_changed is null, array(), array_except({names}, concat("
      ~ 'map_keys(_changed), coalesce(updateDescription.removedFields, array()),'
      ~ " coalesce(map_keys(documentKey), array('_id')))))"},
    'unreadable': [
      {'condition': "exists(map_keys(_changed), field -> contains(field, '.'))"
        ~ " or _changed is not null and updateDescription.truncatedArrays <> '[]'",
       'op': "concat('unreadable: only a part of a field was sent: ',"
        ~ ' left(updateDescription.updatedFields, 200))'},
    ],
    'texts': 'all',
    'micros': {'': '{0} * 1000', 'milliseconds': '{0} * 1000', 'microseconds': '{0}'},
    'orders': [{'order': [
      "case when operationType is not null then coalesce(_id._data, '')"
        ~ " when source.ts_ms is not null then '' end",
      'coalesce(source.ts_ms, 0)', "if(op = 'r', 0, 1)", 'coalesce(source.ord, 0)',
    ]}],
    'leaves_out': ['_id'],
    'op_mapping': {'c, r, insert': 'INSERT', 'u, update, replace': 'UPDATE_AFTER',
                   'd, delete': 'DELETE'},
  },
}) }}
{%- endmacro %}
