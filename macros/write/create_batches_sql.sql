{#-
  The table of batches: a row per committed batch, counters where they were counted.

  As a query wherever a format can replace a table: a process that was killed while it made it left
  files, and Delta takes such a place for a query only.
-#}
{% macro create_batches_sql(batches, file_format) -%}
{%- set columns = dbt_changelog.batch_columns() -%}
{%- if dbt_changelog.format_features(file_format).merges -%}
create or replace table {{ batches }}
using {{ file_format }}
as
{{ dbt_changelog.no_rows_sql(columns) }}
{%- else -%}
create table if not exists {{ batches }} (
{%- for column in columns %}
  {{ column.name }} {{ column.type }}{{ ',' if not loop.last }}
{%- endfor %}
) using {{ file_format }}
{%- endif -%}
{%- endmacro %}
