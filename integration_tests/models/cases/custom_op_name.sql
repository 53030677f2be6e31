{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by='_seq',
    op='change_type',
    op_mapping={'I': 'INSERT', 'U': 'UPDATE_AFTER', 'D': 'DELETE'},
) }}

-- _seq starts with an underscore: it is read and not stored
select change_type, id, name, _seq
from {{ ref('data_custom_op_name') }}
