{{ config(
    materialized='from_changelog',
    unique_key=['order_id', 'line_no'],
    sequence_by='lsn',
    before='before',
    after='after',
    op_mapping={'c, r': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'},
    read={'column': 'ingested_at'},
) }}

{% set row = 'order_id bigint, line_no int, customer_id bigint, product string, qty int, '
    ~ 'price decimal(10, 2), status string, note string, ordered_at bigint' %}

with parsed as (

    select
        from_json(
            value,
            'op string, before struct<{{ row }}>, after struct<{{ row }}>, source struct<lsn bigint>',
            map('mode', 'FAILFAST')
        ) as event,
        ingested_at
    from {{ dbt_changelog.new_rows(source('bronze', 'shop_events')) }}
    where topic = 'shop.public.orders'
        and value is not null

)

select
    event.op,
    {{ order_row('event.before') }} as before,
    {{ order_row('event.after') }} as after,
    event.source.lsn,
    ingested_at
from parsed
