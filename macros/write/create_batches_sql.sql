{#- The table of batches: a row per committed batch, counters where they were counted. -#}
{% macro create_batches_sql(batches, file_format) -%}
create table if not exists {{ batches }} (
  uid string,
  batch_id bigint,
  invocation_id string,
  started_at timestamp,
  committed_at timestamp,
  is_full_refresh boolean,
  from_position string,
  to_position string,
{%- for name in dbt_changelog.counter_names() %}
  {{ name }} bigint{{ ',' if not loop.last }}
{%- endfor %}
) using {{ file_format }}
{%- endmacro %}
