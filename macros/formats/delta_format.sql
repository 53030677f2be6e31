{#-
  Tables of Delta Lake. A batch makes two commits of its state, and a checkpoint costs a second:
  with this interval there is one every ten batches.
-#}
{% macro delta_format() -%}
{{ return({
  'name': 'Delta',
  'merges': true,
  'is_remembered': false,
  'create': 'create or replace table',
  'takes_random': true,
  'create_log': 'create or replace table',
  'clusters': true,
  'transforms': false,
  'state_options':
    "options ('maxRecordsPerFile' = '500000')  -- a batch in a part of the keys rewrites few files",
  'state_properties': dbt_changelog._delta_state_properties,
  'mapped_names': {'delta.columnMapping.mode': 'name'},
  'droppable': {'delta.columnMapping.mode': 'name'},
  'widenable': {'delta.enableTypeWidening': 'true'},
  'small_ints': true,
  'drop_files': '',
  'old_files': dbt_changelog._delta_old_files,
  'upkeep': dbt_changelog._delta_upkeep,
  'newest_version': dbt_changelog._delta_newest_version,
  'past': none,
}) }}
{%- endmacro %}

{#-
  A MERGE marks the rows that it replaces (deletion vectors) instead of writing their files again. A
  table that is to be read as Iceberg's may not have them.
-#}
{% macro _delta_state_properties(properties) -%}
{%- set uniform = [] -%}
{%- for name, value in properties.items()
    if modules.re.match('(?i)delta[.](enableIcebergCompat|universalFormat)', name)
      and value | string | lower not in ['', 'false'] -%}
{%- do uniform.append(name) -%}
{%- endfor -%}
{{ return(dict({'delta.checkpointInterval': '20'},
               **({} if uniform else {'delta.enableDeletionVectors': 'true'}))) }}
{%- endmacro %}

{% macro _delta_newest_version(table) -%}
describe history {{ table }} limit 1
{%- endmacro %}

{#- Deletion vectors only mark rows: the files with marked rows are written anew first. -#}
{% macro _delta_old_files(table) -%}
{{ return((['reorg table ' ~ table.name ~ ' apply (purge)']
           if table.properties.get('delta.enableDeletionVectors') == 'true' else [])
          + ['vacuum ' ~ table.name]) }}
{%- endmacro %}

{#-
  With liquid clustering, optimize itself puts a table in order, and refuses another order; so it
  does by columns of the partition, whose rows are all equal in them.
-#}
{% macro _delta_upkeep(table) -%}
{%- set order = dbt_changelog.missing_names(table.sorted_by, table.partition_by)
    if 'delta.feature.clustering' not in table.properties else [] -%}
{{ return(['optimize ' ~ table.name
           ~ (' zorder by (' ~ dbt_changelog.csv(order) ~ ')' if order else ''),
           'vacuum ' ~ table.name]) }}
{%- endmacro %}
