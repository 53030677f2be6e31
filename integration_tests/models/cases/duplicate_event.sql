{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by='_seq',
    op_mapping={'I': 'INSERT', 'U': 'UPDATE_AFTER', 'D': 'DELETE'},
) }}

select op, id, name, _seq
from {{ ref('data_duplicate_event') }}
