-- customers once more, as a stream: the connector's files, each read once as it lands
{{ config(
    materialized='changelog_stream',
    function='from_changelog',
    unique_key='id',
    sequence_by='lsn',
    before='before',
    after='after',
    op_mapping={'c, r': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'},
    trigger=var('trigger', 'available_now'),
) }}

{% set row = 'id bigint, name string, email string, tier string, updated_at timestamp' %}

with landed as (

    select topic, value as event
    from {{ dbt_changelog.stream(
        format='json',
        schema='topic string, value struct<op string, before struct<' ~ row ~ '>, after struct<'
            ~ row ~ '>, source struct<lsn bigint>>',
        options={'path': landing_folder(), 'recursiveFileLookup': true, 'mode': 'FAILFAST'},
    ) }}

)

select
    event.op,
    event.before,
    event.after,
    event.source.lsn
from landed
where topic = 'shop.public.customers'
    and event is not null
