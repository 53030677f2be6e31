{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by='_seq',
    op_mapping={'c, r': 'INSERT', 'u': 'UPDATE_AFTER', 'd, x': 'DELETE'},
) }}

select op, id, name, _seq
from {{ ref('data_many_to_one_codes') }}
