{#-
  CockroachDB's changefeeds, wrapped or enriched, with the option updated. A delete without diff has
  only the key: an array in `key`, in the order of the primary key, or an object.
-#}
{% macro cockroachdb_preset() -%}
{{ return({
  'page': 'https://www.cockroachlabs.com/docs/stable/changefeed-message-envelopes',
  'text': {
    'value': 'op string, before {row}, after {row}, updated string, mvcc_timestamp string,'
      ~ ' source struct<ts_hlc: string>, resolved string, key string',
    'inside': 'payload',
    'drops': {'resolved timestamps': 'resolved is not null'},
    'op': "coalesce(op, if(after is null, 'delete', 'upsert'))",
    'before': 'before',
    'after': 'after',
    'key': "coalesce(get_json_object(cast(key as string), '$[{place}]'),"
      ~ " get_json_object(cast(key as string), concat('$.payload', {path})),"
      ~ " get_json_object(cast(key as string), concat('$', {path})))",
    'texts': ['decimal', 'date', 'timestamp', 'timestamp_ntz', 'binary'],
    'binary': 'hex',
    'orders': [{'order': ['cast(coalesce(updated, mvcc_timestamp, source.ts_hlc)'
      ~ ' as decimal(38, 10))']}],
    'orders_without_key': [],
    'op_mapping': {'c': 'INSERT', 'u, upsert': 'UPDATE_AFTER', 'd, delete': 'DELETE'},
    'op_mapping_without_key': {'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'},
  },
}) }}
{%- endmacro %}
