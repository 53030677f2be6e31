{#- Tables of Apache Iceberg. -#}
{% macro iceberg_format() -%}
{{ return({
  'name': 'Iceberg',
  'merges': true,
  'is_remembered': true,
  'create': 'create or replace table',
  'create_log': 'create table',
  'clusters': false,
  'transforms': true,
  'state_options': '',
  'state_properties': {},
  'mapped_names': {},
  'droppable': {},
  'widenable': {},
  'small_ints': false,
  'drop_files': ' purge',
  'old_files': dbt_changelog._iceberg_old_files,
  'newest_version': dbt_changelog._iceberg_newest_version,
}) }}
{%- endmacro %}

{% macro _iceberg_newest_version(table) -%}
select cast(snapshot_id as string) as version
from {{ table }}.refs
where name = 'main'
{%- endmacro %}

{#- Delete files only mark rows: they and the files with marked rows are written anew first. -#}
{% macro _iceberg_old_files(table) -%}
{%- set catalog, name = table.name.split('.', 1) if table.name.count('.') > 1
    else ('spark_catalog', table.name) -%}
{%- set call, given = 'call ' ~ catalog ~ '.system.', "table => '" ~ name ~ "'" -%}
{%- set marks = table.properties.values() | select('equalto', 'merge-on-read') | list -%}
{{ return(([call ~ 'rewrite_data_files(' ~ given
              ~ ", options => map('delete-file-threshold', '1'))",
            call ~ 'rewrite_position_delete_files(' ~ given ~ ')'] if marks else [])
          + [call ~ 'expire_snapshots(' ~ given ~ ", older_than => timestamp '" ~ table.now
             ~ "', retain_last => 1)"]) }}
{%- endmacro %}
