{#-
  Qlik Replicate: JSON messages with or without their envelope; and change tables, with the columns
  header__... The change's sequence orders; rows of a full load have none and come first.
-#}
{% macro qlik_preset() -%}
{{ return({
  'page': 'https://help.qlik.com/en-US/replicate/',
  'text': {
    'value': 'type string, data {row}, beforeData {row},'
      ~ ' headers struct<operation: string, changeSequence: string>',
    'inside': 'message',
    'drops': {'tables and columns': "type = 'MD'"},
    'op': 'headers.operation',
    'before': {'there': 'beforeData is not null or data is not null',
               'value': 'if(beforeData is null, string(data.{column}),'
                 ~ ' string(beforeData.{column}))'},
    'after': 'data',
    'texts': 'all',
    'binary': 'hex',
    'orders': [{'order': ["if(headers.operation = 'REFRESH', 0,"
      ~ ' cast(headers.changeSequence as decimal(38, 0)))']}],
    'op_mapping': {'INSERT, REFRESH': 'INSERT', 'UPDATE': 'UPDATE_AFTER', 'DELETE': 'DELETE'},
  },
  'columns': {
    'reads': ['header__change_oper', 'header__change_seq'],
    'op': 'header__change_oper',
    'orders': [{'order': ['cast(header__change_seq as decimal(38, 0))']}],
    'leaves_out': ['header__change_oper', 'header__change_seq', 'header__change_mask',
                   'header__stream_position', 'header__operation', 'header__transaction_id',
                   'header__timestamp', 'header__partition_name'],
    'op_mapping': {'I': 'INSERT', 'B': 'UPDATE_BEFORE', 'U': 'UPDATE_AFTER', 'D': 'DELETE'},
  },
}) }}
{%- endmacro %}
