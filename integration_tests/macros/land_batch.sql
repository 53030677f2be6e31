{#-
  Play the ingestion: land a batch of fixtures/shop as a connector would, in a table and in a folder
  of files (those of customers and orders), and the tables as they were in the source at that
  moment, to compare with.

    dbt run-operation land_batch --args '{batch: 2}'
-#}
{% macro land_batch(batch) -%}
{%- set landed = "timestamp'2026-01-01 00:00:00' + make_dt_interval(0, 0, " ~ batch ~ ")" -%}

{%- do run_query('create schema if not exists bronze') -%}
{%- do run_query('
  create table if not exists bronze.shop_events
    (topic string, key string, value string, ingested_at timestamp) using delta
') -%}
{%- do run_query("
  insert into bronze.shop_events
  select event.topic, event.key, event.value, " ~ landed ~ "
  from (
    select
      from_json(value, 'topic string, key string, value string', map('mode', 'FAILFAST')) as event
    from " ~ shop_fixture('{batch,others}', batch) ~ "
  )
") -%}
{%- do run_query("
  insert overwrite directory '" ~ landing_folder() ~ "/" ~ batch ~ "' using text
  select value from " ~ shop_fixture('batch', batch) ~ "
") -%}
{%- do land_dumps(batch) -%}
{%- endmacro %}

{#- The source's tables after a batch, in place of those after the last one. -#}
{% macro land_dumps(batch) -%}
{%- for table in ['customers', 'orders', 'sessions'] -%}
{%- do run_query("
  create or replace table bronze.shop_" ~ table ~ "_dump using delta as
  select value from " ~ shop_fixture(table, batch) ~ "
") -%}
{%- endfor -%}
{%- endmacro %}

{#- The folder that the stream follows; files may also be put there by hand. -#}
{% macro landing_folder() -%}
{{ return(env_var('DBT_CHANGELOG_WORK', env_var('PWD') ~ '/../.work') ~ '/landing') }}
{%- endmacro %}

{% macro shop_fixture(name, batch) -%}
{{ return('text.`' ~ env_var('PWD') ~ '/fixtures/shop/' ~ name ~ '_' ~ batch ~ '.jsonl`') }}
{%- endmacro %}
