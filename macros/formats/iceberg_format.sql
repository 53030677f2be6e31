{#- Tables of Apache Iceberg. -#}
{% macro iceberg_format() -%}
{{ return({
  'name': 'Iceberg',
  'merges': true,
  'is_remembered': true,
  'create': 'create or replace table',
  'takes_random': false,
  'create_log': 'create table',
  'clusters': false,
  'transforms': true,
  'state_options': '',
  'state_properties': dbt_changelog._iceberg_state_properties,
  'mapped_names': {},
  'droppable': {},
  'widenable': {},
  'small_ints': false,
  'drop_files': ' purge',
  'old_files': dbt_changelog._iceberg_old_files,
  'upkeep': dbt_changelog._iceberg_upkeep,
  'newest_version': dbt_changelog._iceberg_newest_version,
  'past': {
    'snapshot': 'current-snapshot-id',
    'kept': dbt_changelog._iceberg_kept,
    'back': dbt_changelog._iceberg_back,
  },
}) }}
{%- endmacro %}

{#-
  A MERGE marks the rows that it replaces (merge-on-read) instead of writing their files again.
  Tables of version 1 cannot have marked rows.
-#}
{% macro _iceberg_state_properties(properties) -%}
{{ return({} if properties.get('format-version') | string == '1'
          else {'write.delete.mode': 'merge-on-read', 'write.merge.mode': 'merge-on-read'}) }}
{%- endmacro %}

{% macro _iceberg_newest_version(table) -%}
select cast(snapshot_id as string) as version
from {{ table }}.refs
where name = 'main'
{%- endmacro %}

{% macro _iceberg_kept(table, snapshot) -%}
select is_current_ancestor as is_kept from {{ table }}.history where snapshot_id = {{ snapshot }}
{%- endmacro %}

{% macro _iceberg_back(table, snapshot) -%}
{{ dbt_changelog._procedure(table) }}set_current_snapshot(
  {{- dbt_changelog._named_table(table) }}, snapshot_id => {{ snapshot }})
{%- endmacro %}

{#- Delete files only mark rows: they and the files with marked rows are written anew first. -#}
{% macro _iceberg_old_files(table) -%}
{%- set call, given = dbt_changelog._procedure(table), dbt_changelog._named_table(table) -%}
{%- set marks = table.properties.values() | select('equalto', 'merge-on-read') | list -%}
{{ return(([call ~ 'rewrite_data_files(' ~ given
              ~ ", options => map('delete-file-threshold', '1'))",
            call ~ 'rewrite_position_delete_files(' ~ given ~ ')'] if marks else [])
          + [call ~ 'expire_snapshots(' ~ given ~ ", older_than => timestamp '" ~ table.now
             ~ "', retain_last => 1)"]) }}
{%- endmacro %}

{#-
  Snapshots go after the age that the table says, five days by default; the newest stays. It goes
  first, since the view of a model in a group may read the snapshot that is now the newest, of any
  age. Only files that are small are written anew, unless all are to be put in order.
-#}
{% macro _iceberg_upkeep(table) -%}
{%- set call, given = dbt_changelog._procedure(table), dbt_changelog._named_table(table) -%}
{%- set order = ", strategy => 'sort', sort_order => "
    ~ dbt_changelog.literal(dbt_changelog.csv(table.sorted_by))
    ~ ", options => map('rewrite-all', 'true')" if table.sorted_by else '' -%}
{{ return([call ~ 'expire_snapshots(' ~ given ~ ')',
           call ~ 'rewrite_data_files(' ~ given ~ order ~ ')',
           call ~ 'rewrite_position_delete_files(' ~ given ~ ')']) }}
{%- endmacro %}

{#- How a procedure of a table's catalog is called, and how it is told the table. -#}
{% macro _procedure(table) -%}
{{ return('call ' ~ (table.name.split('.')[0] if table.name.count('.') > 1 else 'spark_catalog')
          ~ '.system.') }}
{%- endmacro %}

{% macro _named_table(table) -%}
{{ return("table => '"
          ~ (table.name.split('.', 1)[1] if table.name.count('.') > 1 else table.name) ~ "'") }}
{%- endmacro %}
