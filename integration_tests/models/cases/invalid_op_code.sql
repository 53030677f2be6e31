{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by='_seq',
    op_mapping={'I': 'INSERT', 'D': 'DELETE'},
    invalid_op_handling='SKIP',
) }}

select op, id, name, _seq
from {{ ref('data_invalid_op_code') }}
