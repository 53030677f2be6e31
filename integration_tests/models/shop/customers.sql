{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by='lsn',
    before='before',
    after='after',
    op_mapping={'c, r': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'},
    read={'column': 'ingested_at'},
) }}

{% set row = 'id bigint, name string, email string, tier string, updated_at timestamp' %}

with parsed as (

    select
        -- FAILFAST: the default mode silently turns what it can't read into NULL
        from_json(
            value,
            'op string, before struct<{{ row }}>, after struct<{{ row }}>, source struct<lsn bigint>',
            map('mode', 'FAILFAST')
        ) as event,
        ingested_at
    from {{ dbt_changelog.new_rows(source('bronze', 'shop_events')) }}
    where topic = 'shop.public.customers'
        -- a delete is followed by a null record, for Kafka's compaction: it is not a change
        and value is not null

)

select
    event.op,
    event.before,
    event.after,
    event.source.lsn,
    ingested_at
from parsed
