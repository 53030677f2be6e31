{{ config(
    materialized='from_changelog',
    unique_key=['order_id', 'line_no'],
    sequence_by='_seq',
    op_mapping={'I': 'INSERT', 'U': 'UPDATE_AFTER', 'D': 'DELETE'},
) }}

select op, order_id, line_no, price, _seq
from {{ ref('data_composite_key') }}
