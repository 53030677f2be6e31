{{ config(materialized='view') }}

-- the macro alone, without state: change events become a changelog

with events as (

    select
        op,
        if(before_id is null, null, struct(before_id as id, before_name as name)) as before,
        if(after_id is null, null, struct(after_id as id, after_name as name)) as after,
        _seq
    from {{ ref('data_key_change') }}

)

{{ dbt_changelog.from_changelog(
    'events',
    before='before',
    after='after',
    op_mapping={'c': 'INSERT', 'u': 'UPDATE_BEFORE, UPDATE_AFTER', 'd': 'DELETE'},
    unique_key='id',
    sequence_by='_seq',
) }}
