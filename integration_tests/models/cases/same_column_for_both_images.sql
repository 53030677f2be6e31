{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by='_seq',
    before='image',
    after='image',
    op_mapping={
        'insert': 'INSERT',
        'update_preimage': 'UPDATE_BEFORE',
        'update_postimage': 'UPDATE_AFTER',
        'delete': 'DELETE',
    },
) }}

select op, struct(id, name) as image, _seq
from {{ ref('data_same_column_for_both_images') }}
