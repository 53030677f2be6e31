{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by='_seq',
    before='before',
    after='after',
    op_mapping={'c': 'INSERT', 'u': 'UPDATE_AFTER', 'd': 'DELETE'},
) }}

select
    op,
    id,
    cast(null as struct<id int, name string>) as before,
    if(op = 'd', null, struct(id, after_name as name)) as after,
    _seq
from {{ ref('data_partial_delete') }}
