{#-
  What a file format is, and the one place that chooses one by its name.

  name: as people write it. merges: has MERGE, appends and replacements that happen as a whole or
  not at all. is_remembered: Spark may show a table as it was before, until it is refreshed. create:
  how a table of ours is made: "or replace" wherever a name is used again, since a process that was
  killed while it wrote leaves files and no table, and a plain create would refuse that place for
  ever. clusters, transforms: what its layout can be. state_options: of a state with a key;
  state_properties: of the user's properties of a state, those that it has besides, none where there
  are none. mapped_names: properties that odd names of columns need; droppable, widenable: those
  that a table needs before a column is dropped, or gets a wider type. small_ints: it has tinyint
  and smallint. drop_files: what makes a drop remove the files, too. takes_random: what a batch
  writes may have a random condition, which a copy-on-write MERGE of Iceberg refuses. old_files: of
  a table, {name, properties, now: the time after its last change, as text}, the statements that
  remove what it no longer shows from its older files, in their order; none where a table is
  replaced by another one and has no older files. upkeep: of a table, {name, properties, sorted_by},
  what its owner runs now and then. newest_version: a query of the version that a table has now;
  none where it has no versions. past: where a table's rows can be put back without its properties,
  {snapshot: the property that names the one it has now, kept: a query whether that one grew out of
  another one, without rows if the other is forgotten, back: a statement that goes to one}; none
  where both go back together.
-#}
{% macro format_of(name) -%}
{{ return({
  'delta': dbt_changelog.delta_format,
  'iceberg': dbt_changelog.iceberg_format,
  'parquet': dbt_changelog.parquet_format,
}[name]()) }}
{%- endmacro %}

{#- The values of file_format. -#}
{% macro file_formats() -%}
{{ return(['delta', 'iceberg', 'parquet']) }}
{%- endmacro %}

{#- What to do where a format can't do what others can: that of errors. -#}
{% macro merging_formats() -%}
{%- set words = [] -%}
{%- for name in dbt_changelog.file_formats() if dbt_changelog.format_of(name).merges -%}
{%- do words.append("file_format='" ~ name ~ "'") -%}
{%- endfor -%}
{{ return('set ' ~ words | join(' or ')) }}
{%- endmacro %}

{#- The file format of a table of ours, as its properties say it. -#}
{% macro format_of_table(properties) -%}
{{ return('delta' if 'delta.minReaderVersion' in properties
    else 'iceberg' if 'current-snapshot-id' in properties else 'parquet') }}
{%- endmacro %}

{#- Whether a table has to be refreshed first; of a name that is no format, it is to be refused. -#}
{% macro is_remembered(file_format) -%}
{{ return(file_format not in dbt_changelog.file_formats()
          or dbt_changelog.format_of(file_format).is_remembered) }}
{%- endmacro %}

{#- The type that a column of a type has in a table of a format. -#}
{% macro stored_type(file_format, type) -%}
{{ return(type if dbt_changelog.format_of(file_format).small_ints
          else modules.re.sub('(^|[:<,])(tiny|small)int(?=$|[,>])', '\\1int', type)) }}
{%- endmacro %}
