{#-
  TiCDC: canal-json with its TiDB extension; and the open protocol with one event in a row, whose
  `key` has the time of the commit. In the latter texts of the types 249 to 252 are in base64.
-#}
{% macro ticdc_preset() -%}
{%- set texts = 'transform_values({0}, (name, cell) -> if(cell.t between 249 and 252,'
  ~ ' string(unbase64(string(cell.v))), string(cell.v)))' -%}
{{ return({
  'page': 'https://docs.pingcap.com/tidb/stable/ticdc-open-protocol',
  'text': {
    'value': 'type string, isDdl boolean, data array<{row}>,'
      ~ ' _tidb struct<commitTs: bigint, onlyHandleKey: boolean, claimCheckLocation: string>,'
      ~ ' old array<map<string, {cells}>>, key string, q string, t int,'
      ~ ' u map<string, struct<t: int, v: variant>>, p map<string, struct<t: int, v: variant>>,'
      ~ ' d map<string, struct<t: int, v: variant>>',
    'explode': ['data', 'old'],
    'drops': {
      'DDL': "isDdl and type <> 'TRUNCATE' or q is not null and t <> 11",
      'watermarks': "type = 'TIDB_WATERMARK'",
    },
    'derived': {
      '_after': texts | replace('{0}', 'u'),
      '_before': texts | replace('{0}', 'coalesce(p, d)'),
    },
    'op': "case when d is not null then 'DELETE' when p is not null then 'UPDATE'"
      ~ " when u is not null then 'INSERT' when q is not null then 'TRUNCATE' else type end",
    'before': {
      'there': '_before is not null or data is not null',
      'value': 'case when _before is not null then if(map_contains_key(_before, {name}),'
        ~ ' _before[{name}], _after[{name}])'
        ~ ' when map_contains_key(old, {name}) then string(old[{name}])'
        ~ ' else string(data.{column}) end',
    },
    'after': {
      'there': '_after is not null or data is not null',
      'value': 'if(_after is null, string(data.{column}), _after[{name}])',
    },
    'unreadable': [
      {'condition': "(_tidb.onlyHandleKey or _tidb.claimCheckLocation is not null"
        ~ " or get_json_object(cast(key as string), '$.ohk') = 'true'"
        ~ " or get_json_object(cast(key as string), '$.ccl') is not null)"
        ~ " and d is null and coalesce(type, '') <> 'DELETE'",
       'op': "'unreadable: the row was too large for the message, which has only its key'"},
    ],
    'texts': 'all',
    'binary': none,
    'orders': [{'order': [
      "coalesce(_tidb.commitTs, cast(get_json_object(cast(key as string), '$.ts') as bigint))",
    ]}],
    'orders_without_key': [],
    'op_mapping': {'INSERT': 'INSERT', 'UPDATE': 'UPDATE_AFTER', 'DELETE': 'DELETE',
                   'TRUNCATE': 'TRUNCATE'},
    'op_mapping_without_key': {'INSERT': 'INSERT', 'UPDATE': 'UPDATE_BEFORE, UPDATE_AFTER',
                               'DELETE': 'DELETE'},
  },
}) }}
{%- endmacro %}
