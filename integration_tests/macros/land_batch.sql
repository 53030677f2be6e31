{#-
  Play the ingestion: land a batch of fixtures/shop as a connector would, and the tables as they
  were in the source at that moment, to compare with.

    dbt run-operation land_batch --args '{batch: 2}'
-#}
{% macro land_batch(batch) -%}
{%- set fixture = env_var('PWD') ~ '/fixtures/shop' -%}
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
    from text.`" ~ fixture ~ "/batch_" ~ batch ~ ".jsonl`
  )
") -%}

{%- for table in ['customers', 'orders'] -%}
{%- do run_query("
  create or replace table bronze.shop_" ~ table ~ "_dump using delta as
  select value from text.`" ~ fixture ~ "/" ~ table ~ "_" ~ batch ~ ".jsonl`
") -%}
{%- endfor -%}
{%- endmacro %}
