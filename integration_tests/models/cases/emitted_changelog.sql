{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by='_seq',
    op_mapping={'I': 'INSERT', 'U': 'UPDATE_BEFORE, UPDATE_AFTER', 'D': 'DELETE'},
    changelog=true,
) }}

select op, id, name, _seq
from {{ ref('data_out_of_order') }}
