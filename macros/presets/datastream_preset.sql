{#-
  Google's Datastream. The position in the source's log orders, and of an update that is split the
  delete comes first; rows of a backfill come before all changes.
-#}
{% macro datastream_preset() -%}
{{ return({
  'page': 'https://cloud.google.com/datastream/docs/events-and-streams',
  'op': 'source_metadata.change_type',
  'before': 'payload',
  'after': 'payload',
  'op_mapping': {'INSERT': 'INSERT', 'UPDATE, UPDATE-INSERT': 'UPDATE_AFTER',
                 'DELETE, UPDATE-DELETE': 'DELETE'},
  'text': {
    'value': 'read_method string, payload {row}, source_metadata struct<change_type: string,'
      ~ ' is_deleted: boolean, log_file: string, log_position: string, lsn: string, scn: string,'
      ~ ' rs_id: string, ssn: string>',
    'texts': 'all',
    'orders': [{'order': [
      "case when read_method like '%backfill%' then ''"
        ~ ' when source_metadata.log_file is not null then'
        ~ " lpad(substring_index(source_metadata.log_file, '.', -1), 20, '0')"
        ~ ' when source_metadata.lsn is not null then'
        ~ " array_join(transform(split(upper(source_metadata.lsn), '[/:]'),"
        ~ " part -> lpad(part, 8, '0')), '')"
        ~ " when source_metadata.scn is not null then '' end",
      "if(read_method like '%backfill%', 0, cast(coalesce(source_metadata.log_position,"
        ~ " source_metadata.scn, '0') as decimal(38, 0)))",
      "concat(coalesce(trim(source_metadata.rs_id), ''),"
        ~ " lpad(coalesce(source_metadata.ssn, ''), 10, '0'))",
      'if(source_metadata.is_deleted, 0, 1)',
    ]}],
  },
}) }}
{%- endmacro %}
