{#- Rows of a Snowflake stream. They carry no order: set sequence_by. -#}
{% macro snowflake_stream_preset() -%}
{{ return({
  'page': 'https://docs.snowflake.com/en/user-guide/streams-intro',
  'columns': {
    'reads': ['METADATA$ACTION', 'METADATA$ISUPDATE'],
    'op': "concat(if(`METADATA$ISUPDATE`, 'UPDATE ', ''), `METADATA$ACTION`)",
    'leaves_out': ['METADATA$ACTION', 'METADATA$ISUPDATE', 'METADATA$ROW_ID'],
    'op_mapping': {'INSERT': 'INSERT', 'DELETE': 'DELETE', 'UPDATE DELETE': 'UPDATE_BEFORE',
                   'UPDATE INSERT': 'UPDATE_AFTER'},
  },
}) }}
{%- endmacro %}
