{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by='_seq',
    before='before',
    after='after',
    op_mapping={'c': 'INSERT', 'd': 'DELETE'},
    consume_full_deletes=true,
) }}

select
    op,
    if(before_id is null, null, struct(before_id as id, before_name as name)) as before,
    if(after_id is null, null, struct(after_id as id, after_name as name)) as after,
    _seq
from {{ ref('data_full_delete') }}
