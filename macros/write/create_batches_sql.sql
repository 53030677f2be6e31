{#- The table of batches: a row per committed batch, counters where they were counted. -#}
{% macro create_batches_sql(batches, file_format) -%}
create table if not exists {{ batches }} (
{%- for column in dbt_changelog.batch_columns() %}
  {{ column.name }} {{ column.type }}{{ ',' if not loop.last }}
{%- endfor %}
) using {{ file_format }}
{%- endmacro %}
