{#-
  Formats of change events that have a name, the config `format`; each is a chapter of data. The
  formats of tables, `file_format`, are in macros/formats.
-#}

{#-
  A format by its name, for events that are JSON text in the column `value`, or for events that are
  columns; none if it does not come so. What `text` or `columns` of it say counts before the rest.

  Values are SQL but where it says otherwise. In them stand {row} and {cells}: in a schema the row,
  and the type of the values in a map of them; {column}, {name} and {path}: a column of the row, as
  a name, as a text and as the end of a path; {names}: the array of these texts; {place}: the number
  of a column among those of the key, from 0; {or_key}: of a key column one more argument, the text
  in the message's key. Keys that a format lacks are none.

  name, page: the name; where its maker describes it
  reads: columns that the query must have
  op: the op code; drops: {name: condition} of messages that are no change events
  before, after: the images, structs; of text also {there, value}: whether there is an image, and
    the text of its {column}. Without any the row is flat
  unsent: {after, before}: arrays of those of {names} that an image lacks though they have a value
  orders, orders_without_key: [{needs, order}]: what orders the changes of a key; in columns the
    first whose fields are there, in text the first whose first field is not NULL
  leaves_out: columns of the format that are no columns of the row
  op_mapping, op_mapping_without_key: the default mapping; TRUNCATE where its event has an order
  unavailable_value: a text that stands for a value that was not sent

  Of text only:
  value: the fields of a message, as a schema; the column `key` of a query stands for a field key
  inside: a field that the same fields may lie in, when a schema is sent along
  documents: fields that are JSON texts themselves, each a {row}
  explode: fields that are arrays: then each means an item, and `_place` is its number, from 0
  of_message, derived: {name: SQL} of a message before it is exploded, and of an event
  cell: a value, {0}, without what is wrapped around it
  key: the text of a key column where no image has it
  unreadable: [{condition, op}]: what else can't be read, and its op code
  texts: types that are read from text: a list, or 'all'
  decimals, dates, binary, micros: how, see read_text_sql; micros: {unit: SQL} of a number {0} that
    is a time; '': where the column says no unit
-#}
{% macro preset_of(name, is_text) -%}
{%- set preset = dbt_changelog._presets()[name]() -%}
{%- set side = preset.get('text' if is_text else 'columns') -%}
{{ return(none if side is none else dict({
  'reads': [], 'drops': {}, 'before': none, 'after': none, 'unsent': {}, 'orders': [],
  'orders_without_key': none, 'leaves_out': [], 'op_mapping_without_key': none,
  'unavailable_value': none, 'value': none, 'inside': none, 'documents': [], 'explode': [],
  'of_message': {}, 'derived': {}, 'cell': '{0}', 'key': none, 'unreadable': [], 'texts': [],
  'decimals': 'digits', 'dates': 'text', 'binary': 'base64', 'micros': {},
}, **dict(preset, name=name, **side))) }}
{%- endmacro %}

{#- A format as text and as columns, as far as it comes so; nothing of a name that is none. -#}
{% macro presets_of(name) -%}
{{ return([dbt_changelog.preset_of(name, true), dbt_changelog.preset_of(name, false)] | select
          | list if name in dbt_changelog._presets() else []) }}
{%- endmacro %}

{% macro preset_names() -%}
{{ return(dbt_changelog._presets() | list | sort) }}
{%- endmacro %}

{% macro _presets() -%}
{{ return({
  'airbyte': dbt_changelog.airbyte_preset,
  'canal': dbt_changelog.canal_preset,
  'cockroachdb': dbt_changelog.cockroachdb_preset,
  'datastream': dbt_changelog.datastream_preset,
  'debezium': dbt_changelog.debezium_preset,
  'debezium_unwrapped': dbt_changelog.debezium_unwrapped_preset,
  'delta_change_feed': dbt_changelog.delta_change_feed_preset,
  'dms': dbt_changelog.dms_preset,
  'dynamodb': dbt_changelog.dynamodb_preset,
  'fivetran': dbt_changelog.fivetran_preset,
  'flink': dbt_changelog.flink_preset,
  'hvr': dbt_changelog.hvr_preset,
  'iceberg_changes': dbt_changelog.iceberg_changes_preset,
  'maxwell': dbt_changelog.maxwell_preset,
  'mongodb': dbt_changelog.mongodb_preset,
  'ogg': dbt_changelog.ogg_preset,
  'qlik': dbt_changelog.qlik_preset,
  'snowflake_stream': dbt_changelog.snowflake_stream_preset,
  'sqlserver_cdc': dbt_changelog.sqlserver_cdc_preset,
  'stitch': dbt_changelog.stitch_preset,
  'ticdc': dbt_changelog.ticdc_preset,
  'wal2json': dbt_changelog.wal2json_preset,
}) }}
{%- endmacro %}
