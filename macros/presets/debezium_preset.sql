{#-
  Debezium's envelopes, of all its connectors but MongoDB's. Rows of a snapshot come before events
  of the same position. An order is a text, a number, snapshot or not, and a text, so that one
  model's events may come from several connectors.
-#}
{% macro debezium_preset() -%}
{{ return({
  'page': 'https://debezium.io/documentation/reference/stable/connectors/',
  'op': 'op',
  'before': 'before',
  'after': 'after',
  'orders': dbt_changelog._debezium_orders(),
  'orders_without_key': [{'needs': ['source.lsn', 'source.sequence'], 'order': [
    "if(source.sequence like '[\"%', lpad(split_part(source.sequence, '\"', 2), 20, '0'), '')",
    'cast(source.lsn as decimal(38, 0))', "if(op = 'r', 0, 1)", "''",
  ]}] + dbt_changelog._debezium_orders(),
  'op_mapping': {'c, r': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE', 't': 'TRUNCATE'},
  'op_mapping_without_key': {'c, r': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'},
  'unavailable_value': '__debezium_unavailable_value',
  'columns': {
    'reads': ['op', 'before', 'after', 'source'],
    'drops': {'messages of the source': "op = 'm'"},
  },
  'text': {
    'value': 'op string, before {row}, after {row}, source struct<lsn bigint, sequence string,'
      ~ ' file string, pos bigint, row int, commit_lsn string, change_lsn string,'
      ~ ' event_serial_no string, scn string, commit_scn string, rs_id string, ssn string,'
      ~ ' vgtid string, ts_hlc string, commit_ts bigint, ts_us bigint, mod_number string>,'
      ~ ' transaction struct<transaction_epoch string, transaction_rank string,'
      ~ ' total_order string>, ts_ms string, status string, ddl string,'
      ~ ' tableChanges string',
    'inside': 'payload',
    'key': "coalesce(get_json_object(cast(key as string), concat('$.payload', {path})),"
      ~ " get_json_object(cast(key as string), concat('$', {path})))",
    'drops': {
      'messages of the source': "op = 'm'",
      'transactions': "op is null and status in ('BEGIN', 'END')",
      'DDL': 'op is null and coalesce(ddl, tableChanges) is not null',
      'heartbeats': 'op is null and source is null and ts_ms is not null',
    },
    'texts': ['decimal', 'date', 'timestamp', 'timestamp_ntz', 'binary'],
    'decimals': 'digits or base64',
    'dates': 'text or days',
    'micros': {
      'milliseconds': '{0} * 1000',
      'microseconds': '{0}',
      'nanoseconds': '{0} div 1000',
      '': 'case\n  when source.lsn is null and abs({0}) > 253402300799999999'
        ~ '\n    then {0} div 1000\n  when {0} = 0\n    or abs({0}) > 253402300799999'
        ~ '\n    or source.lsn is not null\n'
        ~ '      and {0} not between 1000000000000 and 2000000000000\n'
        ~ '      and {0} not between 253402214400000 and 253402300799999\n    then {0}\nend',
    },
  },
}) }}
{%- endmacro %}

{#- TiCDC, Postgres, MySQL and MariaDB, SQL Server and Db2 and Informix, Oracle, Vitess, .. -#}
{% macro _debezium_orders() -%}
{%- set row = "if(op = 'r', 0, 1)" -%}
{{ return([
  {'needs': ['source.commit_ts'],
   'order': ["''", 'cast(source.commit_ts as decimal(38, 0))', row, "''"]},
  {'needs': ['source.lsn'], 'order': ["''", 'cast(source.lsn as decimal(38, 0))', row, "''"]},
  {'needs': ['source.file', 'source.pos', 'source.row'], 'order': [
    "lpad(substring_index(source.file, '.', -1), 20, '0')",
    'cast(source.pos as decimal(38, 0))', row, "lpad(source.row, 10, '0')"]},
  {'needs': ['source.commit_lsn', 'source.change_lsn', 'source.event_serial_no'], 'order': [
    dbt_changelog.lsn_sql('source.commit_lsn'), '0', row,
    'concat(' ~ dbt_changelog.lsn_sql("coalesce(source.change_lsn, '')")
      ~ ", lpad(coalesce(source.event_serial_no, ''), 10, '0'))"]},
  {'needs': ['source.commit_lsn', 'source.change_lsn'], 'order': [
    dbt_changelog.lsn_sql('source.commit_lsn'), '0', row,
    dbt_changelog.lsn_sql("coalesce(source.change_lsn, '')")]},
  {'needs': ['source.scn', 'source.commit_scn', 'source.rs_id', 'source.ssn'], 'order': [
    "''", 'cast(coalesce(source.commit_scn, source.scn) as decimal(38, 0))', row,
    "concat(lpad(source.scn, 20, '0'), coalesce(trim(source.rs_id), ''),"
      ~ " lpad(coalesce(source.ssn, ''), 10, '0'))"]},
  {'needs': ['source.vgtid', 'transaction.transaction_epoch', 'transaction.transaction_rank',
             'transaction.total_order'], 'order': [
    "lpad(transaction.transaction_epoch, 20, '0')",
    'cast(transaction.transaction_rank as decimal(38, 0))', row,
    "lpad(transaction.total_order, 20, '0')"]},
  {'needs': ['source.ts_hlc'], 'order': ['source.ts_hlc', '0', row, "''"]},
  {'needs': ['source.mod_number', 'source.ts_us', 'source.sequence'], 'order': [
    "''", 'cast(source.ts_us as decimal(38, 0))', row,
    "concat(lpad(source.sequence, 20, '0'), lpad(source.mod_number, 10, '0'))"]},
]) }}
{%- endmacro %}

{#- A position of SQL Server (22 characters), Db2 (34) or Informix (a number), as text in order. -#}
{% macro lsn_sql(lsn) -%}
{{ return('lpad(' ~ lsn ~ ', greatest(22, length(' ~ lsn ~ ")), '0')") }}
{%- endmacro %}
