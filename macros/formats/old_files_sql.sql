{#-
  The statements that remove what a table no longer shows from its older files, in their order.
  properties: those of the table; now: the time after its last change, as text.

  Deletion vectors and delete files only mark rows, so these are rewritten first. A table of Parquet
  has no older files: it is replaced by another one.
-#}
{% macro old_files_sql(table, properties, now) -%}
{%- set file_format = dbt_changelog.format_of_table(properties) -%}
{%- if file_format == 'delta' -%}
{{ return((['reorg table ' ~ table ~ ' apply (purge)']
           if properties.get('delta.enableDeletionVectors') == 'true' else [])
          + ['vacuum ' ~ table]) }}
{%- elif file_format == 'parquet' -%}
{{ return([]) }}
{%- endif -%}
{%- set catalog, name = (table | string).split('.', 1) if (table | string).count('.') > 1
    else ('spark_catalog', table | string) -%}
{%- set call, given = 'call ' ~ catalog ~ '.system.', "table => '" ~ name ~ "'" -%}
{%- set marks = properties.values() | select('equalto', 'merge-on-read') | list -%}
{{ return(([call ~ 'rewrite_data_files(' ~ given
              ~ ", options => map('delete-file-threshold', '1'))",
            call ~ 'rewrite_position_delete_files(' ~ given ~ ')'] if marks else [])
          + [call ~ 'expire_snapshots(' ~ given ~ ", older_than => timestamp '" ~ now
             ~ "', retain_last => 1)"]) }}
{%- endmacro %}
