{#-
  AWS Database Migration Service: JSON, of Kafka and Kinesis, with the row before in `before-image`
  or in columns BI_..; and columns, of S3, with `Op`, which rows of the full load may lack.
  A column AR_H_CHANGE_SEQ, which a rule of the task can add, orders.
-#}
{% macro dms_preset() -%}
{{ return({
  'page': 'https://docs.aws.amazon.com/dms/latest/userguide/CHAP_Target.Kafka.html',
  'text': {
    'value': 'data map<string, {cells}>, `before-image` map<string, {cells}>,'
      ~ ' metadata struct<operation: string, `record-type`: string>',
    'drops': {'tables and columns': "metadata.`record-type` = 'control'"
      ~ " and metadata.operation <> 'truncate-table'"},
    'op': 'metadata.operation',
    'before': {
      'there': 'data is not null',
      'value': 'case when map_contains_key(`before-image`, {name})'
        ~ ' then string(`before-image`[{name}])'
        ~ " when map_contains_key(data, concat('BI_', {name}))"
        ~ " then string(data[concat('BI_', {name})]) else string(data[{name}]) end",
    },
    'after': {'there': 'data is not null', 'value': 'string(data[{name}])'},
    'texts': 'all',
    'binary': 'hex',
    'orders': [{'order': [
      "if(metadata.operation = 'load', 0,"
        ~ " cast(string(data['AR_H_CHANGE_SEQ']) as decimal(38, 0)))"]}],
    'op_mapping': {'load, insert': 'INSERT', 'update': 'UPDATE_AFTER', 'delete': 'DELETE'},
  },
  'columns': {
    'reads': ['Op'],
    'op': "coalesce(Op, 'I')",
    'orders': [{'needs': ['AR_H_CHANGE_SEQ'], 'order': [
      "if(coalesce(AR_H_CHANGE_SEQ, '') = '', 0, cast(AR_H_CHANGE_SEQ as decimal(38, 0)))"]}],
    'leaves_out': ['Op', 'AR_H_CHANGE_SEQ', 'AR_H_STREAM_POSITION', 'AR_H_TIMESTAMP',
                   'AR_H_COMMIT_TIMESTAMP', 'AR_H_OPERATION', 'AR_H_USER'],
    'op_mapping': {'I': 'INSERT', 'U': 'UPDATE_AFTER', 'D': 'DELETE'},
  },
}) }}
{%- endmacro %}
