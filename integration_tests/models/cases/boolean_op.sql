{{ config(
    materialized='from_changelog',
    unique_key='id',
    sequence_by='_seq',
    op='is_deleted',
    op_mapping={'false': 'INSERT, UPDATE_AFTER', 'true': 'DELETE'},
) }}

select is_deleted, id, name, _seq
from {{ ref('data_boolean_op') }}
